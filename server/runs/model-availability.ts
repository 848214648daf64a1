import type { CandidateSnapshot } from "@/server/inference/routing";
import { isoTime } from "@/server/shared/clock";
import type { ModelAvailability } from "./model-availability.schema";

/** Pure: the snapshot that a choice would be made on, in the words of pages. */
export function availabilityOf({ id, blockedBy, cooldown, health, healthReason }: CandidateSnapshot): ModelAvailability {
  if (blockedBy !== null) return { reference: id, state: "unavailable", reason: blockedBy, coolsUntil: null };
  if (cooldown) return { reference: id, state: "cooling", reason: cooldown.reason, coolsUntil: isoTime(cooldown.until) };
  return { reference: id, state: health, reason: healthReason, coolsUntil: null };
}
