import { SummaryPanel } from "@/components/run-detail/summary-panel";

export default async function RunSummaryPage({ params }: { params: Promise<{ runId: string }> }) {
  const { runId } = await params;
  return <SummaryPanel runId={runId} />;
}
