import { z } from "zod";
import { modelCapabilitySchema, routingStrategySchema } from "./config-document.schema";
import { providerSettingsSchema } from "./provider-settings.schema";

/** The models of a scene as they were resolved when a run was ordered. The run goes on with it whatever becomes of the document. */
export const pinnedRouteSchema = z.object({
  /** Null when the order named a provider instead. */
  scene: z.string().nullable(),
  /** The entry of `models` that was used; null without a scene. */
  mappedBy: z.string().nullable(),
  /** The revision of the document it comes from. */
  revision: z.int().min(1),
  requires: z.array(modelCapabilitySchema),
  strategy: routingStrategySchema,
  /** The most tokens an answer may have; absent = as the run's options say. */
  maxTokens: z.int().min(1).exactOptional(),
  candidates: z.array(z.object({ model: z.string().min(1), settings: providerSettingsSchema })).min(1),
});
export type PinnedRoute = z.infer<typeof pinnedRouteSchema>;
