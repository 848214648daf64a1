/** What the last finished attempts of a provider show, and its capability checks beside them. Pure. */
import { failureKindSchema } from "@/server/artifacts/failure-kind.schema";
import type { BackendCapabilities } from "@/server/backends/backend";
import type { Capability } from "@/server/backends/capability.rules";
import { isoTime } from "@/server/shared/clock";
import type { BackendProvider, Evidence } from "./backend-view.schema";
import type { CapabilityRecord } from "./capability-checks.store";
import type { FinishedAttempt } from "./provider-stats.store";

type Figures = Pick<BackendProvider, "latency" | "outcomes" | "lastSeen" | "evidence" | "capabilityChecks">;

/** Both lists newest first. Latencies are those of answers: a refusal in a millisecond says nothing of speed. */
export function providerFigures(
  finished: readonly FinishedAttempt[],
  declared: BackendCapabilities,
  checks: readonly CapabilityRecord[],
): Figures {
  const succeeded = finished.filter(({ status }) => status === "succeeded");
  const durations = succeeded.flatMap(({ startedAt, endedAt }) => (startedAt === null ? [] : [Math.max(0, endedAt - startedAt)]));
  const firstTokens = succeeded.flatMap(({ startedAt, firstTokenAt }) =>
    startedAt === null || firstTokenAt === null ? [] : [Math.max(0, firstTokenAt - startedAt)],
  );
  const [newest] = finished;
  const [lastAnswer] = succeeded;
  const [check] = checks;
  const evidence = (capability: Capability, isShown: ((attempt: FinishedAttempt) => boolean) | null): Evidence => {
    const shown = isShown === null ? undefined : succeeded.find(isShown);
    const seen = shown ?? (isShown === null ? undefined : lastAnswer);
    return {
      declared: declared[capability],
      checked: check ? { ...check.findings[capability], at: isoTime(check.checkedAt), model: check.model } : null,
      lastSeen: seen
        ? {
            outcome: shown ? "works" : "failed",
            at: isoTime(seen.endedAt),
            runId: seen.runId,
            chunk: seen.chunkIndex,
            model: seen.model,
          }
        : null,
    };
  };
  return {
    latency: {
      p50: percentile(durations, 0.5),
      p95: percentile(durations, 0.95),
      firstTokenP50: percentile(firstTokens, 0.5),
      sample: durations.length,
    },
    outcomes: { succeeded: succeeded.length, failed: finished.filter(({ status }) => status === "failed").length },
    lastSeen: newest
      ? {
          at: isoTime(newest.endedAt),
          runId: newest.runId,
          chunk: newest.chunkIndex,
          model: newest.model,
          servedModel: newest.servedModel,
          ok: newest.status === "succeeded",
          failureKind: newest.failureKind === null ? null : failureKindSchema.parse(newest.failureKind),
        }
      : null,
    evidence: {
      streaming: evidence("streaming", ({ firstTokenAt }) => firstTokenAt !== null),
      usage: evidence("usage", ({ tokensReported }) => tokensReported),
      // An answer does not tell whether its form was asked for, nor a cancelled one whether the work ended upstream.
      structuredOutput: evidence("structuredOutput", null),
      cancel: evidence("cancel", null),
    },
    capabilityChecks: checks.map(({ model, findings, checkedAt }) => ({ model, at: isoTime(checkedAt), findings })),
  };
}

/** Nearest rank; null of nothing. */
export function percentile(values: readonly number[], rank: number): number | null {
  if (values.length === 0) return null;
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(rank * sorted.length) - 1)] ?? null;
}
