import { sourceDateSchema } from "@/server/artifacts/request-artifact.schema";

/** `2026-04-19` or `20260419` anywhere in the name, not inside a longer number: the server's rule, shown before anything is sent. */
const DATE_IN_NAME = /(?<!\d)(\d{4})([-_.]?)(\d{2})\2(\d{2})(?!\d)/g;
const FIRST_YEAR = 1970;
const LAST_YEAR = 2199;

/** The first real calendar day in a file's name, as YYYY-MM-DD; null when there is none. */
export function dateInFileName(name: string): string | null {
  for (const [, year, , month, day] of name.matchAll(DATE_IN_NAME)) {
    if (Number(year) < FIRST_YEAR || Number(year) > LAST_YEAR) continue;
    const date = `${year}-${month}-${day}`;
    if (sourceDateSchema.safeParse(date).success) return date;
  }
  return null;
}
