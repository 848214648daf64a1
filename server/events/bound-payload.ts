import { EVENT_PAYLOAD_LIMIT } from "./event.rules";

export interface BoundPayload {
  /** JSON of the payload, at most the limit in UTF-8 bytes. */
  json: string;
  /** UTF-8 bytes of the whole payload's JSON, before any cut. */
  bytes: number;
  truncated: boolean;
  /** The whole JSON when it was cut (the caller keeps it as an artifact), else null. */
  whole: string | null;
}

/** Stands at the end of every text that was cut. */
const CUT_MARK = "…";
const CUT_MARK_BYTES = 3;
const REPLACEMENT = "\ufffd";

/**
 * The payload as JSON no larger than `limitBytes` (at least 64). Long strings are cut to one common length, never
 * within a character, so that small fields stay whole; a boolean `truncated` in the payload turns true. A payload
 * that is large by the number of its fields keeps the first that fit. NUL characters and lone surrogates, which no
 * database takes, become U+FFFD. Redaction comes before this: a cut must not hide half a secret from it.
 */
export function boundPayload(payload: Readonly<Record<string, unknown>>, limitBytes: number = EVENT_PAYLOAD_LIMIT): BoundPayload {
  const whole = JSON.stringify(cleanValue(payload));
  const bytes = Buffer.byteLength(whole);
  if (bytes <= limitBytes) return { json: whole, bytes, truncated: false, whole: null };
  // Parsed from our own JSON text: a plain copy that may be changed.
  const copy = JSON.parse(whole) as Record<string, unknown>;
  if (typeof copy.truncated === "boolean") copy.truncated = true;
  const level = commonLevel(copy, limitBytes);
  const cut = JSON.stringify(level === null ? firstFields(copy, limitBytes) : cutStrings(copy, level));
  return { json: cut, bytes, truncated: true, whole };
}

/** Text that every database and every UTF-8 encoder takes: NUL and lone surrogates become U+FFFD. */
export function cleanText(text: string): string {
  return text.replace(/\0|\p{Surrogate}/gu, REPLACEMENT);
}

function cleanValue(value: unknown): unknown {
  if (typeof value === "string") return cleanText(value);
  if (typeof value !== "object" || value === null || "toJSON" in value) return value;
  if (Array.isArray(value)) return value.map(cleanValue);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [cleanText(key), cleanValue(item)]));
}

/** The longest length, in JSON bytes, that all strings may have for the whole to fit; null when even empty ones do not. */
function commonLevel(value: unknown, limitBytes: number): number | null {
  const lengths: number[] = [];
  collectStrings(value, lengths);
  const fixed = Buffer.byteLength(JSON.stringify(value)) - lengths.reduce((sum, length) => sum + length, 0);
  let budget = limitBytes - fixed;
  lengths.sort((left, right) => left - right);
  for (const [index, length] of lengths.entries()) {
    const level = Math.floor(budget / (lengths.length - index));
    if (level < CUT_MARK_BYTES) return null;
    if (length > level) return level;
    budget -= length;
  }
  return null;
}

function collectStrings(value: unknown, lengths: number[]): void {
  if (typeof value === "string") lengths.push(Buffer.byteLength(JSON.stringify(value)) - 2);
  else if (typeof value === "object" && value !== null) for (const item of Object.values(value)) collectStrings(item, lengths);
}

function cutStrings(value: unknown, level: number): unknown {
  if (typeof value === "string") return cutText(value, level);
  if (Array.isArray(value)) return value.map((item) => cutStrings(item, level));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, cutStrings(item, level)]));
}

/** The beginning of the text that, with the mark, takes at most `limitBytes` inside a JSON string. */
function cutText(text: string, limitBytes: number): string {
  let used = 0;
  let fits = 0;
  for (let index = 0; index < text.length; ) {
    const code = text.codePointAt(index) ?? 0;
    used += jsonBytes(code);
    if (used > limitBytes) return text.slice(0, fits) + CUT_MARK;
    index += code > 0xffff ? 2 : 1;
    if (used <= limitBytes - CUT_MARK_BYTES) fits = index;
  }
  return text;
}

function jsonBytes(code: number): number {
  if (code < 0x20) return code === 0x08 || code === 0x09 || code === 0x0a || code === 0x0c || code === 0x0d ? 2 : 6;
  if (code === 0x22 || code === 0x5c) return 2;
  if (code < 0x80) return 1;
  if (code < 0x800) return 2;
  return code < 0x10000 ? 3 : 4;
}

function firstFields(payload: Record<string, unknown>, limitBytes: number): Record<string, unknown> {
  const kept: [string, unknown][] = [];
  let used = 2;
  for (const [key, value] of Object.entries(payload)) {
    const field = Buffer.byteLength(JSON.stringify({ [key]: value })) - 1;
    if (used + field > limitBytes) continue;
    kept.push([key, value]);
    used += field;
  }
  return Object.fromEntries(kept);
}
