import { redirect } from "next/navigation";
import { ChunksPanel } from "@/components/chunks/chunks-panel";
import { paths } from "@/components/paths";
import { kindOfRun } from "@/server/api/page-lookup";

export default async function RunChunksPage({ params }: { params: Promise<{ runId: string }> }) {
  const { runId } = await params;
  // Agent runs have no chunks, and so none of this.
  if ((await kindOfRun(runId)) === "thread") redirect(paths.run(runId));
  return <ChunksPanel runId={runId} />;
}
