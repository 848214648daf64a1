import { jsonFields } from "@/components/json-fields";
import { NORMALIZATION_STEPS, type NormalizationStepName } from "@/server/artifacts/normalization.rules";

/** What the steps tell of themselves, as far as there are words for it. */
export const LEDGER_DETAILS = [
  "characters",
  "finishReason",
  "blocks",
  "form",
  "marks",
  "times",
  "candidates",
  "start",
  "end",
  "around",
  "entries",
  "dialect",
  "errors",
  "reason",
  "quotes",
  "escapes",
  "commas",
  "comments",
  "constants",
  "punctuation",
  "structure",
] as const;
export type LedgerDetail = (typeof LEDGER_DETAILS)[number];

/** Details that are told in a word of ours instead of a number or of what a provider said. */
const IN_OUR_WORDS: ReadonlySet<LedgerDetail | null> = new Set(["form", "dialect", "reason"]);
export const LEDGER_VALUES = [
  "closed",
  "orphan",
  "unclosed",
  "channel",
  "keys",
  "draft-07",
  "2020-12",
  "cut_off",
  "too_large",
  "too_deep",
  "value_missing",
  "left_out",
  "unreadable",
] as const;
export type LedgerValue = (typeof LEDGER_VALUES)[number];

export interface LedgerLine {
  /** Null for a step of a newer Switchyard, which has no words here. */
  step: NormalizationStepName | null;
  name: string;
  outcome: "passed" | "changed" | "failed";
  /** What a newer Switchyard tells stays in its own words: `word` is null then. */
  detail: readonly { word: LedgerDetail | null; name: string; value: string | number }[];
}

export interface LedgerView {
  lines: LedgerLine[];
  errors: string[];
}

/** The word of ours that a detail is told in; null for numbers, what a provider said and words of a newer Switchyard. */
export function valueWordOf(word: LedgerDetail | null, value: string | number): LedgerValue | null {
  return IN_OUR_WORDS.has(word) ? (LEDGER_VALUES.find((each) => each === value) ?? null) : null;
}

/** The ledger in a result artifact's body; null in one from before there were ledgers, or of an attempt without an answer. */
export function ledgerOf(resultBody: string): LedgerView | null {
  let body: unknown;
  try {
    body = JSON.parse(resultBody);
  } catch {
    return null;
  }
  const { steps, errors } = jsonFields(jsonFields(body).normalization);
  if (!Array.isArray(steps)) return null;
  return {
    lines: steps.map(lineOf),
    errors: Array.isArray(errors) ? errors.filter((error) => typeof error === "string") : [],
  };
}

function lineOf(value: unknown): LedgerLine {
  const { step, outcome, detail } = jsonFields(value);
  const name = typeof step === "string" ? step : "";
  return {
    step: NORMALIZATION_STEPS.find((each) => each === name) ?? null,
    name,
    outcome: outcome === "changed" || outcome === "failed" ? outcome : "passed",
    detail: Object.entries(jsonFields(detail)).flatMap(([key, each]) =>
      typeof each === "number" || typeof each === "string"
        ? [{ word: LEDGER_DETAILS.find((word) => word === key) ?? null, name: key, value: each }]
        : [],
    ),
  };
}
