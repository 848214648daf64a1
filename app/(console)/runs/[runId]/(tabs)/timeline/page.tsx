import { TimelinePanel } from "@/components/timeline/timeline-panel";

export default async function RunTimelinePage({ params }: { params: Promise<{ runId: string }> }) {
  const { runId } = await params;
  return <TimelinePanel runId={runId} />;
}
