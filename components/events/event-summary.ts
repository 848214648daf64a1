import type { StoredEvent } from "@/server/events/event.schema";

/** The fields that say most, in the order in which they are looked for. */
const TELLING = ["message", "text", "reason", "phase", "status", "failureKind", "worker"] as const;
const LONGEST = 240;

/** One line that says what an event holds, taken from its own payload; never translated, since it is data. */
export function eventSummary(event: StoredEvent): string {
  const parts = TELLING.flatMap((field) => {
    const value = event.payload[field];
    return typeof value === "string" && value !== "" ? [value] : [];
  });
  if (parts.length > 0) return parts.slice(0, 2).join(" · ").replace(/\s+/g, " ").slice(0, LONGEST);
  return Object.entries(event.payload)
    .filter(([, value]) => typeof value === "number" || typeof value === "boolean" || typeof value === "string")
    .map(([field, value]) => `${field} ${String(value)}`)
    .join(" · ")
    .slice(0, LONGEST);
}
