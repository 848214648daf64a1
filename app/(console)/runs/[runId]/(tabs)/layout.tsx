import type { ReactNode } from "react";
import { AgentFrame } from "@/components/agent-run/agent-frame";
import { RunFrame } from "@/components/run-detail/run-frame";
import { RunNotFound } from "@/components/run-detail/run-not-found";
import { kindOfRun } from "@/server/api/page-lookup";

/** Decided here, so that an unknown run costs the page no refused request: browsers put those into the console, a 404 of the document too. */
export default async function RunLayout({ children, params }: { children: ReactNode; params: Promise<{ runId: string }> }) {
  const { runId } = await params;
  const kind = await kindOfRun(runId);
  if (kind === null) return <RunNotFound runId={runId} />;
  const Frame = kind === "thread" ? AgentFrame : RunFrame;
  return <Frame runId={runId}>{children}</Frame>;
}
