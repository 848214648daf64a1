"use client";

import { type ReactNode, useState } from "react";
import type { RunSummary } from "@/server/runs/run.schema";
import type { RunAction } from "@/server/runs/run-state.rules";
import { type AskedAction, RunActionDialog } from "./run-action-dialog";
import { useRunAction } from "./use-run-action";

/** Asks before an action on the run, or does it at once where nothing is lost. `dialog` belongs somewhere on the page. */
export function useRunActions(run: RunSummary): { ask: (action: RunAction) => void; isPending: boolean; dialog: ReactNode } {
  const [asked, setAsked] = useState<AskedAction | null>(null);
  const now = useRunAction(() => {});
  return {
    ask: (action) => {
      if (action !== "resume") setAsked(action);
      else if (!now.isPending) now.mutate({ action, run, reason: "" });
    },
    isPending: now.isPending,
    dialog: asked !== null && <RunActionDialog action={asked} run={run} open onOpenChange={(open) => !open && setAsked(null)} />,
  };
}
