import { DEFAULT_CHUNK_TOKENS, MAX_CHUNK_TOKENS, MIN_CHUNK_TOKENS } from "@/server/pipeline/chunk-limits.rules";

/** Largest text of one run, in UTF-8 bytes. */
export const MAX_RUN_BYTES = 20 * 1024 * 1024;

/** Everything about execution that a run may set: whole numbers, their range, and what the product does without a word. */
export const RUN_OPTIONS = {
  /** Counted failures a chunk may have before it is failed for good. */
  maxAttempts: { min: 1, max: 20, usual: 3 },
  /** Requests of this run at once. */
  concurrency: { min: 1, max: 256, usual: 8 },
  /** First wait after a failure; doubles, with jitter, up to `maxBackoffMs`. */
  backoffMs: { min: 0, max: 600_000, usual: 1_000 },
  maxBackoffMs: { min: 0, max: 3_600_000, usual: 60_000 },
  timeoutMs: { min: 100, max: 3_600_000, usual: 120_000 },
  chunkTokens: { min: MIN_CHUNK_TOKENS, max: MAX_CHUNK_TOKENS, usual: DEFAULT_CHUNK_TOKENS },
  /** 1: an invalid answer goes back to the model once, with what is wrong with it. A further request, so not without a word. */
  repairRounds: { min: 0, max: 1, usual: 0 },
  /** The most tokens an answer may have, thinking included where the runtime counts it; 0: as the runtime does without a word. */
  maxTokens: { min: 0, max: 1_000_000, usual: 0 },
} as const satisfies Record<string, { min: number; max: number; usual: number }>;
export type RunOptions = Record<keyof typeof RUN_OPTIONS, number>;

export const RUN_OPTION_DEFAULTS: RunOptions = {
  maxAttempts: RUN_OPTIONS.maxAttempts.usual,
  concurrency: RUN_OPTIONS.concurrency.usual,
  backoffMs: RUN_OPTIONS.backoffMs.usual,
  maxBackoffMs: RUN_OPTIONS.maxBackoffMs.usual,
  timeoutMs: RUN_OPTIONS.timeoutMs.usual,
  chunkTokens: RUN_OPTIONS.chunkTokens.usual,
  repairRounds: RUN_OPTIONS.repairRounds.usual,
  maxTokens: RUN_OPTIONS.maxTokens.usual,
};

/** What lists of chunks can be filtered by beside the status: marks of the newest answer. */
export const ANSWER_MARKS = ["repaired", "truncated"] as const;
export type AnswerMark = (typeof ANSWER_MARKS)[number];

/** Characters. */
export const LONGEST_DOCUMENT_NAME = 255;

/** No folders, no control characters. */
export function isPlainFileName(name: string): boolean {
  return !/[/\\]|\p{Cc}/u.test(name) && name !== "." && name !== "..";
}

/** Whether a document may have this name; blanks around it do not count. */
export function isDocumentName(name: string): boolean {
  const trimmed = name.trim();
  return trimmed !== "" && trimmed.length <= LONGEST_DOCUMENT_NAME && isPlainFileName(trimmed);
}

/** Characters of a message that tell groups apart. */
const LONGEST_GROUP_KEY = 300;

/** What makes two failures one group. Numbers and ids differ between failures of one cause. */
export function errorGroupKey(failure: { failureKind: string | null; errorMessage: string | null }): string {
  return JSON.stringify([
    failure.failureKind,
    (failure.errorMessage ?? "").replace(/[0-9a-f]{8,}|\d+/gi, "#").slice(0, LONGEST_GROUP_KEY),
  ]);
}
