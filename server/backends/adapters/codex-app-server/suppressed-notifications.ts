import type { NewEvent } from "@/server/events/event.schema";

/** Different kinds of notification that are told apart; a server that invents more is still counted. */
const MOST_KINDS = 40;
const LONGEST_NAME = 80;

export interface SuppressedNotifications {
  count(method: string, itemType?: string): void;
  /** One event with counts by method and item type, or null when nothing was left out. Holds nothing of what was said. */
  summary(): NewEvent | null;
}

/** Counts what is not worth a line of the trace. */
export function createSuppressedNotifications(): SuppressedNotifications {
  const counts = new Map<string, number>();
  let total = 0;
  return {
    count(method, itemType) {
      const named = itemType === undefined ? method : `${method} ${itemType}`;
      const key = counts.has(named) || counts.size < MOST_KINDS ? named.slice(0, LONGEST_NAME) : "other";
      counts.set(key, (counts.get(key) ?? 0) + 1);
      total += 1;
    },
    summary() {
      if (total === 0) return null;
      const entries = [...counts].sort(([, left], [, right]) => right - left);
      return {
        type: "backend_status",
        payload: { phase: "codex-app-server-notifications-suppressed", total, counts: Object.fromEntries(entries) },
      };
    },
  };
}
