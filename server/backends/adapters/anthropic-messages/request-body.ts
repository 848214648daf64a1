import type { Turn } from "@/server/backends/backend";
import { hasFixedSampling } from "@/server/backends/http/fixed-sampling";
import { outputSchemaOf } from "@/server/backends/output-schema";

/** The protocol demands a limit. So much every model since Claude 4 can say; a limit costs nothing by itself. */
const USUAL_MAX_TOKENS = 32_000;

/** Claude models before 4.5: they answer 400 to a format of the output. */
const WITHOUT_FORMAT = /^claude-(?:\d|[a-z]+-4(?:-[01])?(?:-\d{8})?$)/;
/** Hosts that speak the protocol for models of their own, without a format of the output. */
const HOSTS_WITHOUT_FORMAT = /(?:^|\.)(?:api\.minimax\.io|api\.minimaxi\.com|api\.deepseek\.com)$/;
/** Claude 4.1 to 4.6 takes temperature or top_p, and answers 400 to both. */
const ONE_SAMPLER = /^claude-(?:opus-4-1|[a-z]+-4-[56])(?!\d)/;

/** The body of one message. Fields that were not asked for are left out. The protocol knows no seed. */
export function requestBody(turn: Turn): Record<string, unknown> {
  const { maxTokens, stopSequences } = turn.generation;
  const schema = takesFormat(turn) ? outputSchemaOf(turn.expect.schema) : null;
  return {
    model: turn.model,
    max_tokens: maxTokens ?? USUAL_MAX_TOKENS,
    ...(turn.system === "" ? {} : { system: turn.system }),
    messages: [{ role: "user", content: turn.user }],
    stream: true,
    ...samplingOf(turn),
    ...(stopSequences === undefined || stopSequences.length === 0 ? {} : { stop_sequences: stopSequences }),
    ...(schema === null ? {} : { output_config: { format: { type: "json_schema", schema: withoutTypeLists(schema) } } }),
  };
}

function samplingOf({ model, generation: { temperature, topP } }: Turn): Record<string, number> {
  if (hasFixedSampling(model)) return {};
  const onlyOne = temperature !== undefined && ONE_SAMPLER.test(model);
  return {
    ...(temperature === undefined ? {} : { temperature }),
    ...(topP === undefined || onlyOne ? {} : { top_p: topP }),
  };
}

function takesFormat({ model, baseUrl }: Turn): boolean {
  const host = baseUrl === null ? "" : new URL(baseUrl).hostname;
  return !WITHOUT_FORMAT.test(model) && !HOSTS_WITHOUT_FORMAT.test(host);
}

/** The same schema as the protocol takes it: what may be null is said with `anyOf`, not with a list of types. */
function withoutTypeLists(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutTypeLists);
  if (typeof schema !== "object" || schema === null) return schema;
  const { type, enum: values, ...rest } = schema as { type?: unknown; enum?: unknown }; // An object of JSON: any field may be there.
  const others = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, withoutTypeLists(value)]));
  const choices = Array.isArray(values) ? { enum: values.filter((value) => value !== null) } : {};
  if (!Array.isArray(type)) return { ...(type === undefined ? {} : { type }), ...choices, ...others };
  return {
    ...others,
    anyOf: type.map((each) => (each === "null" ? { type: each } : { type: each, ...choices })),
  };
}
