import type { StoredEvent } from "@/server/events/event.schema";

/** The fields that say most, in the order in which they are looked for. */
const TELLING = ["message", "text", "reason", "phase", "status", "failureKind", "worker"] as const;
/** Numbers that are said after them. */
const MEASURES = ["delayMs", "latencyMs", "timeoutMs"] as const;
/** Names of things that the row says in other words already. */
const IDENTIFIERS = new Set(["requestId", "sessionId", "stageId", "itemId"]);
const LONGEST = 240;

/** One line that says what an event holds, taken from its own payload; never translated, since it is data. */
export function eventSummary({ payload }: StoredEvent): string {
  const telling = TELLING.flatMap((field) => {
    const value = payload[field];
    return typeof value === "string" && value !== "" ? [value] : [];
  }).slice(0, 2);
  const parts =
    telling.length > 0
      ? [...telling, ...MEASURES.flatMap((field) => (typeof payload[field] === "number" ? [`${field} ${payload[field]}`] : []))]
      : Object.entries(payload)
          .filter(([field, value]) => !IDENTIFIERS.has(field) && ["number", "boolean", "string"].includes(typeof value))
          .map(([field, value]) => `${field} ${String(value)}`);
  return parts.join(" · ").replace(/\s+/g, " ").slice(0, LONGEST);
}
