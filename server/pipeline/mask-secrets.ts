/** Takes secrets out of a document at intake, before anything is stored, so that every later offset counts in masked text. */
import { widenOverEdges } from "@/server/events/redact-base64-edges";
import { type SecretForm, secretForms } from "@/server/events/redact-forms";
import { decodedViews } from "@/server/events/redact-views";
import { findSecrets } from "@/server/events/secret-patterns";

export interface MaskedText {
  text: string;
  /** How many secrets of each kind were masked, most frequent kind first. */
  masked: { kind: string; count: number }[];
}

/** The kind shown for a value that the operator's own configuration holds. */
const KNOWN_KIND = "known-secret";
/** A shorter known value would shred ordinary text ("abc" stands in every second line). */
const KNOWN_MINIMUM = 4;
/** Keys in PEM form run to thousands of characters; their mask need not. */
const MASK_MAXIMUM = 256;
const MASK = /\[masked [a-z0-9-]+(?: •+)?\]/g;
/** Masking can only expose a secret that another one hid; that does not go on for long. */
const PASS_LIMIT = 4;

interface Finding {
  start: number;
  end: number;
  kind: string;
}

/**
 * Replaces each secret (by shape, by label, and every occurrence of a known value in each spelling of redact-forms.ts) by a mask
 * like `[masked api-key ••••]`. A mask says the kind and keeps the length class: it is as long as the largest power of two
 * within the secret's length (256 at the most), or just the label when that is shorter. Masking masked text changes nothing.
 */
export function maskSecrets(text: string, knownSecrets: readonly string[]): MaskedText {
  const counts = new Map<string, number>();
  const forms = spellingsOf(knownSecrets);
  let masked = text;
  if (forms.length > 0)
    masked = replace(
      masked,
      findEverywhere(masked, (view) => findKnown(view, forms)),
      counts,
    );
  for (let pass = 0; pass < PASS_LIMIT; pass++) {
    const found = findEverywhere(masked, findSecrets);
    if (found.length === 0) break;
    masked = replace(masked, found, counts);
  }
  const byCount = [...counts].map(([kind, count]) => ({ kind, count }));
  byCount.sort((left, right) => right.count - left.count || (left.kind < right.kind ? -1 : 1));
  return { text: masked, masked: byCount };
}

/** The mask of a secret of that kind and length. */
export function maskOf(kind: string, length: number): string {
  const size = Math.min(MASK_MAXIMUM, 2 ** Math.floor(Math.log2(Math.max(1, length))));
  const bullets = size - `[masked ${kind} ]`.length;
  return bullets > 0 ? `[masked ${kind} ${"•".repeat(bullets)}]` : `[masked ${kind}]`;
}

/** Longest first, so that a value that holds another is masked whole. */
function spellingsOf(knownSecrets: readonly string[]): SecretForm[] {
  const forms = new Map<string, SecretForm>();
  const add = (text: string, edges: SecretForm["edges"] = null) => {
    if (!forms.has(text)) forms.set(text, { text, edges });
  };
  for (const value of knownSecrets) {
    if (value.length < KNOWN_MINIMUM) continue;
    // What the redactor would find in the trace must not stand in the documents either.
    for (const form of secretForms(value)) add(form.text, form.edges);
    add(value);
    add(JSON.stringify(value).slice(1, -1));
    // Through bytes, because encodeURIComponent throws at a lone surrogate.
    add(encodeURIComponent(Buffer.from(value, "utf8").toString("utf8")));
  }
  return [...forms.values()].sort((left, right) => right.text.length - left.text.length);
}

function findKnown(text: string, forms: readonly SecretForm[]): Finding[] {
  const found: Finding[] = [];
  for (const { text: value, edges } of forms) {
    for (let start = text.indexOf(value); start >= 0; start = text.indexOf(value, start + value.length)) {
      const range = { start, end: start + value.length };
      found.push({ ...(edges ? widenOverEdges(text, range.start, range.end, edges) : range), kind: KNOWN_KIND });
    }
  }
  return found;
}

/** What `find` finds in the text and where its characters are spelled as escapes: sorted, apart, and outside our own masks. */
function findEverywhere(text: string, find: (text: string) => readonly Finding[]): Finding[] {
  const found = [...find(text)];
  for (const view of decodedViews(text)) {
    for (const { start, end, kind } of find(view.text)) found.push({ ...view.toSource(start, end), kind });
  }
  found.sort((left, right) => left.start - right.start || right.end - left.end);
  const apart: Finding[] = [];
  for (const finding of outsideMasks(text, found)) {
    const last = apart.at(-1);
    if (last && finding.start < last.end) last.end = Math.max(last.end, finding.end);
    else apart.push({ ...finding });
  }
  return apart;
}

/** Findings that touch no mask: what a label like `password:` points at may be our own mark. */
function outsideMasks(text: string, found: readonly Finding[]): Finding[] {
  if (found.length === 0) return [];
  const masks = [...text.matchAll(MASK)].map((match) => ({ start: match.index, end: match.index + match[0].length }));
  if (masks.length === 0) return [...found];
  let next = 0;
  return found.filter(({ start, end }) => {
    while ((masks[next]?.end ?? Number.POSITIVE_INFINITY) <= start) next++;
    return end <= (masks[next]?.start ?? Number.POSITIVE_INFINITY);
  });
}

function replace(text: string, found: readonly Finding[], counts: Map<string, number>): string {
  const parts: string[] = [];
  let position = 0;
  for (const { start, end, kind } of found) {
    parts.push(text.slice(position, start), maskOf(kind, end - start));
    position = end;
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  parts.push(text.slice(position));
  return parts.join("");
}
