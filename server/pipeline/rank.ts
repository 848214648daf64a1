/** How worth reading first is a statement? A sum of named whole numbers, so that a page can show why and no float order matters. */
import type { Insight } from "@/server/artifacts/insight.schema";

export interface Rankable {
  content: string;
  section: string;
  confidence: NonNullable<Insight["confidence"]>;
  /** Distinct chunks that the statement stands in. */
  independentSources: number;
}

export interface Ranking {
  score: number;
  /** The score is their sum. */
  parts: Record<string, number>;
}

/** The backend's own word weighs most, since it alone has read the context. */
const CONFIDENCE_POINTS = { high: 4, medium: 2, low: 0 } as const;

/** What changes future behaviour before what happened: a decision or rule outlives the number that led to it. */
const SECTION_POINTS: ReadonlyArray<readonly [RegExp, number]> = [
  [/decision|decided|rule|policy|constraint|决定|决策|规则|约束|规范/iu, 3],
  [/cause|reason|lesson|learn|playbook|原因|教训|经验/iu, 3],
  [/workflow|procedure|process|concept|how.?to|流程|步骤|做法|概念/iu, 2],
  [/fact|finding|measure|事实|发现|数据/iu, 1],
];

/** Words that say themselves that the sentence is a decision, a cause, a rule. One point each, by idea and not by count of words. */
const STRONG_WORDS: readonly RegExp[] = [
  /\b(?:decided|decision|agreed|chose|rejected)\b|决定|决议|否决|采用|改用/iu,
  /\b(?:root cause|because|caused by|due to|turned out)\b|原因|因为|由于|导致/iu,
  /\b(?:must|never|always|shall|forbidden|mandatory)\b|必须|不得|禁止|一律|务必|严禁/iu,
  /\b(?:lesson|learned|learnt|pitfall|gotcha)\b|教训|经验|踩坑/iu,
  /\b(?:migration|upgrade|rollback|playbook|runbook|workflow)\b|迁移|升级|回滚|流程/iu,
];
/** More than this many ideas in one sentence is a summary, not a stronger statement. */
const STRONG_WORDS_CAP = 3;

/** Things a reader can check: numbers, code or identifiers, quoted names. */
const CONCRETE: readonly RegExp[] = [
  /\d/u,
  /`[^`]+`|\b\w+_\w+\b|\b[a-z]+[A-Z]\w+|\b[\w-]+\.(?:ts|js|py|md|json|ya?ml|sh|sql)\b/u,
  /"[^"]+"|“[^”]+”|「[^」]+」/u,
];

/** Shorter than the lower bound seldom stands alone, longer than the upper one is a paragraph. A Chinese character carries about as much as three Latin letters. */
const GOOD_LENGTH = { from: 40, to: 400 } as const;
const CJK_WEIGHT = 3;

/** A third independent mention adds less than the second; beyond that it is routine. */
const REPEAT_CAP = 2;

/** Scores one statement. Pure: the same input gives the same whole numbers. */
export function rank(statement: Rankable): Ranking {
  const parts = {
    confidence: CONFIDENCE_POINTS[statement.confidence],
    section: SECTION_POINTS.find(([pattern]) => pattern.test(statement.section))?.[1] ?? 0,
    strongWords: Math.min(STRONG_WORDS_CAP, STRONG_WORDS.filter((pattern) => pattern.test(statement.content)).length),
    concreteness: CONCRETE.filter((pattern) => pattern.test(statement.content)).length,
    length: hasGoodLength(statement.content) ? 1 : 0,
    sources: Math.min(REPEAT_CAP, Math.max(0, statement.independentSources - 1)),
  };
  return { score: Object.values(parts).reduce((sum, points) => sum + points, 0), parts };
}

function hasGoodLength(content: string): boolean {
  const length = content.length + (content.match(/\p{Script=Han}/gu)?.length ?? 0) * (CJK_WEIGHT - 1);
  return length >= GOOD_LENGTH.from && length <= GOOD_LENGTH.to;
}

/** Order of Unicode code points: the same on every machine, whatever its locale, unlike `localeCompare`; UTF-16 order differs from it above U+FFFF. */
export function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    if (a.charCodeAt(i) === b.charCodeAt(i)) continue;
    // The first difference may be the second half of a pair whose first half is equal; code points start one earlier then.
    const start = i > 0 && isHighSurrogate(a.charCodeAt(i - 1)) ? i - 1 : i;
    return (a.codePointAt(start) ?? 0) - (b.codePointAt(start) ?? 0);
  }
  return a.length - b.length;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
