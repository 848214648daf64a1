import { RunsPage } from "@/components/runs/runs-page";

export default function RunsRoute() {
  return <RunsPage />;
}
