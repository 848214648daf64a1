import { notFound } from "next/navigation";
import { ChunkPage } from "@/components/chunk/chunk-page";

export default async function RunChunkPage({ params }: { params: Promise<{ runId: string; index: string }> }) {
  const { runId, index } = await params;
  if (!/^[1-9]\d{0,8}$/.test(index)) notFound();
  return <ChunkPage runId={runId} index={Number(index)} />;
}
