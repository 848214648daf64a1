/** An answer that was made elsewhere (a provider's batch, another machine) and came back into a run. Nobody here asked for it. */

/** Begins the owner of its attempt, where that of others names the worker that asked. */
export const ADOPTION_OWNER = "adp_";

/** The name of its backend or model when nobody told one. */
export const UNTOLD_NAME = "unknown";

/** Whose answers may still come in: all but runs that were stopped for good. */
export const ADOPTING_STATUSES = ["queued", "running", "paused", "incomplete", "failed", "completed"] as const;

/** The same for answers of a batch job of this run, which are paid for: they are taken also where the run was cancelled meanwhile. */
export function adoptingStatuses(job: string | null): readonly string[] {
  return job === null ? ADOPTING_STATUSES : [...ADOPTING_STATUSES, "cancelled"];
}

/** Answers of one call: what is read, judged and written at once. */
export const MOST_ANSWERS = 1_000;

/** Characters of where an answer came from: a file's name and a line. */
export const LONGEST_SOURCE = 400;

const FINISH_REASONS: ReadonlyMap<string, string> = new Map([
  ["end_turn", "stop"],
  ["stop_sequence", "stop"],
  ["eos", "stop"],
  ["completed", "stop"],
  ["max_tokens", "length"],
  ["max_output_tokens", "length"],
  ["model_context_window_exceeded", "length"],
  ["refusal", "content_filter"],
]);

/** Why a model stopped, in this product's words: `length` is an answer that was cut. What is not known stays as it was told. */
export function finishReasonOf(told: string): string {
  return FINISH_REASONS.get(told) ?? told;
}

export function isAdopted(attempt: { owner: string }): boolean {
  return attempt.owner.startsWith(ADOPTION_OWNER);
}
