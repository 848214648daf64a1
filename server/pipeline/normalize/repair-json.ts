/** Repairs one span of broken JSON, within bounds. */
import { jsonrepair } from "jsonrepair";
import { isNestedDeeper, parseJson } from "./json-text";
import { type TidyEdit, tidyJson } from "./tidy-json";

/** Characters. The library is quadratic in places: a text of this size takes it a fraction of a second at worst. */
export const REPAIR_LIMIT = 64 * 1024;
/** It calls itself for every level. */
const DEEPEST_REPAIR = 200;

export type RepairRefusal = "too_large" | "too_deep" | "value_missing" | "left_out" | "unreadable";

export type Repaired =
  | { ok: true; text: string; value: unknown; edits: Partial<Record<TidyEdit | "structure", number>> }
  | { ok: false; refusal: RepairRefusal };

/** Never throws, and never makes up or leaves out a value: where one is missing, it refuses. */
export function repairJson(span: string): Repaired {
  if (span.length > REPAIR_LIMIT) return { ok: false, refusal: "too_large" };
  const tidied = tidyJson(span);
  if (!tidied.ok) return tidied;
  const plain = parseJson(tidied.text);
  if (plain !== undefined) return { ok: true, text: tidied.text, value: plain, edits: tidied.edits };
  if (isNestedDeeper(tidied.text, DEEPEST_REPAIR)) return { ok: false, refusal: "too_deep" };
  try {
    const text = jsonrepair(tidied.text);
    const value = parseJson(text);
    return value === undefined
      ? { ok: false, refusal: "unreadable" }
      : { ok: true, text, value, edits: { ...tidied.edits, structure: 1 } };
  } catch {
    return { ok: false, refusal: "unreadable" };
  }
}
