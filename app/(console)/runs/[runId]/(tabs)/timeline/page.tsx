import { redirect } from "next/navigation";
import { paths } from "@/components/paths";
import { TimelinePanel } from "@/components/timeline/timeline-panel";
import { kindOfRun } from "@/server/api/page-lookup";

export default async function RunTimelinePage({ params }: { params: Promise<{ runId: string }> }) {
  const { runId } = await params;
  // Agent runs have no chunks, and so none of this.
  if ((await kindOfRun(runId)) === "thread") redirect(paths.run(runId));
  return <TimelinePanel runId={runId} />;
}
