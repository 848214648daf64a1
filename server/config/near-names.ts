/** Names as sentences list them: all of a few, of very many the nearest to what was written. */
import { namesByLikeness } from "./document/shown-name";

/** So many are read; a longer list is cut to the nearest few. */
const MOST_LISTED = 16;
const NEAREST = 6;

/** In the given order when they are few, else the most like `written` first. */
export function nearNames(written: string, known: readonly string[]): string[] {
  return known.length <= MOST_LISTED ? [...known] : namesByLikeness(written, known).slice(0, NEAREST);
}

/** `a, b, c`, or of very many `nearest, next … (+288)`, whose end needs no translation. */
export function listNames(written: string, known: readonly string[]): string {
  const near = nearNames(written, known);
  const left = known.length - near.length;
  return `${near.join(", ")}${left === 0 ? "" : ` … (+${left})`}`;
}
