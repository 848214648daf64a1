import { isSourceDate } from "@/server/artifacts/source-date.rules";

/** `2026-04-19` or `20260419` anywhere in the name, not inside a longer number: the server's rule, shown before anything is sent. */
const DATE_IN_NAME = /(?<!\d)(\d{4})([-_.]?)(\d{2})\2(\d{2})(?!\d)/g;
const FIRST_YEAR = 1970;
const LAST_YEAR = 2199;

const LAST_MONTH = 12;
const LONGEST_MONTH = 31;

function isUpTo(last: number, digits: string): boolean {
  return Number(digits) >= 1 && Number(digits) <= last;
}

export type NameDate = { kind: "date"; date: string } | { kind: "impossible"; text: string } | { kind: "none" };

/** What a file's name says of its day: the first real calendar day in it, else that it has the form of one and is none. */
export function readNameDate(name: string): NameDate {
  let impossible: string | null = null;
  // The defaults are for the compiler: all groups of a match are there.
  for (const [text, year = "", separator = "", month = "", day = ""] of name.matchAll(DATE_IN_NAME)) {
    const date = `${year}-${month}-${day}`;
    const isInRange = Number(year) >= FIRST_YEAR && Number(year) <= LAST_YEAR;
    if (isInRange && isSourceDate(date)) return { kind: "date", date };
    // Eight digits in a row may be any number: only what could be a day of another month was meant as a date.
    const wasMeant = separator !== "" || (isUpTo(LAST_MONTH, month) && isUpTo(LONGEST_MONTH, day));
    if (isInRange && wasMeant) impossible ??= text;
  }
  return impossible === null ? { kind: "none" } : { kind: "impossible", text: impossible };
}

/** The first real calendar day in a file's name, as YYYY-MM-DD; null when there is none. */
export function dateInFileName(name: string): string | null {
  const found = readNameDate(name);
  return found.kind === "date" ? found.date : null;
}
