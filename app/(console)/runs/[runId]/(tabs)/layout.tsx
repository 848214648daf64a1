import type { ReactNode } from "react";
import { RunFrame } from "@/components/run-detail/run-frame";

export default async function RunLayout({ children, params }: { children: ReactNode; params: Promise<{ runId: string }> }) {
  const { runId } = await params;
  return <RunFrame runId={runId}>{children}</RunFrame>;
}
