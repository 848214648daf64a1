import { NewRunPage } from "@/components/new-run/new-run-page";

export default function NewRunRoute() {
  return <NewRunPage />;
}
