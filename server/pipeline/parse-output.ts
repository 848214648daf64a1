/** From a model's text to the object the request expects, in steps that are named, so that a page can show what was done. */
import { findJsonCandidates, findRepeatedKey, isNestedDeeper } from "./parse-output-scan";

export type ParsedOutput =
  | { ok: true; output: Record<string, unknown>; steps: string[] }
  /** `reason` is a sentence for the operator; `problem` says the same in a word. */
  | { ok: false; reason: string; steps: string[]; problem: "empty" | "no_json" | "cut_off" | "ambiguous" | "wrong_shape" };

export interface Expectation {
  /** Key to "array", "object", "string", "number" or "boolean". Other values are not checked beyond being present. */
  schema: Record<string, unknown>;
}

type Failure = Extract<ParsedOutput, { ok: false }>;

/** A text this often encoded as a JSON string is no accident any more. */
const DECODE_LIMIT = 3;
/** Levels of an answer. No answer nests like that, and a million brackets keep `JSON.parse` busy for half a second. */
const DEEPEST_ANSWER = 1000;
/** In a shorter text even brackets alone cost nothing. */
const DEPTH_COUNTS_FROM = 32 * 1024;

/**
 * Reads the answer out of a model's text. Never throws; time is linear in the text.
 *
 * A text that is JSON is taken as it stands. Else, in this order: a code fence around it, thinking (`<think>…</think>`, also without
 * its opening or closing tag) is taken away, and of the complete objects in the text the last that fits is taken. JSON is never
 * repaired: a cut-off answer is a failure, since what is missing cannot be known, as are two fitting answers side by side and
 * an object that has a key twice.
 *
 * A bare array of objects (or `[]`) is wrapped when the request expects exactly one key and that is an array, since it can mean
 * nothing else; the step says so. Any other array is refused.
 */
export function parseOutput(rawText: string, expect: Expectation): ParsedOutput {
  const steps: string[] = [];
  const text = rawText.trim();
  if (text === "") return fail("empty", "The model answered with nothing.", steps);
  const whole = parseJson(text);
  if (whole !== undefined) return accept(whole, text, expect, steps);

  const fenced = unwrapFence(text);
  if (fenced !== null) {
    const inner = parseJson(fenced);
    if (inner !== undefined) return accept(inner, fenced, expect, [...steps, "unwrapped a code fence"]);
  }

  const spoken = withoutThinking(text, steps);
  if (spoken === "") return fail("empty", "The model thought and gave no answer.", steps);
  if (spoken !== text) {
    const rest = parseJson(spoken);
    if (rest !== undefined) return accept(rest, spoken, expect, steps);
    const inner = unwrapFence(spoken);
    const value = inner === null ? undefined : parseJson(inner);
    if (inner !== null && value !== undefined) return accept(value, inner, expect, [...steps, "unwrapped a code fence"]);
  }
  return fromCandidates(spoken, expect, steps);
}

function fromCandidates(text: string, expect: Expectation, steps: string[]): ParsedOutput {
  const { candidates, isCutOff } = findJsonCandidates(text);
  if (isCutOff) return fail("cut_off", "The JSON in the answer is cut off before its end.", steps);
  let failure: Failure | undefined;
  let accepted: { result: ParsedOutput; start: number; text: string } | undefined;
  for (const { start, end } of candidates.toReversed()) {
    const candidate = text.slice(start, end);
    const value = parseJson(candidate);
    if (value === undefined) continue;
    const result = accept(value, candidate, expect, [...steps, "took the JSON out of the text around it"]);
    if (accepted) {
      const isBeside = /^[\s,;]*$/.test(text.slice(end, accepted.start));
      if (!result.ok || !isBeside || candidate === accepted.text) break;
      return fail("ambiguous", "The answer holds two different JSON answers side by side.", steps);
    }
    if (result.ok) accepted = { result, start, text: candidate };
    else failure ??= result;
  }
  return accepted?.result ?? failure ?? fail("no_json", "The answer holds no JSON.", steps);
}

/** `undefined` when the text is not JSON or nests too deep; JSON itself has no undefined. */
function parseJson(text: string): unknown {
  if (text.length >= DEPTH_COUNTS_FROM && isNestedDeeper(text, DEEPEST_ANSWER)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function accept(value: unknown, source: string, expect: Expectation, before: readonly string[]): ParsedOutput {
  const steps = [...before];
  let current = value;
  let written = source;
  for (let round = 0; typeof current === "string"; round++) {
    written = current.trim();
    const inner = round < DECODE_LIMIT ? parseJson(unwrapFence(written) ?? written) : undefined;
    if (inner === undefined) return fail("wrong_shape", "The answer is a JSON string, not an object.", steps);
    written = unwrapFence(written) ?? written;
    steps.push("decoded JSON inside a JSON string");
    current = inner;
  }
  const repeated = findRepeatedKey(written);
  if (repeated !== null) return fail("wrong_shape", `The key “${repeated}” stands twice in one object of the answer.`, steps);
  if (Array.isArray(current)) {
    const key = onlyArrayKey(expect);
    if (key === null || !current.every(isObject)) return fail("wrong_shape", "The answer is a JSON array, not an object.", steps);
    steps.push(`wrapped a bare array as “${key}”`);
    return { ok: true, output: { [key]: current }, steps };
  }
  if (!isObject(current)) return fail("wrong_shape", `The answer is ${nameOf(current)}, not an object.`, steps);
  const misfit = findMisfit(current, expect);
  return misfit === null ? { ok: true, output: current, steps } : fail("wrong_shape", misfit, steps);
}

function onlyArrayKey({ schema }: Expectation): string | null {
  const [only, ...others] = Object.entries(schema);
  return only && others.length === 0 && only[1] === "array" ? only[0] : null;
}

const KINDS = new Set(["array", "object", "string", "number", "boolean"]);

function findMisfit(output: Record<string, unknown>, { schema }: Expectation): string | null {
  for (const [key, kind] of Object.entries(schema)) {
    if (!Object.hasOwn(output, key)) {
      const keys = Object.keys(output).slice(0, 8);
      return `“${key}” is missing from the answer${keys.length > 0 ? `, which has ${keys.map((name) => `“${name.slice(0, 40)}”`).join(", ")}` : ""}.`;
    }
    if (typeof kind === "string" && KINDS.has(kind) && kindOf(output[key]) !== kind)
      return `“${key}” is ${nameOf(output[key])} where ${withArticle(kind)} is expected.`;
  }
  return null;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function kindOf(value: unknown): string {
  return value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
}

function nameOf(value: unknown): string {
  return value === null ? "null" : withArticle(kindOf(value));
}

function withArticle(kind: string): string {
  return /^[ao]/.test(kind) ? `an ${kind}` : `a ${kind}`;
}

function fail(problem: Failure["problem"], reason: string, steps: string[]): Failure {
  return { ok: false, reason, steps, problem };
}

/** The inside of a fence that is the whole text; the closing mark may be missing, a model stops there at times. */
function unwrapFence(text: string): string | null {
  if (!text.startsWith("```")) return null;
  const lineEnd = text.indexOf("\n");
  if (lineEnd < 0) return null;
  const close = text.endsWith("```") ? text.length - 3 : text.length;
  return close > lineEnd ? text.slice(lineEnd + 1, close).trim() : null;
}

const THINK_TAG = /<(\/?)(?:think|thinking|thought|reasoning)>/gi;

/** Takes away what stands between thinking tags; before a lone closing tag and after a lone opening one everything is thinking. */
function withoutThinking(text: string, steps: string[]): string {
  const parts: string[] = [];
  let depth = 0;
  let position = 0;
  let isFound = false;
  for (const match of text.matchAll(THINK_TAG)) {
    isFound = true;
    const isClosing = match[1] === "/";
    if (!isClosing) {
      if (depth === 0) parts.push(text.slice(position, match.index));
      depth++;
    } else {
      if (depth === 0) parts.length = 0;
      depth = Math.max(0, depth - 1);
    }
    position = match.index + match[0].length;
  }
  if (!isFound) return text;
  if (depth === 0) parts.push(text.slice(position));
  steps.push("removed thinking");
  return parts.join("").trim();
}
