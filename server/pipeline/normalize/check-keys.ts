/** The short form of an expectation: key to "array", "object", "string", "number" or "boolean"; other values only ask for presence. */

const KINDS = new Set(["array", "object", "string", "number", "boolean"]);

/** The first key that is missing or of another kind, as a sentence; null when all fit. */
export function findMisfit(
  output: Readonly<Record<string, unknown>>,
  expected: Readonly<Record<string, unknown>>,
): string | null {
  for (const [key, kind] of Object.entries(expected)) {
    if (!Object.hasOwn(output, key)) {
      const keys = Object.keys(output).slice(0, 8);
      return `“${key}” is missing from the answer${keys.length > 0 ? `, which has ${keys.map((name) => `“${name.slice(0, 40)}”`).join(", ")}` : ""}.`;
    }
    if (typeof kind === "string" && KINDS.has(kind) && kindOf(output[key]) !== kind)
      return `“${key}” is ${nameOf(output[key])} where ${withArticle(kind)} is expected.`;
  }
  return null;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function kindOf(value: unknown): string {
  return value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
}

/** "an array", "a string", "null". */
export function nameOf(value: unknown): string {
  return value === null ? "null" : withArticle(kindOf(value));
}

function withArticle(kind: string): string {
  return /^[ao]/.test(kind) ? `an ${kind}` : `a ${kind}`;
}
