import type { Turn } from "@/server/backends/backend";
import { hasFixedSampling } from "@/server/backends/http/fixed-sampling";
import { outputSchemaOf } from "@/server/backends/output-schema";

/** The protocol demands a name for a format; nobody reads it. */
const FORMAT_NAME = "answer";

/**
 * The body of one response. Fields that were not asked for are left out. The protocol knows no seed and no stop sequences.
 * `store: false`: the provider is to keep nothing of it.
 */
export function requestBody(turn: Turn): Record<string, unknown> {
  const { temperature, topP, maxTokens } = turn.generation;
  const schema = outputSchemaOf(turn.expect.schema);
  const hasSampling = !hasFixedSampling(turn.model);
  return {
    model: turn.model,
    ...(turn.system === "" ? {} : { instructions: turn.system }),
    input: turn.user,
    stream: true,
    store: false,
    ...(schema === null ? {} : { text: { format: { type: "json_schema", name: FORMAT_NAME, schema, strict: true } } }),
    ...(maxTokens === undefined ? {} : { max_output_tokens: maxTokens }),
    ...(hasSampling && temperature !== undefined ? { temperature } : {}),
    ...(hasSampling && topP !== undefined ? { top_p: topP } : {}),
  };
}
