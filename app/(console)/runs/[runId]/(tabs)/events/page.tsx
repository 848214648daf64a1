import { EventsPanel } from "@/components/events/events-panel";

export default async function RunEventsPage({ params }: { params: Promise<{ runId: string }> }) {
  const { runId } = await params;
  return <EventsPanel runId={runId} />;
}
