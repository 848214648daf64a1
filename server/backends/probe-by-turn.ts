/** A probe that is a turn: one tiny answer, which a wrong key, an empty account or an unknown model does not get. */
import { BackendError, type ProbeResult, type Turn, type TurnResult, type TurnSink } from "./backend";
import { healthOfFailure } from "./health-of-failure";
import type { ProviderAccess } from "./provider-access";

/** `tokens`: what the answer may cost at most; `run` sends the turn. Throws only when aborted, and what is no `BackendError`. */
export async function probeByTurn(
  { access, model, tokens, timeoutMs }: { access: ProviderAccess; model: string; tokens: number; timeoutMs: number },
  run: (turn: Turn, sink: TurnSink, signal: AbortSignal) => Promise<TurnResult>,
  signal: AbortSignal,
): Promise<ProbeResult> {
  const startedAt = performance.now();
  const done = (state: ProbeResult["state"], reason: string): ProbeResult => ({
    state,
    reason,
    latencyMs: Math.max(0, performance.now() - startedAt),
  });
  const turn: Turn = {
    ...access,
    requestId: "probe",
    model,
    system: "",
    user: "Reply with the word OK.",
    expect: { format: "json", schema: {} },
    generation: { maxTokens: tokens },
    timeoutMs,
  };
  try {
    await run(turn, { event: () => undefined, progress: () => undefined }, signal);
    return done("healthy", "");
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof BackendError)) throw error;
    const { state, reason } = healthOfFailure(error);
    return done(state, reason);
  }
}
