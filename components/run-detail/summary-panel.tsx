"use client";

import { BackoffPanel } from "./backoff-panel";
import { ErrorGroups } from "./error-groups";
import { PrepPanel } from "./prep-panel";
import { RunNumbers, RunOptionsPanel, RunWaits } from "./run-facts";
import { RunModels } from "./run-models";
import { useRun } from "./use-run";

/** What holds the run up and errors first, then the numbers, then what was done to the text. The frame around it shows loading and problems. */
export function SummaryPanel({ runId }: { runId: string }) {
  const { data: run } = useRun(runId);
  if (run === undefined) return null;
  return (
    <div className="space-y-4">
      <BackoffPanel run={run} />
      <ErrorGroups run={run} />
      <div className="grid gap-4 lg:grid-cols-2">
        <div className="min-w-0 space-y-4">
          <RunNumbers run={run} />
          <RunWaits run={run} />
          <RunOptionsPanel run={run} />
        </div>
        <div className="min-w-0 space-y-4">
          <RunModels run={run} />
          <PrepPanel run={run} />
        </div>
      </div>
    </div>
  );
}
