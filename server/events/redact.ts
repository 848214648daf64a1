import { Secret } from "@/server/shared/secret";
import { widenOverEdges } from "./redact-base64-edges";
import { FULL_MATCH_LENGTH, type SecretForm, secretForms } from "./redact-forms";
import { decodedViews, hasEscapes } from "./redact-views";
import { type FoundSecret, findSecrets } from "./secret-patterns";

/** A part of a text that must not be shown. UTF-16 offsets, end exclusive. */
export interface RedactedRange {
  start: number;
  end: number;
  /** The reference of a known secret (`env:LLM_API_KEY`), else the kind of pattern (`api-key`). */
  label: string;
}

/**
 * Takes secrets out of text before it is stored, logged or shown. First the values of the known secrets, in every
 * spelling of redact-forms.ts, then whatever looks like a credential; both also where characters are spelled as escapes
 * (redact-views.ts). Idempotent: its own marks pass unchanged.
 *
 * Known values of four or five characters are masked only as whole words, shorter ones not by value at all.
 */
export interface Redactor {
  /** The text with each secret replaced by `[redacted <label>]`. */
  text(value: string): string;
  /** The same structure with every string redacted, object keys included; a value under a telling key (`password`) is judged with its key. */
  json<T>(value: T): T;
  /** True when `text` would change it. */
  containsSecret(text: string): boolean;
  /** What `text` replaces, sorted and apart. */
  ranges(text: string): RedactedRange[];
  /** UTF-16 length of the longest spelling of a known secret, escapes aside; 0 without any. */
  readonly longestForm: number;
  /** How many characters at the end of `text` spell its last `characters`: as many, or more when some are escaped. */
  reach(text: string, characters: number): number;
}

/** Deeper JSON than this is not walked but replaced: no payload of ours nests, a hostile one could. */
const DEEPEST_JSON = 64;
/** Characters from which a text is worth remembering, and how many keys are. */
const REMEMBERED_LENGTH = 256;
const REMEMBERED_KEYS = 500;
/** Characters of one escape: `\\\\u0073` and longer. */
const LONGEST_ESCAPE = 16;
const TELLING_KEY = /pass|pwd|secret|token|key|auth|credential|密码|口令|密钥|令牌|凭证/i;

export function createRedactor(secrets: readonly Secret[]): Redactor {
  const known = new Map<string, { label: string; edges: SecretForm["edges"] }>();
  for (const { label, form } of secrets.flatMap((secret) =>
    secretForms(secret.expose()).map((form) => ({ label: secret.label, form })),
  )) {
    if (!known.has(form.text)) known.set(form.text, { label, edges: form.edges });
  }
  const forms = [...known.keys()].sort((left, right) => right.length - left.length);
  const exact = forms.length === 0 ? null : new RegExp(forms.map(patternOf).join("|"), "g");

  function findKnown(text: string): RedactedRange[] {
    const found: RedactedRange[] = [];
    if (!exact) return found;
    // Not matchAll: it makes a copy of the expression at each call, which costs more than the search.
    exact.lastIndex = 0;
    for (let match = exact.exec(text); match; match = exact.exec(text)) {
      const form = known.get(match[0]);
      const range = { start: match.index, end: exact.lastIndex };
      const { start, end } = form?.edges ? widenOverEdges(text, range.start, range.end, form.edges) : range;
      const last = found.at(-1);
      found.push({ start: last ? Math.max(start, last.end) : start, end, label: form?.label ?? "secret" });
      exact.lastIndex = end;
    }
    return found;
  }

  function ranges(text: string): RedactedRange[] {
    const byValue = findKnown(text);
    const byPattern = findSecrets(text);
    if (hasEscapes(text)) {
      for (const view of decodedViews(text)) {
        for (const { start, end, label } of findKnown(view.text)) byValue.push({ ...view.toSource(start, end), label });
        for (const { start, end, kind } of findSecrets(view.text)) byPattern.push({ ...view.toSource(start, end), kind });
      }
    } else {
      if (byPattern.length === 0) return byValue;
      if (byValue.length === 0) return byPattern.map(({ start, end, kind }) => ({ start, end, label: kind }));
    }
    return byValue.length + byPattern.length === 0 ? byValue : merge(byValue, byPattern);
  }

  function reach(text: string, characters: number): number {
    let longest = characters;
    for (const view of decodedViews(text)) {
      // The escape at the very end may not be complete yet.
      const start = Math.max(view.text.length - characters - LONGEST_ESCAPE, 0);
      longest = Math.max(longest, text.length - view.toSource(start, start + 1).start);
    }
    return longest;
  }

  // One answer passes several times (event, raw text, log): the newest long text is remembered, and so are the few keys of our payloads.
  let newest = { text: "", redacted: "" };
  const keys = new Map<string, string>();

  function redactText(value: string): string {
    if (value.length >= REMEMBERED_LENGTH && value === newest.text) return newest.redacted;
    const found = ranges(value);
    const redacted = found.length === 0 ? value : replaceRanges(value, found);
    if (value.length >= REMEMBERED_LENGTH) newest = { text: value, redacted };
    return redacted;
  }

  function redactKey(key: string): string {
    let redacted = keys.get(key);
    if (redacted === undefined) {
      redacted = redactText(key);
      if (keys.size < REMEMBERED_KEYS) keys.set(key, redacted);
    }
    return redacted;
  }

  function redactUnder(key: string, value: unknown, depth: number): unknown {
    if (typeof value !== "string" || !TELLING_KEY.test(key)) return redactValue(value, depth);
    const found = findSecrets(`"${key}": ${JSON.stringify(value)}`).at(0);
    // The key's own text could hold a secret; only one behind the key speaks of the value.
    if (found && found.start >= key.length + 4) {
      const plain = redactText(value);
      return plain === value ? mark(found.kind) : plain;
    }
    return redactText(value);
  }

  function redactValue(value: unknown, depth: number): unknown {
    if (typeof value === "string") return redactText(value);
    if (typeof value !== "object" || value === null || value instanceof Secret) return value;
    if (depth >= DEEPEST_JSON) return "[too deep]";
    if (Array.isArray(value)) return value.map((item) => redactValue(item, depth + 1));
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [redactKey(key), redactUnder(key, item, depth + 1)]));
  }

  return {
    text: redactText,
    // The walk keeps every shape and replaces strings by strings, so the type stands.
    json: <T>(value: T): T => redactValue(value, 0) as T,
    containsSecret: (text) => ranges(text).length > 0,
    ranges,
    longestForm: forms[0]?.length ?? 0,
    reach,
  };
}

export function mark(label: string): string {
  return `[redacted ${label}]`;
}

/** The text with each range replaced by its mark. `found` must be sorted and apart. */
export function replaceRanges(text: string, found: readonly RedactedRange[]): string {
  let result = "";
  let position = 0;
  for (const { start, end, label } of found) {
    result += text.slice(position, start) + mark(label);
    position = end;
  }
  return result + text.slice(position);
}

function patternOf(form: string): string {
  const literal = form.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&");
  return form.length < FULL_MATCH_LENGTH ? `(?<![A-Za-z0-9])${literal}(?![A-Za-z0-9])` : literal;
}

/** Known secrets keep their label where both found something; what a pattern found beyond them is covered as well. */
function merge(known: readonly RedactedRange[], byPattern: readonly FoundSecret[]): RedactedRange[] {
  const all = [
    ...known.map((range) => ({ ...range, known: true })),
    ...byPattern.map(({ start, end, kind }) => ({ start, end, label: kind, known: false })),
  ].sort((left, right) => left.start - right.start || Number(right.known) - Number(left.known));
  const apart: (RedactedRange & { known: boolean })[] = [];
  for (const range of all) {
    const last = apart.at(-1);
    if (!last || range.start >= last.end) {
      apart.push(range);
      continue;
    }
    last.end = Math.max(last.end, range.end);
    if (range.known && !last.known) {
      last.label = range.label;
      last.known = true;
    }
  }
  return apart.map(({ start, end, label }) => ({ start, end, label }));
}
