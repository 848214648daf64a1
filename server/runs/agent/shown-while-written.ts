/** UTF-16 units of a message that a page shows while it is written. */
export const LONGEST_WRITING = 4_000;
/** Read beyond that, so that what is cut off is seen whole by the redactor. */
const MARGIN = 4_000;

/** What a secret may be made of, however it is spelled; a run of it may be the beginning or the end of one. */
const WORD = /[\x21-\x7e]/;

/**
 * The end of a text that still grows. A secret is known by its whole: what may be the first part of one, the unfinished word at the
 * end, waits for its rest; and where the beginning is cut off, so is the rest of a word.
 */
export function shownWhileWritten(text: string, redact: (text: string) => string): string {
  let end = text.length;
  while (end > 0 && WORD.test(text.charAt(end - 1))) end -= 1;
  let start = Math.max(0, end - LONGEST_WRITING - MARGIN);
  if (start > 0) while (start < end && WORD.test(text.charAt(start))) start += 1;
  const clean = redact(text.slice(start, end)).trimEnd();
  return clean.length > LONGEST_WRITING || start > 0 ? `…${clean.slice(-LONGEST_WRITING)}` : clean;
}
