/** The reviewable form of a consolidated run: Markdown for a person, JSON for a program. Nothing is applied anywhere. */
import { STAGED_BEGIN, STAGED_END } from "./clean-own-output";
import type { Consolidated, Coverage, InsightSource, StagedInsight } from "./pipeline.schema";

/** Which run made the statements; stands on top of both forms. */
export interface StageOrigin {
  /** YYYY-MM-DD. */
  sourceDate: string;
  runId: string;
  runName: string;
  backend: string;
  model: string;
}

/** `version` of the JSON form. */
const STAGED_VERSION = "switchyard.staged.v1";

/** A heading longer than this is cut at a word; the statement stands whole below it. */
const HEADING_LENGTH = 80;

/**
 * Begins and ends with the marks by which cleaning recognises the product's own output, so that it is never distilled again.
 * One block an insight: topic, section, confidence, sources. Text of models is
 * escaped; the document ends with a newline.
 */
export function stageMarkdown(consolidated: Consolidated, origin: StageOrigin): string {
  const lines = [
    STAGED_BEGIN,
    "",
    `# Staged insights for ${origin.sourceDate}`,
    "",
    `- Run: ${escapeMarkdown(origin.runName)} (${escapeMarkdown(origin.runId)})`,
    `- Backend: ${escapeMarkdown(origin.backend)}, model ${escapeMarkdown(origin.model)}`,
    `- Coverage: ${describeCoverage(consolidated.coverage)}${consolidated.partial ? ". **Partial: accepted by the operator.**" : ""}`,
    `- Insights: ${consolidated.insights.length}; repetitions merged: ${consolidated.duplicates}`,
  ];
  if (consolidated.invalid.length > 0) {
    lines.push(
      `- Entries that were no insights: ${consolidated.invalid.map(({ chunk, count }) => `${count} in chunk ${chunk}`).join(", ")}`,
    );
  }
  for (const insight of consolidated.insights) lines.push("", ...block(insight));
  lines.push("", STAGED_END);
  return `${lines.join("\n")}\n`;
}

/** The same as data: `version`, the origin, and the consolidated run unchanged. Two-space JSON with a final newline. */
export function stageJson(consolidated: Consolidated, origin: StageOrigin): string {
  const { sourceDate, runId, runName, backend, model } = origin;
  return `${JSON.stringify({ version: STAGED_VERSION, sourceDate, runId, runName, backend, model, ...consolidated }, null, 2)}\n`;
}

/** "9 of 9 chunks", or "7 of 9 chunks; failed 5; missing 3, 8". */
export function describeCoverage(coverage: Coverage): string {
  const failed = coverage.failed.length > 0 ? `; failed ${coverage.failed.join(", ")}` : "";
  const missing = coverage.missing.length > 0 ? `; missing ${coverage.missing.join(", ")}` : "";
  return `${coverage.done} of ${coverage.total} chunks${failed}${missing}`;
}

function block(insight: StagedInsight): string[] {
  return [
    `## ${insight.rank}. ${escapeMarkdown(shorten(insight.topic === "" ? insight.content : insight.topic))}`,
    "",
    escapeMarkdown(insight.content),
    "",
    `- Topic: ${insight.topic === "" ? "none named" : escapeMarkdown(insight.topic)}`,
    `- Section: ${insight.section === "" ? "none named" : escapeMarkdown(insight.section)}`,
    `- Confidence: ${insight.confidence}; score ${insight.score} (${Object.entries(insight.scoreParts)
      .map(([name, points]) => `${name} ${points}`)
      .join(", ")})`,
    `- Date: ${escapeMarkdown(insight.date)}`,
    "- Sources:",
    ...insight.sources.map((source) => `  - ${describeSource(source)}`),
  ];
}

function describeSource(source: InsightSource): string {
  const place = `chunk ${source.chunk}, attempt ${source.attempt}, document ${source.document + 1}, characters ${source.start}–${source.end}`;
  return source.exact ? place : `${place} (the whole chunk: its quote was not found word for word)`;
}

function shorten(text: string): string {
  const line = text.replace(/\s+/gu, " ").trim();
  if (line.length <= HEADING_LENGTH) return line;
  const cut = line.slice(0, HEADING_LENGTH).replace(/[\uD800-\uDBFF]$/u, "");
  return `${cut.replace(/\s+\S*$/u, "")}…`;
}

/**
 * One line of plain text that no Markdown reader takes for markup: marks, HTML, entities, comment markers and what
 * would start a list, heading or table are escaped; control and direction-changing characters go.
 */
export function escapeMarkdown(text: string): string {
  return (
    text
      .replace(/\s+/gu, " ")
      .trim()
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
      .replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, "")
      .replace(/[\\`*_[\]<>#|~&!{}$]/gu, "\\$&")
      .replace(/^([-+=])/u, "\\$1")
      .replace(/^(\d+)([.)])/u, "$1\\$2")
  );
}
