import type { ZodError, z } from "zod";

/** One sentence for a failed validation: every problem with the field it stands in, at most eight. */
export function issueSentence(error: ZodError): string {
  const shown = error.issues.slice(0, 8).map((issue) => {
    const path = issue.path
      .map((part) => (typeof part === "number" ? `[${part}]` : String(part)))
      .join(".")
      .replaceAll(".[", "[");
    return path === "" ? issue.message : `${path}: ${issue.message}`;
  });
  const rest = error.issues.length - shown.length;
  return shown.join("; ") + (rest > 0 ? `; and ${rest} more` : "");
}

const SIZES: Readonly<Record<string, string>> = { string: " characters", array: " entries", set: " entries", map: " entries" };
const KINDS: Readonly<Record<string, string>> = {
  string: "a text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
};

/**
 * Says a problem in words that need no knowledge of the checker: for `safeParse(value, { error: plainWords })`. What a schema says
 * itself comes first.
 */
export function plainWords(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case "invalid_type":
      return issue.input === undefined ? "is missing" : `must be ${KINDS[issue.expected] ?? issue.expected}`;
    case "too_small":
      if (SIZES[issue.origin] && Number(issue.minimum) === 1) return "must not be empty";
      return `must ${SIZES[issue.origin] ? "have" : "be"} ${issue.inclusive === false ? "more than" : "at least"} ${issue.minimum}${SIZES[issue.origin] ?? ""}`;
    case "too_big":
      return `must ${SIZES[issue.origin] ? "have" : "be"} ${issue.inclusive === false ? "less than" : "at most"} ${issue.maximum}${SIZES[issue.origin] ?? ""}`;
    case "invalid_value":
      return `must be ${issue.values.length === 1 ? "" : "one of "}${issue.values.map(String).join(", ")}`;
    case "unrecognized_keys":
      return `there is no ${issue.keys.map((key) => `"${String(key).slice(0, 60)}"`).join(", ")} here`;
    default:
      return undefined;
  }
}
