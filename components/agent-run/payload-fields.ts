/** Reads single fields of a stored payload: one that was cut, or that another version wrote, lacks some. */
import { FAILURE_KINDS, type FailureKind } from "@/server/artifacts/failure-kind.rules";

export type Payload = Readonly<Record<string, unknown>>;

export function textOf(payload: Payload, field: string): string | null {
  const value = payload[field];
  return typeof value === "string" ? value : null;
}

export function numberOf(payload: Payload, field: string): number | null {
  const value = payload[field];
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

/** The strings of a list; other items are left out. */
export function textsOf(payload: Payload, field: string): string[] {
  const value = payload[field];
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

export function oneOf<T extends string>(payload: Payload, field: string, words: readonly T[]): T | null {
  return words.find((word) => word === payload[field]) ?? null;
}

export function failureKindOf(payload: Payload): FailureKind | null {
  // Object.keys forgets the key type; the table has no other keys.
  return oneOf(payload, "failureKind", Object.keys(FAILURE_KINDS) as FailureKind[]);
}
