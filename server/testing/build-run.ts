import type { RunOptions } from "@/server/runs/run.rules";
import { type DistillOrder, distillOrderSchema } from "@/server/runs/run.schema";

/** Short waits and enough slots: a test that is about waiting says its own. */
const QUICK = { backoffMs: 1, maxBackoffMs: 5, concurrency: 8 } satisfies Partial<RunOptions>;

export interface RunRecipe {
  /** One document, and so one chunk, an entry; what it says beside its own sentence (marks of the mock, mostly). */
  chunks: readonly string[];
  /** Instead of a backend; without either it is the mock. */
  scene?: string;
  backend?: string;
  model?: string;
  name?: string;
  sourceDate?: string;
  options?: Partial<RunOptions>;
}

/** Words, not numbers: texts that differ in a number alone pass for repetitions. */
function wordOf(index: number): string {
  return Array.from(String(index), (digit) => "abcdefghij".charAt(Number(digit))).join("");
}

/** The sentence that makes the text of chunk `index` (from 1) its own. */
export function sentenceOf(index: number): string {
  return `We decided to move the ${wordOf(index)} register to the ${wordOf(index)} shelf because the old place was damp.`;
}

/** An order with exactly as many chunks as the recipe has entries, valid by the real schema. */
export function buildRun(recipe: RunRecipe): DistillOrder {
  const { chunks, backend, sourceDate = "2026-04-19", options, ...rest } = recipe;
  return distillOrderSchema.parse({
    ...rest,
    ...(rest.scene === undefined ? { backend: backend ?? "mock" } : {}),
    sourceDate,
    documents: chunks.map((more, at) => ({ name: `note-${wordOf(at + 1)}.md`, text: `${sentenceOf(at + 1)} ${more}\n` })),
    options: { ...QUICK, ...options },
  });
}
