import { parseArgs } from "node:util";
import { AppError } from "@/server/shared/app-error";

/** `count` is a whole number from 1, `count-or-none` one from 0. */
export type FlagKind = "text" | "switch" | "count" | "count-or-none";

export interface Arguments {
  positionals: string[];
  text(name: string): string | undefined;
  on(name: string): boolean;
  /** A whole number from 1. */
  count(name: string): number | undefined;
}

/** Parses flags strictly: an unknown one, a missing value or a bad number is one sentence and exit code 2. */
export function parseArguments(argv: readonly string[], flags: Readonly<Record<string, FlagKind>>): Arguments {
  let parsed: ReturnType<typeof parseArgs>;
  try {
    parsed = parseArgs({
      args: [...argv],
      allowPositionals: true,
      strict: true,
      options: Object.fromEntries(
        Object.entries(flags).map(([name, kind]) => [
          name,
          { type: kind === "switch" ? ("boolean" as const) : ("string" as const) },
        ]),
      ),
    });
  } catch (error) {
    throw new AppError(
      "invalid_input",
      `${error instanceof Error ? firstSentence(error.message) : String(error)} Flags here: ${Object.keys(flags)
        .map((name) => `--${name}`)
        .join(" ")}.`,
    );
  }
  const text = (name: string) => {
    const value = parsed.values[name];
    return typeof value === "string" ? value : undefined;
  };
  return {
    positionals: parsed.positionals,
    text,
    on: (name) => parsed.values[name] === true,
    count(name) {
      const value = text(name);
      if (value === undefined) return undefined;
      const least = flags[name] === "count-or-none" ? 0 : 1;
      if (!/^(0|[1-9]\d{0,8})$/.test(value) || Number(value) < least)
        throw new AppError("invalid_input", `--${name} takes a whole number from ${least}, not "${value}".`);
      return Number(value);
    },
  };
}

/** Without what Node adds of files that are named like flags. */
function firstSentence(message: string): string {
  const [first = message] = message.split(/\. To specify|\n/, 1);
  return first.endsWith(".") ? first : `${first}.`;
}
