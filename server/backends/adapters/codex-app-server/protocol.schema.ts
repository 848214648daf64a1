/** What we read of the app-server's messages, and no more: everything else may be there, be missing or change. Measured with codex-cli 0.171.0. */
import { z } from "zod";

const id = z.union([z.string(), z.number()]).transform(String);

export const initializeResultSchema = z.looseObject({ userAgent: z.string() });

export const threadResultSchema = z.looseObject({
  thread: z.looseObject({ id: z.string().min(1) }),
  model: z.string().nullish(),
});

export const turnResultSchema = z.looseObject({ turn: z.looseObject({ id: z.string().min(1) }) });

export const turnErrorSchema = z.looseObject({
  message: z.string().catch(""),
  /** A name, or an object whose one key is the name. */
  codexErrorInfo: z
    .union([z.string(), z.record(z.string(), z.unknown())])
    .nullish()
    .catch(null),
  additionalDetails: z.string().nullish().catch(null),
});
export type TurnError = z.infer<typeof turnErrorSchema>;

export const errorNotificationSchema = z.looseObject({ error: turnErrorSchema, willRetry: z.boolean().catch(false) });

export const turnCompletedSchema = z.looseObject({
  turn: z.looseObject({
    id: z.string().min(1),
    status: z.enum(["completed", "failed", "interrupted"]),
    error: turnErrorSchema.nullish(),
  }),
});

const text = z.string().catch("");
const maybeText = z.string().nullish().catch(null);
const maybeNumber = z.number().nullish().catch(null);

export const agentMessageItemSchema = z.looseObject({ type: z.literal("agentMessage"), id, text, phase: maybeText });

export const commandItemSchema = z.looseObject({
  type: z.literal("commandExecution"),
  id,
  command: text,
  cwd: maybeText,
  processId: id.nullish().catch(null),
  status: text,
  aggregatedOutput: maybeText,
  exitCode: maybeNumber,
  durationMs: maybeNumber,
});
export type CommandItem = z.infer<typeof commandItemSchema>;

export const fileChangeItemSchema = z.looseObject({
  type: z.literal("fileChange"),
  id,
  status: text,
  changes: z
    .array(
      z.looseObject({
        path: text,
        diff: text,
        kind: z
          .union([z.string(), z.looseObject({ type: text })])
          .nullish()
          .catch(null),
      }),
    )
    .catch([]),
});
export type FileChangeItem = z.infer<typeof fileChangeItemSchema>;

/** Tools other than commands: a failed one is told, the others are counted. */
export const toolItemSchema = z.looseObject({
  type: z.string(),
  id,
  status: maybeText,
  tool: maybeText,
  server: maybeText,
  error: z.unknown().optional(),
});

export const itemNotificationSchema = z.looseObject({ item: z.looseObject({ type: z.string(), id }) });

export const deltaSchema = z.looseObject({ itemId: id, delta: z.string() });

export const diffUpdatedSchema = z.looseObject({ diff: z.string() });

const tokenCountsSchema = z.object({
  inputTokens: z.int().min(0).catch(0),
  outputTokens: z.int().min(0).catch(0),
  cachedInputTokens: z.int().min(0).catch(0),
  cacheWriteInputTokens: z.int().min(0).catch(0),
  reasoningOutputTokens: z.int().min(0).catch(0),
});
export type TokenCounts = z.infer<typeof tokenCountsSchema>;
export const tokenUsageSchema = z.looseObject({
  tokenUsage: z.looseObject({ total: tokenCountsSchema, last: tokenCountsSchema }),
});

/** Which thread and turn a message belongs to, where it says so. */
export const placeSchema = z.looseObject({
  threadId: z.string().optional().catch(undefined),
  turnId: z.string().optional().catch(undefined),
});
