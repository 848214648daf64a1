/** The one path from a model's text to the object that a request expects; every step is written down. */
import type { Normalization } from "@/server/artifacts/normalization.schema";
import { type AnswerCheck, answerCheckOf } from "./answer-schema";
import { isObject, nameOf } from "./normalize/check-keys";
import { findJson, type JsonSpan } from "./normalize/find-json";
import { findRepeatedKey, parseJson } from "./normalize/json-text";
import { Ledger } from "./normalize/ledger";
import { REPAIR_LIMIT, repairJson } from "./normalize/repair-json";
import { stripMarks, stripThinking, unwrapFence } from "./normalize/strip-text";

export type OutputProblem = "empty" | "no_json" | "broken" | "cut_off" | "ambiguous" | "wrong_shape" | "bad_schema";

export type NormalizedOutput =
  | { ok: true; output: Record<string, unknown>; ledger: Normalization }
  /** `reason` is a sentence for the operator; `problem` says the same in a word. */
  | { ok: false; reason: string; problem: OutputProblem; ledger: Normalization };

export interface Expectation {
  /** Keys and their kinds, or a JSON Schema: see `answerCheckOf`. */
  schema: Record<string, unknown>;
  /** Why the model stopped; `length` makes any text a truncated one. */
  finishReason?: string | undefined;
}

export const CUT_AT_LIMIT =
  "The answer was cut at the model's output limit; retry with a larger one, with smaller chunks or with another model.";

/** A text this often encoded as a JSON string is no accident any more. */
const DECODE_LIMIT = 3;
/** An object whose quotes are all escaped, as if it stood in a string. */
const ESCAPED_JSON = /^[[{]\s{0,8}(?:\{\s{0,8})?\\"/;

/**
 * Reads the answer out of a model's text. Never throws; time is linear in the text, up to a bounded part for the repair.
 *
 * A text that is JSON is taken as it stands, whatever its strings hold. Else, in this order: a code fence around it, thinking and
 * control marks are taken away, JSON within a JSON string is decoded, and of the objects in the text the last that fits is
 * taken, each read strictly first and repaired when that fails. A repair guesses commas, quotes and brackets, never a
 * value. A text that ends before its JSON does is `truncated` and a failure, also where a repair could close it: what is
 * missing cannot be known. So are two objects side by side, and an object that has a key twice.
 *
 * A bare array of objects (or `[]`) is wrapped when the request expects exactly one key and that is an array, since it can mean
 * nothing else. Any other array is refused.
 */
export function normalizeOutput(rawText: string, expect: Expectation): NormalizedOutput {
  const ledger = new Ledger();
  const text = rawText.trim();
  ledger.add("received", "passed", {
    characters: rawText.length,
    ...(expect.finishReason === undefined ? {} : { finishReason: expect.finishReason.slice(0, 40) }),
  });
  const made = answerCheckOf(expect.schema);
  if ("problem" in made) return refuse(ledger.add("schema", "failed"), "bad_schema", made.problem);
  if (expect.finishReason === "length") return cutOff(ledger, CUT_AT_LIMIT);
  return new Reading(expect.schema, made.check).read(text, ledger);
}

interface Attempted {
  result: NormalizedOutput;
  /** Nobody could read it, so that it is not known what it says. */
  isUnreadable: boolean;
}

class Reading {
  readonly #schema: Readonly<Record<string, unknown>>;
  readonly #check: AnswerCheck;
  /** Characters that may still be repaired. */
  #repairs = REPAIR_LIMIT;

  constructor(schema: Readonly<Record<string, unknown>>, check: AnswerCheck) {
    this.#schema = schema;
    this.#check = check;
  }

  read(text: string, ledger: Ledger): NormalizedOutput {
    if (text === "") return refuse(ledger, "empty", "The model answered with nothing.");
    const whole = this.#whole(text, ledger);
    if (whole) return whole;
    const thinking = stripThinking(text);
    if (thinking)
      ledger.add("thinking", "changed", {
        blocks: thinking.blocks,
        form: thinking.form,
        characters: text.length - thinking.text.length,
      });
    const marks = stripMarks(thinking?.text ?? text);
    const spoken = marks?.text ?? thinking?.text ?? text;
    if (marks) ledger.add("residue", "changed", { marks: marks.count });
    if (spoken === "")
      return refuse(ledger, "empty", thinking ? "The model thought and gave no answer." : "The model answered with nothing.");
    return (
      (spoken === text ? null : this.#whole(spoken, ledger)) ?? this.#unescaped(spoken, ledger) ?? this.#parts(spoken, ledger)
    );
  }

  /** The text, or what a fence around it holds, as JSON. */
  #whole(text: string, ledger: Ledger): NormalizedOutput | null {
    const value = parseJson(text);
    if (value !== undefined) return this.#accept(value, text, ledger.add("parse", "passed"));
    const fenced = unwrapFence(text);
    const inner = fenced === null ? undefined : parseJson(fenced);
    if (fenced === null || inner === undefined) return null;
    return this.#accept(inner, fenced, ledger.add("fence", "changed").add("parse", "passed"));
  }

  #unescaped(text: string, ledger: Ledger): NormalizedOutput | null {
    const inner = unwrapFence(text) ?? text;
    if (!ESCAPED_JSON.test(inner)) return null;
    const decoded = parseJson(`"${inner.replaceAll("\n", "\\n").replaceAll("\r", "\\r").replaceAll("\t", "\\t")}"`);
    const value = typeof decoded === "string" ? parseJson(decoded) : undefined;
    if (typeof decoded !== "string" || value === undefined) return null;
    return this.#accept(value, decoded, ledger.add("decode", "changed", { times: 1 }).add("parse", "passed"));
  }

  /** Of the objects in the text the last that fits. */
  #parts(text: string, ledger: Ledger): NormalizedOutput {
    const { spans, count, isCutOff } = findJson(text);
    if (isCutOff) return cutOff(ledger, "The JSON in the answer is cut off before its end.");
    if (spans.length === 0) return refuse(ledger.add("parse", "failed"), "no_json", "The answer holds no JSON.");
    let failure: NormalizedOutput | undefined;
    let accepted: NormalizedOutput | undefined;
    let after: JsonSpan | undefined;
    for (const span of spans.toReversed()) {
      const isBeside =
        after !== undefined &&
        /^[\s,;]*$/.test(text.slice(span.end, after.start)) &&
        text.slice(span.start, span.end) !== text.slice(after.start, after.end);
      if (accepted) {
        if (isBeside) return ambiguous(ledger);
        break;
      }
      const branch = ledger.branch();
      if (span.start > 0 || span.end < text.length)
        branch.add("extract", "changed", {
          candidates: count,
          start: span.start,
          end: span.end,
          around: text.length - (span.end - span.start),
        });
      const { result, isUnreadable } = this.#part(text, span, branch, after !== undefined);
      // A later object that cannot be read may be the answer; an earlier one, a draft.
      if (isUnreadable) return result;
      if (result.ok) {
        if (isBeside) return ambiguous(ledger);
        accepted = result;
      } else failure ??= result;
      after = span;
    }
    return accepted ?? failure ?? refuse(ledger.add("parse", "failed"), "no_json", "The answer holds no JSON.");
  }

  #part(text: string, span: JsonSpan, ledger: Ledger, isFollowed: boolean): Attempted {
    const written = text.slice(span.start, span.end);
    const value = span.isGuessed ? undefined : parseJson(written);
    if (value !== undefined) return { result: this.#accept(value, written, ledger.add("parse", "passed")), isUnreadable: false };
    ledger.add("parse", "failed");
    const broken = (refusal: string): Attempted => ({
      result: refuse(ledger.add("repair", "failed", { reason: refusal }), "broken", BROKEN[refusal] ?? BROKEN_OTHERWISE),
      isUnreadable: true,
    });
    // Where brackets do not pair, what follows may still belong to it.
    if (span.isGuessed && (isFollowed || /^[\s\]}]*,/.test(text.slice(span.end)))) return broken("unreadable");
    if (written.length > this.#repairs) return broken("too_large");
    this.#repairs -= written.length;
    const repaired = repairJson(written);
    if (!repaired.ok) return broken(repaired.refusal);
    ledger.repaired = true;
    ledger.add("repair", "changed", { characters: written.length, ...repaired.edits });
    return { result: this.#accept(repaired.value, repaired.text, ledger), isUnreadable: false };
  }

  #accept(value: unknown, source: string, ledger: Ledger): NormalizedOutput {
    const shape = (reason: string, ...more: string[]) => refuse(ledger, "wrong_shape", reason, more);
    let current = value;
    let written = source;
    let times = 0;
    for (; typeof current === "string"; times++) {
      const trimmed = current.trim();
      written = unwrapFence(trimmed) ?? trimmed;
      const inner = times < DECODE_LIMIT ? parseJson(written) : undefined;
      if (inner === undefined) return shape("The answer is a JSON string, not an object.");
      current = inner;
    }
    if (times > 0) ledger.add("decode", "changed", { times });
    const repeated = findRepeatedKey(written);
    if (repeated !== null) {
      ledger.add("keys", "failed");
      return shape(`The key “${repeated}” stands twice in one object of the answer.`);
    }
    if (Array.isArray(current)) {
      const key = onlyArrayKey(this.#schema);
      if (key === null || !current.every(isObject)) return shape("The answer is a JSON array, not an object.");
      ledger.add("wrap", "changed", { entries: current.length });
      current = { [key]: current };
    }
    if (!isObject(current)) return shape(`The answer is ${nameOf(current)}, not an object.`);
    const [misfit, ...others] = this.#check.misfits(current, written.length);
    const { dialect } = this.#check;
    if (misfit !== undefined) {
      ledger.add("schema", "failed", { dialect, errors: others.length + 1 });
      return shape(misfit, ...others);
    }
    ledger.add("schema", "passed", { dialect });
    return { ok: true, output: current, ledger: ledger.close() };
  }
}

const BROKEN_OTHERWISE = "The JSON in the answer is broken and could not be repaired.";
const BROKEN: Readonly<Record<string, string>> = {
  too_large: `The JSON in the answer is broken and longer than the ${REPAIR_LIMIT} characters that are repaired.`,
  too_deep: "The JSON in the answer is broken and nests too deep to be repaired.",
  value_missing: "The JSON in the answer lacks a value, which is not made up.",
  left_out: "The answer leaves a part of its JSON out (“...”), which is not made up.",
};

function onlyArrayKey(schema: Readonly<Record<string, unknown>>): string | null {
  const [only, ...others] = Object.entries(schema);
  return only && others.length === 0 && only[1] === "array" ? only[0] : null;
}

function ambiguous(ledger: Ledger): NormalizedOutput {
  return refuse(ledger.add("extract", "failed"), "ambiguous", "The answer holds two different JSON answers side by side.");
}

function cutOff(ledger: Ledger, reason: string): NormalizedOutput {
  ledger.truncated = true;
  return refuse(ledger.add("parse", "failed", { reason: "cut_off" }), "cut_off", reason);
}

function refuse(ledger: Ledger, problem: OutputProblem, reason: string, more: readonly string[] = []): NormalizedOutput {
  return { ok: false, problem, reason, ledger: ledger.close([reason, ...more]) };
}
