/** Weighs the signs of one statement: what marks it worth keeping, what marks talk, where it stands. `extract.ts` sets the bar. */
import { KEEP_SIGNALS, SECTIONS, type Section } from "./keep-signals";
import type { Label } from "./labels";
import { weightedLength } from "./sentences";
import { OUTPUT_SIGNALS, TALK_SIGNALS } from "./talk-signals";

/** A statement under a heading or label that promises such statements needs little more. */
const LABEL_WEIGHT = 4;
/** Under a heading the promise is weaker: talk stands there too. */
const HEADING_WEIGHT = 3;
/** "Fixed" stands above bug fixes and typo fixes alike. */
const SOLUTION_HEADING_WEIGHT = 1;
const NOISE_LABEL_WEIGHT = 4;
/** A problem tells what was seen, not what holds. */
const PROBLEM_WEIGHT = 3;
/** Written as a list item: someone put it down on purpose. */
const ITEM_WEIGHT = 1;
/** Below it a statement carries no thought of its own, above it is a paragraph that nobody split. Weighted characters. */
const LENGTH = { tiny: 14, short: 28, substantial: 50, long: 700 } as const;
/** A mark or word that joins a second clause. */
const CLAUSE =
  /[;；，]|: [\p{Ll}`]|：|\s[–—-]\s|, (?:and|so|but|while|which|because|since|as|then|or|whereas|therefore|not|the|it|they|a|an)\b|\b(?:because|so that|while|unless|when|if|until|than)\b/u;
/** One kind of sign counts once, however many words say it; two kinds support each other, more are a summary. */
const KINDS_COUNTED = 3;
/** A second kind of sign for the same section, such as a comparison beside a measured number. */
const SUPPORT_WEIGHT = 1;

/** "(Closes: #1024598)", "(CVE-2023-0465)": where to look, not what is said. */
const REFERENCE = /\s*\([^()]*(?:#\d|CVE-|https?:)[^()]*\)|\b(?:closes|fixes|refs?|see):? #\d+(?:, ?#\d+)*\.?/giu;

export interface Scored {
  score: number;
  section: Section;
}

const LABEL_SECTIONS: Readonly<Record<Label, Section | null>> = {
  decision: "decision",
  cause: "cause",
  rule: "rule",
  lesson: "lesson",
  workflow: "workflow",
  fact: "fact",
  solution: "decision",
  problem: null,
  noise: null,
};

/** What the statement is judged by, beside its words. */
export interface Surroundings {
  label: Label | null;
  /** What the nearest heading that promises something promises. */
  heading: Label | null;
  form: "item" | "prose";
}

/** Weighs the signs of one statement. Deterministic; higher is more worth keeping, below zero is noise. */
export function weigh(statement: string, around: Surroundings): Scored {
  const content = statement.replace(REFERENCE, " ").trim();
  const bySection = new Map<Section, number>();
  for (const { section, weight, pattern } of KEEP_SIGNALS) {
    if (!pattern.test(content)) continue;
    const known = bySection.get(section);
    bySection.set(section, known === undefined ? weight : Math.max(known, weight) + SUPPORT_WEIGHT);
  }
  const strongest = [...bySection.entries()].sort((a, b) => b[1] - a[1] || SECTIONS.indexOf(a[0]) - SECTIONS.indexOf(b[0]));
  const words = strongest.slice(0, KINDS_COUNTED).reduce((sum, [, weight]) => sum + weight, 0);
  const named = around.label === null ? null : LABEL_SECTIONS[around.label];
  const promised = around.heading === null ? null : LABEL_SECTIONS[around.heading];

  let score = words + (around.form === "item" ? ITEM_WEIGHT : 0);
  if (named) score += LABEL_WEIGHT;
  else if (promised) score += around.heading === "solution" ? SOLUTION_HEADING_WEIGHT : HEADING_WEIGHT;
  if (around.label === "problem") score -= PROBLEM_WEIGHT;
  if (around.label === "noise" || (around.heading === "noise" && !named)) score -= NOISE_LABEL_WEIGHT;
  for (const { weight, pattern } of TALK_SIGNALS) if (pattern.test(content)) score -= weight;
  for (const { weight, pattern } of OUTPUT_SIGNALS) if (pattern.test(content)) score -= weight;
  score += substance(content) - lengthPenalty(content);
  return { score, section: named ?? strongest[0]?.[0] ?? promised ?? "fact" };
}

/** Talk is short and plain; a thought has a second clause. Up to two points. */
function substance(content: string): number {
  if (weightedLength(content) < LENGTH.substantial) return 0;
  return CLAUSE.test(content) ? 2 : 1;
}

function lengthPenalty(content: string): number {
  const length = weightedLength(content);
  if (length < LENGTH.tiny) return 4;
  if (length < LENGTH.short) return 1;
  return length > LENGTH.long ? 2 : 0;
}
