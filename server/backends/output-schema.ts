/** JSON Schema for what a request expects, in the strict form that `text.format` takes: every property required, no others. */
import { CONFIDENCES } from "@/server/artifacts/insight.schema";

const nullable = (type: string) => ({ type: [type, "null"] });

const INSIGHT = strictObject({
  topic: nullable("string"),
  section: nullable("string"),
  content: { type: "string" },
  confidence: { type: ["string", "null"], enum: [...CONFIDENCES, null] },
  date: nullable("string"),
  quote: nullable("string"),
});

/** Null when the expectation cannot be said strictly: an array of unknown things, an object of unknown fields. */
export function outputSchemaOf(expected: Readonly<Record<string, unknown>>): Record<string, unknown> | null {
  const entries = Object.entries(expected);
  if (entries.length === 0) return null;
  const properties: Record<string, unknown> = {};
  for (const [name, kind] of entries) {
    if (name === "insights" && kind === "array") properties[name] = { type: "array", items: INSIGHT };
    else if (kind === "string" || kind === "number" || kind === "boolean" || kind === "integer")
      properties[name] = { type: kind };
    else return null;
  }
  return strictObject(properties);
}

function strictObject(properties: Record<string, unknown>): Record<string, unknown> {
  return { type: "object", properties, required: Object.keys(properties), additionalProperties: false };
}
