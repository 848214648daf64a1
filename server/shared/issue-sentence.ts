import type { ZodError } from "zod";

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
