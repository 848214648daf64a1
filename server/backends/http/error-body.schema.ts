/** Errors as servers of every protocol send them, as bodies and inside answers. Lenient: gateways answer in forms of their own. */
import { z } from "zod";

const errorDetailSchema = z.object({
  reason: z.string().nullish().catch(null),
  retryDelay: z.string().nullish().catch(null),
  violations: z
    .array(z.object({ quotaId: z.string().nullish() }))
    .nullish()
    .catch(null),
});

/** `{ error: { code, type, message } }`, or a plain sentence. */
export const providerErrorSchema = z.union([
  z.string(),
  z.object({
    code: z.union([z.string(), z.number()]).nullish(),
    type: z.string().nullish(),
    message: z.string().nullish(),
    /** Google's: why, which quotas, and how long to wait (`45.8s`). */
    details: z.array(errorDetailSchema).nullish().catch(null),
  }),
]);
export type ProviderError = z.infer<typeof providerErrorSchema>;

/** MiniMax: a status of its own inside HTTP 200. */
export const baseResponseSchema = z.object({ status_code: z.number(), status_msg: z.string().nullish() });

/** Bodies of answers with an error status: the places where servers put their sentence. */
export const errorBodySchema = z.object({
  error: providerErrorSchema.nullish().catch(null),
  base_resp: baseResponseSchema.nullish().catch(null),
  message: z.string().nullish().catch(null),
  detail: z
    .union([z.string(), z.array(z.object({ msg: z.string().nullish() }))])
    .nullish()
    .catch(null),
});
