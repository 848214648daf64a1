/** Collects what is wrong with a document, each thing once, and puts it in the order of the text. */
import type { ConfigProblem, ConfigProblemCode } from "../config.rules";
import { pathText } from "./shown-name";

/** Where something stands: UTF-16 offset in the text, and the path of keys and indexes. */
export interface ConfigPlace {
  at: number;
  path: readonly (string | number)[];
}

/** More than anyone reads, few enough to send. */
const MOST_PROBLEMS = 500;

interface Found extends ConfigPlace {
  severity: ConfigProblem["severity"];
  code: ConfigProblemCode;
  message: string;
  details: Record<string, string>;
}

export class ProblemList {
  readonly #found: Found[] = [];
  readonly #said = new Set<string>();
  readonly #lineStarts: readonly number[];

  constructor(text: string) {
    this.#lineStarts = lineStartsOf(text);
  }

  /** `message` is one sentence without the path; `details` are what it speaks of, none of which may be a key. */
  error(code: ConfigProblemCode, place: ConfigPlace, message: string, details: Record<string, string> = {}): void {
    this.#add("error", code, place, message, details);
  }

  warning(code: ConfigProblemCode, place: ConfigPlace, message: string, details: Record<string, string> = {}): void {
    this.#add("warning", code, place, message, details);
  }

  get hasErrors(): boolean {
    return this.#found.some(({ severity }) => severity === "error");
  }

  /** With `reason`, only problems whose details name that one count. */
  hasOnLine(code: ConfigProblemCode, at: number, reason?: string): boolean {
    const line = this.lineOf(at);
    return this.#found.some(
      (found) =>
        found.code === code && (reason === undefined || found.details.reason === reason) && this.lineOf(found.at) === line,
    );
  }

  /** From 1. */
  lineOf(at: number): number {
    let low = 0;
    let high = this.#lineStarts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      // In range: between the two bounds.
      if ((this.#lineStarts[middle] ?? 0) <= at) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** By their place in the text; of very many, the first errors. */
  sorted(): ConfigProblem[] {
    const errors = this.#found.filter(({ severity }) => severity === "error");
    return (errors.length >= MOST_PROBLEMS ? errors : this.#found)
      .toSorted((left, right) => left.at - right.at)
      .slice(0, MOST_PROBLEMS)
      .map(({ at, path, ...found }) => {
        const line = this.lineOf(at);
        return { ...found, path: pathText(path), line, column: at - (this.#lineStarts[line - 1] ?? 0) + 1 };
      });
  }

  #add(
    severity: Found["severity"],
    code: ConfigProblemCode,
    { at, path }: ConfigPlace,
    message: string,
    details: Record<string, string>,
  ): void {
    // What an alias repeats is wrong once, where it is written.
    const said = `${at} ${code} ${message}`;
    if (this.#said.has(said)) return;
    this.#said.add(said);
    this.#found.push({ severity, code, at, path, message, details });
  }
}

function lineStartsOf(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}
