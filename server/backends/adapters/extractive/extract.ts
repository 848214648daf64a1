/** From a chunk's text to insights: picks sentences that look worth keeping and files them. Pure; no model. */
import type { Insight } from "@/server/artifacts/insight.schema";
import { headingText, isTimeOfDay, type Label, labelOf, labelOfHeading } from "./labels";
import { type Statement, statementsByBlock } from "./sentences";
import { weigh } from "./signals";

/** Every field that the schema knows except a date: the run's day is the statement's. */
export interface ExtractedInsight {
  topic: string | null;
  section: string;
  content: string;
  confidence: NonNullable<Insight["confidence"]>;
  /** `text.slice(…)` of the chunk, word for word. */
  quote: string;
}

/** Bars on `weigh`'s score: one clear sign in a list item (3 + 1) or one clear and one weak in prose. */
const KEEP_FROM = 4;
const MEDIUM_FROM = 5;
const HIGH_FROM = 7;

/** Limits of the insight schema; a quote is short enough already. */
const CONTENT_LIMIT = 4000;
const TOPIC_LIMIT = 200;

/** The insights of a chunk in the order of its text. */
export function extractInsights(text: string): ExtractedInsight[] {
  const insights: ExtractedInsight[] = [];
  for (const batch of extractByBlock(text)) insights.push(...batch);
  return insights;
}

/** The same, one block of the text at a time, so that a caller may look up between blocks. */
export function* extractByBlock(text: string): Generator<ExtractedInsight[]> {
  for (const statements of statementsByBlock(text)) yield statements.flatMap((statement) => toInsight(text, statement) ?? []);
}

function toInsight(text: string, statement: Statement): ExtractedInsight | undefined {
  const { score, section } = weigh(statement.content, {
    label: statement.label,
    heading: promiseOf(statement.headings),
    form: statement.form,
  });
  if (score < KEEP_FROM) return undefined;
  return {
    topic: topicOf(statement.headings),
    section,
    content: statement.content.slice(0, CONTENT_LIMIT),
    confidence: score >= HIGH_FROM ? "high" : score >= MEDIUM_FROM ? "medium" : "low",
    quote: text.slice(statement.start, statement.end),
  };
}

/**
 * What the nearest promising heading promises. Outer headings pass on only good promises: under "Lessons" every subject
 * is a lesson, but a subject under "Heartbeat 14:20" is work that was noted there.
 */
function promiseOf(headings: readonly string[]): Label | null {
  for (const heading of [...headings].reverse()) {
    const label = labelOfHeading(heading);
    if (label && (label !== "noise" || heading === headings.at(-1))) return label;
  }
  return null;
}

/** The nearest heading that names a subject: not a kind of statement ("Decisions"), not a clock time. The title of the page counts last. */
function topicOf(headings: readonly string[]): string | null {
  for (const heading of [...headings].reverse()) {
    const text = headingText(heading);
    if (/\p{L}/u.test(text) && labelOf(text) === null && !isTimeOfDay(text)) return text.slice(0, TOPIC_LIMIT);
  }
  return null;
}
