/** The day a document speaks of. */
import { sourceDateSchema } from "@/server/artifacts/request-artifact.schema";
import { AppError } from "@/server/shared/app-error";
import { dayOfSession } from "./session-transcript";

/** `2026-04-19` or `20260419` anywhere in the name, not inside a longer number. */
const DATE_IN_NAME = /(?<!\d)(\d{4})([-_.]?)(\d{2})\2(\d{2})(?!\d)/g;
/** Eight digits are often an id; only those that read as a day of these years are taken for one. */
const PLAUSIBLE_YEARS = { first: 1970, last: 2199 };

/**
 * The source date as `YYYY-MM-DD`: the explicit one, else the first real calendar day in the file's name, else the day on which
 * the session began that `text` holds, else today. Today is
 * the day of the server's own time zone, because the operator who starts a run means the day on the clock beside them.
 * `now` = epoch milliseconds. Throws AppError `invalid_input` for an explicit date that is not a day of the calendar.
 */
export function sourceDateOf(fileName: string, explicit: string | null | undefined, now: number, text = ""): string {
  if (explicit) {
    const parsed = sourceDateSchema.safeParse(explicit);
    if (!parsed.success)
      throw new AppError("invalid_input", `The source date “${explicit}” ${parsed.error.issues[0]?.message ?? "is not a date"}.`);
    return parsed.data;
  }
  return dateInName(fileName) ?? dayOfSession(text) ?? localDay(now);
}

function dateInName(fileName: string): string | null {
  for (const [, year, , month, day] of fileName.matchAll(DATE_IN_NAME)) {
    const date = `${year}-${month}-${day}`;
    const yearNumber = Number(year);
    if (yearNumber < PLAUSIBLE_YEARS.first || yearNumber > PLAUSIBLE_YEARS.last) continue;
    if (sourceDateSchema.safeParse(date).success) return date;
  }
  return null;
}

function localDay(now: number): string {
  const date = new Date(now);
  const two = (value: number) => String(value).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
