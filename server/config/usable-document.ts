import { AppError } from "@/server/shared/app-error";
import type { ConfigDocument } from "./config-document.schema";
import type { ParseConfig } from "./current-config";

/** Where a text comes from: a file, with what is to be said of it (`(SWITCHYARD_CONFIG)`). */
export interface ConfigTextSource {
  file: string;
  note?: string;
}

/**
 * The document of a text; throws `invalid_config` with the first error in its sentence and all problems in its details. The error's
 * place in a file is said as `file:line:column`, as `config check` says it and terminals make links of it.
 */
export function usableDocument(parse: ParseConfig, text: string, source?: ConfigTextSource): ConfigDocument {
  const { document, problems } = parse(text);
  if (document) return document;
  const errors = problems.filter(({ severity }) => severity === "error");
  const [first] = errors;
  const line = first?.line ?? null;
  const place = source && line !== null ? `:${line}:${first?.column ?? 1}` : "";
  const note = source?.note === undefined ? "" : ` ${source.note}`;
  const what = source ? `${source.file}${place}${note}` : "The configuration";
  const where = [source || line === null ? "" : `line ${line}`, first?.path ?? ""].filter(Boolean).join(", ");
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : "";
  throw new AppError(
    "invalid_config",
    `${what} has an error${more}. ${where === "" ? "" : `${where}: `}${first?.message ?? ""}`,
    { details: { problems } },
  );
}
