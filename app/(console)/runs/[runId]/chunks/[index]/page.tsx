import { ChunkNotFound } from "@/components/chunk/chunk-not-found";
import { ChunkPage } from "@/components/chunk/chunk-page";
import { findChunk } from "@/server/api/page-lookup";

/** An index as its links write it; nothing else leads to a chunk. */
const INDEX = /^[1-9]\d{0,8}$/;

export default async function RunChunkPage({ params }: { params: Promise<{ runId: string; index: string }> }) {
  const { runId, index } = await params;
  const lookup = await findChunk(runId, INDEX.test(index) ? Number(index) : null);
  if (lookup.found !== "chunk") {
    return <ChunkNotFound runId={runId} index={index} chunks={lookup.found === "run" ? lookup.chunks : null} />;
  }
  return <ChunkPage runId={runId} index={Number(index)} />;
}
