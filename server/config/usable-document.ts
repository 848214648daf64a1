import { AppError } from "@/server/shared/app-error";
import type { ConfigDocument } from "./config-document.schema";
import type { ParseConfig } from "./current-config";

/** The document of a text; throws `invalid_config` with the first error in its sentence and all problems in its details. `what` begins the sentence. */
export function usableDocument(parse: ParseConfig, text: string, what = "The configuration"): ConfigDocument {
  const { document, problems } = parse(text);
  if (document) return document;
  const errors = problems.filter(({ severity }) => severity === "error");
  const [first] = errors;
  const where = [first?.line ? `line ${first.line}` : "", first?.path ?? ""].filter(Boolean).join(", ");
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : "";
  throw new AppError(
    "invalid_config",
    `${what} has an error${more}. ${where === "" ? "" : `${where}: `}${first?.message ?? ""}`,
    {
      details: { problems },
    },
  );
}
