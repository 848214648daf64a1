/**
 * How a chunk's text stands inside a request's `input.user`, so that a program can take it out again exactly. The opening line
 * says the length and a hash of the text: no text can hold its own hash, so none can fake its end.
 */
import { createHash } from "node:crypto";

const HASH_LENGTH = 16;
const OPENING = /^<<<NOTES (\d{1,9}) characters, sha256 ([0-9a-f]{16})>>>\n/gm;

function hashOf(text: string): string {
  return createHash("sha256").update(text, "utf8").digest("hex").slice(0, HASH_LENGTH);
}

function closingLine(hash: string): string {
  return `\n<<<END OF NOTES ${hash}>>>`;
}

/** The text between its two marks, for a prompt. The length counts UTF-16 units. */
export function wrapChunkText(text: string): string {
  const hash = hashOf(text);
  return `<<<NOTES ${text.length} characters, sha256 ${hash}>>>\n${text}${closingLine(hash)}`;
}

const FORMER_OPENING = /^<<<FORMER ANSWER (\d{1,9}) characters, sha256 ([0-9a-f]{16})>>>\n/gm;

/** A model's former answer between marks of its own, for a prompt that has it corrected. */
export function wrapFormerAnswer(text: string): string {
  const hash = hashOf(text);
  return `<<<FORMER ANSWER ${text.length} characters, sha256 ${hash}>>>\n${text}\n<<<END OF FORMER ANSWER ${hash}>>>`;
}

/** Whether a request's `input.user` carries a former answer. */
export function holdsFormerAnswer(user: string): boolean {
  return user.search(FORMER_OPENING) >= 0;
}

/** The text that `wrapChunkText` put into a request's `input.user`; of a request without our marks, the whole of it. */
export function extractChunkText(user: string): string {
  for (const match of user.matchAll(OPENING)) {
    const length = Number(match[1]);
    const hash = match[2] ?? "";
    const start = match.index + match[0].length;
    const text = user.slice(start, start + length);
    if (text.length === length && user.startsWith(closingLine(hash), start + length) && hashOf(text) === hash) return text;
  }
  return user;
}
