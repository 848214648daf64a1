import type { ReactNode } from "react";
import { RunFrame } from "@/components/run-detail/run-frame";
import { RunNotFound } from "@/components/run-detail/run-not-found";
import { hasRun } from "@/server/api/page-lookup";

/** Decided here, so that an unknown run costs the page no refused request: browsers put those into the console, a 404 of the document too. */
export default async function RunLayout({ children, params }: { children: ReactNode; params: Promise<{ runId: string }> }) {
  const { runId } = await params;
  if (!(await hasRun(runId))) return <RunNotFound runId={runId} />;
  return <RunFrame runId={runId}>{children}</RunFrame>;
}
