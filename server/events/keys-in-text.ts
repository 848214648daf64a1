import type { Redactor } from "./redact";

/** Where a text holds what looks like a key, or one that the redactor knows: UTF-16 offset, and what kind. */
export function keysInText(text: string, redactor: Redactor): { at: number; rule: string }[] {
  return redactor.ranges(text).map(({ start, label }) => ({ at: start, rule: label }));
}
