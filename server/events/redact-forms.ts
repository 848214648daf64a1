/** Every spelling a known secret value can take in a log: escaped, encoded, or as a part of a longer base64 text. */

import { type Base64Edges, base64EdgesOf } from "./redact-base64-edges";

/** A value shorter than this is masked only where it stands alone: as a substring it would mask ordinary words. */
export const FULL_MATCH_LENGTH = 6;
/** A value shorter than this is not masked by value at all ("abc" is everywhere); labels before it still mask it. */
export const SHORTEST_SECRET = 4;
/** Base64 cores shorter than this would meet ordinary text by chance. */
const SHORTEST_CORE = 8;
/** Lines of a multi-line secret (a key file) count as secrets of their own from here on. */
const SHORTEST_LINE = 16;

/** One spelling of a secret. Around a base64 core stand characters that hold bits of the secret too. */
export interface SecretForm {
  text: string;
  edges: Base64Edges | null;
}

/** Spellings of one secret, longest first; the plain value is among them. Values under six characters have the plain one only. */
export function secretForms(value: string): SecretForm[] {
  const forms: Forms = new Map([[value, null]]);
  const trimmed = value.trim();
  if (trimmed.length >= FULL_MATCH_LENGTH) {
    for (const plain of [trimmed, ...longLines(trimmed)]) addForms(forms, plain);
  }
  return [...forms]
    .flatMap(([text, edges]) => (text.trim().length >= SHORTEST_SECRET ? [{ text, edges }] : []))
    .sort((left, right) => right.text.length - left.text.length);
}

/** By text; the first that is added stays. */
type Forms = Map<string, Base64Edges | null>;

function add(forms: Forms, text: string, edges: Base64Edges | null = null): void {
  if (!forms.has(text)) forms.set(text, edges);
}

function longLines(value: string): string[] {
  if (!/[\r\n]/.test(value)) return [];
  return value
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter((line) => line.length >= SHORTEST_LINE && !line.startsWith("-----"));
}

function addForms(forms: Forms, plain: string): void {
  add(forms, plain);
  const json = JSON.stringify(plain).slice(1, -1);
  add(forms, json);
  add(forms, JSON.stringify(json).slice(1, -1));
  add(forms, json.replaceAll("/", "\\/"));
  add(
    forms,
    json.replace(/[<>&]/g, (character) => `\\u00${character.charCodeAt(0).toString(16)}`),
  );
  add(
    forms,
    plain
      .replaceAll("&", "&amp;")
      .replaceAll("<", "&lt;")
      .replaceAll(">", "&gt;")
      .replaceAll('"', "&quot;")
      .replaceAll("'", "&#39;"),
  );
  const bytes = Buffer.from(plain, "utf8");
  const text = bytes.toString("utf8");
  for (const encoded of [encodeURIComponent(text), new URLSearchParams({ v: text }).toString().slice(2)]) {
    add(forms, encoded);
    add(
      forms,
      encoded.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
    );
    add(forms, encodeURIComponent(encoded));
  }
  const hex = bytes.toString("hex");
  add(forms, hex);
  add(forms, hex.toUpperCase());
  for (const { text: core, edges } of base64Cores(bytes)) {
    add(forms, core, edges);
    add(forms, core.replaceAll("+", "-").replaceAll("/", "_"), edges);
    add(forms, encodeURIComponent(core), edges);
    add(forms, core.replaceAll("/", "\\/"), edges);
  }
}

/**
 * The characters that stand in the base64 of any text with these bytes in it, at each of the three alignments:
 * without the characters at both ends that share bits with the neighbours, which `edges` tells.
 */
function base64Cores(bytes: Buffer): { text: string; edges: Base64Edges }[] {
  const cores: { text: string; edges: Base64Edges }[] = [];
  for (const before of [0, 1, 2]) {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
    const first = Math.ceil((before * 8) / 6);
    const last = Math.floor(((before + bytes.length) * 8) / 6);
    const core = encoded.slice(first, last);
    if (core.length >= SHORTEST_CORE) cores.push({ text: core, edges: base64EdgesOf(encoded, first, last) });
  }
  return cores;
}
