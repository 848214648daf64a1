import { redirect } from "next/navigation";
import { InsightsPanel } from "@/components/insights/insights-panel";
import { paths } from "@/components/paths";
import { kindOfRun } from "@/server/api/page-lookup";

export default async function RunResultsPage({ params }: { params: Promise<{ runId: string }> }) {
  const { runId } = await params;
  // Agent runs have no chunks, and so none of this.
  if ((await kindOfRun(runId)) === "thread") redirect(paths.run(runId));
  return <InsightsPanel runId={runId} />;
}
