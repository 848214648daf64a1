/** Frames of the OpenClaw gateway, protocol 4, as far as they are read. Lenient: whatever else they hold is let through. */
import { z } from "zod";

const errorSchema = z.object({
  code: z.string().nullish().catch(null),
  message: z.string().nullish().catch(null),
  details: z
    .object({ code: z.string().nullish(), missingScope: z.string().nullish(), expectedProtocol: z.number().nullish() })
    .nullish()
    .catch(null),
});
export type GatewayError = z.infer<typeof errorSchema>;

export const responseFrameSchema = z.object({
  type: z.literal("res"),
  id: z.string(),
  ok: z.boolean(),
  payload: z.unknown().optional(),
  error: errorSchema.nullish().catch(null),
});
export type ResponseFrame = z.infer<typeof responseFrameSchema>;

export const eventFrameSchema = z.object({ type: z.literal("event"), event: z.string(), payload: z.unknown().optional() });

/** Both kinds that matter; `type` decides. */
export const gatewayFrameSchema = z.discriminatedUnion("type", [responseFrameSchema, eventFrameSchema]);

/** The answer to `connect`. */
export const helloSchema = z.object({
  type: z.literal("hello-ok"),
  protocol: z.number(),
  server: z.object({ version: z.string() }),
  auth: z.object({ scopes: z.array(z.string()).nullish() }).nullish(),
  snapshot: z
    .object({
      sessionDefaults: z.object({ defaultAgentId: z.string().nullish() }).nullish().catch(null),
    })
    .nullish()
    .catch(null),
  policy: z
    .object({ tickIntervalMs: z.number().nullish().catch(null) })
    .nullish()
    .catch(null),
});
export type Hello = z.infer<typeof helloSchema>;

const usageSchema = z.object({
  input: z.number().nullish(),
  output: z.number().nullish(),
  cacheRead: z.number().nullish(),
  cacheWrite: z.number().nullish(),
  reasoningTokens: z.number().nullish(),
});

/** What is said of a run: that it was taken, that it runs already, or what it came to. */
export const runPayloadSchema = z.object({
  runId: z.string().nullish(),
  status: z.string().nullish().catch(null),
  summary: z.string().nullish().catch(null),
  stopReason: z.string().nullish().catch(null),
  result: z
    .object({
      payloads: z
        .array(
          z.object({
            text: z.string().nullish().catch(null),
            isError: z.boolean().nullish().catch(null),
            isStatusNotice: z.boolean().nullish().catch(null),
          }),
        )
        .nullish()
        .catch(null),
      meta: z
        .object({
          finalAssistantRawText: z.string().nullish().catch(null),
          stopReason: z.string().nullish().catch(null),
          error: z.object({ kind: z.string().nullish(), message: z.string().nullish() }).nullish().catch(null),
          agentMeta: z
            .object({
              provider: z.string().nullish().catch(null),
              model: z.string().nullish().catch(null),
              usage: usageSchema.nullish().catch(null),
              /** How often a model was asked; more than once when the first time failed or came to nothing. */
              assistantTurns: z.number().nullish().catch(null),
            })
            .nullish()
            .catch(null),
        })
        .nullish()
        .catch(null),
    })
    .nullish()
    .catch(null),
});
export type RunPayload = z.infer<typeof runPayloadSchema>;

export const abortPayloadSchema = z.object({ aborted: z.boolean().nullish() });

export const modelListSchema = z.object({ models: z.array(z.object({ id: z.string(), provider: z.string().nullish() })) });
