/** How a model stands at this moment, as a choice among candidates would see it. */
import { z } from "zod";

export const modelAvailabilitySchema = z.object({
  /** `provider/model`. */
  reference: z.string(),
  /** `unavailable`: it refused, its check failed, or its key is not there; `unknown`: nothing was heard of it lately. */
  state: z.enum(["healthy", "degraded", "unavailable", "unknown", "cooling"]),
  /** One sentence; empty when there is nothing to say. */
  reason: z.string(),
  /** When it will be asked again; null unless it is cooling. ISO-8601 UTC. */
  coolsUntil: z.string().nullable(),
});
export type ModelAvailability = z.infer<typeof modelAvailabilitySchema>;
