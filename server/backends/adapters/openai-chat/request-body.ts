import type { Turn } from "@/server/backends/backend";
import { hasFixedSampling } from "@/server/backends/http/fixed-sampling";

/** Hosts that take the limit as `max_completion_tokens` and deprecate or refuse `max_tokens`; everyone else knows the old name. */
const NEW_LIMIT_NAME = /(?:^|\.)(?:api\.openai\.com|api\.minimax\.io|api\.minimaxi\.com)$/;

/** The host that answers 400 to sampling where a model takes none; the others pass it on, or over. */
const STRICT_ABOUT_SAMPLING = /(?:^|\.)api\.openai\.com$/;

/**
 * The body of one chat completion. Fields that were not asked for are left out: servers refuse what they do not
 * know. `stream_options` alone is always sent, since usage is not reported in a stream without it.
 */
export function requestBody(turn: Turn): Record<string, unknown> {
  const { temperature, topP, maxTokens, stopSequences, seed } = turn.generation;
  const host = turn.baseUrl === null ? "" : new URL(turn.baseUrl).hostname;
  const hasSampling = !(STRICT_ABOUT_SAMPLING.test(host) && hasFixedSampling(turn.model));
  const messages = [{ role: "user", content: turn.user }];
  if (turn.system !== "") messages.unshift({ role: "system", content: turn.system });
  return {
    model: turn.model,
    messages,
    stream: true,
    stream_options: { include_usage: true },
    ...(hasSampling && temperature !== undefined ? { temperature } : {}),
    ...(hasSampling && topP !== undefined ? { top_p: topP } : {}),
    ...(maxTokens === undefined ? {} : { [NEW_LIMIT_NAME.test(host) ? "max_completion_tokens" : "max_tokens"]: maxTokens }),
    ...(stopSequences === undefined || stopSequences.length === 0 ? {} : { stop: stopSequences }),
    ...(seed === undefined ? {} : { seed }),
  };
}
