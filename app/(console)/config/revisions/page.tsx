import { RevisionsPage } from "@/components/config/revisions-page";

export default function ConfigRevisionsRoute() {
  return <RevisionsPage />;
}
