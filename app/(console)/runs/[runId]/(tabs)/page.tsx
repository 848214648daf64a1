import { Conversation } from "@/components/agent-run/conversation";
import { SummaryPanel } from "@/components/run-detail/summary-panel";
import { kindOfRun } from "@/server/api/page-lookup";

export default async function RunSummaryPage({ params }: { params: Promise<{ runId: string }> }) {
  const { runId } = await params;
  return (await kindOfRun(runId)) === "thread" ? <Conversation runId={runId} /> : <SummaryPanel runId={runId} />;
}
