/** Finds the product's own earlier output in a document, so that a day's distillate is not distilled again. */
import { REQUEST_VERSION } from "@/server/artifacts/request-artifact.schema";
import { RESULT_VERSION } from "@/server/artifacts/result-artifact.schema";
import type { CleanLine } from "./clean-lines";
import { drop, fenceEnd } from "./clean-lines";

/** The lines that a staged file is written between. */
export const STAGED_BEGIN = "<!-- switchyard:staged-insights v1 -->";
export const STAGED_END = "<!-- /switchyard:staged-insights -->";

const ANY_BEGIN = /^<!--\s*switchyard:staged-insights\b[^>]*-->$/;
const ANY_END = /^<!--\s*\/switchyard:staged-insights\s*-->$/;
const VERSION = new RegExp(
  `"version"\\s*:\\s*"(?:${[REQUEST_VERSION, RESULT_VERSION].map((version) => version.replaceAll(".", "\\.")).join("|")})"`,
);

/** A begin mark that is never closed drops itself alone: what follows may be a person's. */
export function dropOwnOutput(text: string, lines: CleanLine[]): void {
  dropStaged(lines);
  if (VERSION.test(text)) dropArtifacts(text, lines);
}

function dropStaged(lines: CleanLine[]): void {
  const ends = lines.flatMap((line, index) => (ANY_END.test(line.text.trim()) ? [index] : []));
  let nextEnd = 0;
  for (let index = 0; index < lines.length; index++) {
    if (!ANY_BEGIN.test(lines[index]?.text.trim() ?? "")) continue;
    while ((ends[nextEnd] ?? Number.POSITIVE_INFINITY) < index) nextEnd++;
    const end = ends[nextEnd] ?? index;
    drop(lines, index, end + 1, "own_output");
    index = end;
  }
  for (const index of ends) drop(lines, index, index + 1, "own_output");
}

/** Request and result artifacts: in a fence, on one line, or spread over lines from `{` to `}` at the margin. */
function dropArtifacts(text: string, lines: CleanLine[]): void {
  let open = -1;
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index];
    if (!line) continue;
    if (line.fence >= 0) {
      const end = fenceEnd(lines, index);
      const body = sliceLines(text, lines, index + 1, end - 1);
      if (VERSION.test(body) && isArtifact(body)) drop(lines, index, end, "own_output");
      index = end - 1;
      open = -1;
    } else if (line.text.startsWith("{") && line.text.length > 1 && line.text.trim() !== "{") {
      const whole = text.slice(line.start, line.end);
      if (VERSION.test(whole) && isArtifact(whole)) drop(lines, index, index + 1, "own_output");
    } else if (line.text === "{") {
      open = index;
    } else if (line.text === "}" && open >= 0) {
      const body = sliceLines(text, lines, open, index + 1);
      if (VERSION.test(body) && isArtifact(body)) drop(lines, open, index + 1, "own_output");
      open = -1;
    }
  }
}

function sliceLines(text: string, lines: readonly CleanLine[], from: number, to: number): string {
  const first = lines[from];
  const last = lines[to - 1];
  return first && last ? text.slice(first.start, last.end) : "";
}

function isArtifact(body: string): boolean {
  try {
    const parsed: unknown = JSON.parse(body);
    return (
      typeof parsed === "object" &&
      parsed !== null &&
      "version" in parsed &&
      (parsed.version === REQUEST_VERSION || parsed.version === RESULT_VERSION)
    );
  } catch {
    return false;
  }
}
