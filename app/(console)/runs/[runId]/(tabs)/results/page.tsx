import { InsightsPanel } from "@/components/insights/insights-panel";

export default async function RunResultsPage({ params }: { params: Promise<{ runId: string }> }) {
  const { runId } = await params;
  return <InsightsPanel runId={runId} />;
}
