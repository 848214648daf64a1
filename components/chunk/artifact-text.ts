/** Characters of an artifact that are shown; the whole is a download away. */
export const SHOWN_CHARACTERS = 256 * 1024;

/** The body as people read it: parsed and indented; null when it is no JSON. */
export function prettyJson(body: string): string | null {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return null;
  }
}

/** The start of a text, without half a character at its end. */
export function cutText(text: string): string {
  if (text.length <= SHOWN_CHARACTERS) return text;
  const last = text.charCodeAt(SHOWN_CHARACTERS - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? SHOWN_CHARACTERS - 1 : SHOWN_CHARACTERS);
}

/** What the model said, from a result artifact; null when there is none. */
export function rawTextOf(body: string | undefined): string | null {
  if (body === undefined) return null;
  try {
    const parsed: unknown = JSON.parse(body);
    if (typeof parsed !== "object" || parsed === null || !("raw_text" in parsed) || typeof parsed.raw_text !== "string")
      return null;
    return parsed.raw_text === "" ? null : cutText(parsed.raw_text);
  } catch {
    return null;
  }
}

/** `start-end` of the address as a range inside the text that begins at `offset`; null when it is none or lies outside. */
export function quoteRange(at: string | null, offset: number, length: number): { start: number; end: number } | null {
  const found = /^(\d{1,9})-(\d{1,9})$/.exec(at ?? "");
  if (!found) return null;
  const start = Math.max(0, Number(found[1]) - offset);
  const end = Math.min(length, Number(found[2]) - offset);
  return start < end ? { start, end } : null;
}
