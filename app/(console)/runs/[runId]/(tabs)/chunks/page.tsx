import { ChunksPanel } from "@/components/chunks/chunks-panel";

export default async function RunChunksPage({ params }: { params: Promise<{ runId: string }> }) {
  const { runId } = await params;
  return <ChunksPanel runId={runId} />;
}
