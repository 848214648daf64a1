import { RUN_OPTIONS } from "@/server/runs/run.rules";

/** The most tokens of an answer, as entered: null = nothing was entered, undefined = what was is no such number. */
export function outputLimitOf(entered: string): number | null | undefined {
  const text = entered.trim();
  if (text === "") return null;
  const value = Number(text);
  return Number.isInteger(value) && value >= 1 && value <= RUN_OPTIONS.maxTokens.max ? value : undefined;
}
