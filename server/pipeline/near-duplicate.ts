/**
 * When do two statements say the same? Pure text comparison, English and Chinese, no model.
 *
 * The bias is deliberate: two wordings left side by side cost a reader a second, one statement swallowed by
 * another with a different number, name or negation is lost knowledge. So similarity alone never merges:
 * numbers, negations and one-for-one word swaps each have a veto.
 */
import { gapsBetween } from "./near-duplicate-gaps";

/** A statement prepared for comparison. Build once, compare often. */
export interface Fingerprint {
  /** Normalised text: equal texts are exact duplicates. */
  readonly text: string;
  /** Ordered units: stemmed words without stop words, and single Chinese characters. */
  readonly units: readonly string[];
  /** Words and Chinese character pairs: what the statement is about. */
  readonly terms: ReadonlySet<string>;
  /** Neighbouring units: in which order it says so. */
  readonly pairs: ReadonlySet<string>;
  /** Every unit with a digit, in order. */
  readonly numbers: readonly string[];
  /** Negations and restrictions by class and count, e.g. `not:1 only:1`. */
  readonly polarity: string;
}

/** Of the shared terms over all terms: above it two statements of like length are the same. Below about 0.7 different sentences on one topic begin to meet. */
export const SAME_TERMS = 0.75;
/** Of the shorter one's terms found in the longer: a restatement inside a fuller one. Stricter, since a long text holds many words by chance. */
export const CONTAINED_TERMS = 0.85;
/** Of the shorter one's neighbouring pairs found in the other: keeps "from Berlin to Rome" apart from "from Rome to Berlin". */
export const SAME_ORDER = 0.6;
/** A statement with fewer terms may not vanish inside a longer one: three common words prove nothing. */
const CONTAINED_MINIMUM = 6;
/** With fewer terms only equality of the normalised text counts. */
const COMPARABLE_MINIMUM = 3;
/** A changed stretch longer than this is a rewording, judged by the shares above; a shorter one is a swapped name or value. */
const SWAP_LENGTH = 2;

/** Said again: openings that announce a repetition and add nothing. Optionally with the topic up to a colon. */
const RESTATED = [
  /^(?:as|like)\s+(?:(?:i|we|already|was|has been|previously)\s+)*(?:said|noted|mentioned|stated|discussed|agreed|decided|written|explained|established)(?:\s+(?:before|earlier|above|already|previously|yesterday|last\s+\w+|this\s+\w+))*\s*(?:,?\s*(?:on|about|regarding|concerning|for)\s+[^:.;]{1,60}:|[:,\-–—])\s*/iu,
  /^(?:to\s+repeat|to\s+restate|once\s+(?:more|again)|again|repeating|reminder|recap|see\s+above)\s*(?:,?\s*(?:on|about|regarding)\s+[^:.;]{1,60}:|[:,\-–—])\s*/iu,
  /^(?:如前所述|如上所述|前面说过|之前说过|上面说过|再次强调|再次说明|重申|再说一遍|重复一下|提醒一下|提醒)(?:[，,]?\s*(?:关于|对于|有关)[^：:。；]{1,30}[：:]|[一下]{0,2}[：:，,、\s])\s*/u,
];

const STOP_WORDS = new Set(
  "a an the is are was were be been being am it its this that these those of to and then also so just very now has have had do does did will would as at by for in on with we i you they he she our your their there here which who into too".split(
    " ",
  ),
);

/** Particles of Chinese that carry no content. */
const STOP_CHARACTERS = new Set("的了吗呢吧啊呀是就也都很在和与而且着过个");

const POLARITY: ReadonlyArray<readonly [string, RegExp]> = [
  [
    "not",
    /\b(?:not|never|no|none|nobody|nothing|neither|nor|cannot|without|against|reject\w*|forb[ai]d\w*|refus\w*|stop\w*|avoid\w*)\b|n't\b|[不没無无未非勿别莫禁拒]/giu,
  ],
  ["only", /\b(?:only|except|unless|solely|exclusively)\b|[只仅]|除非|除了/giu],
  ["off", /\b(?:off|disabl\w*|remov\w*|delet\w*|drop\w*)\b|关闭|禁用|停用|删除|移除/giu],
];

const UNIT = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{M}\p{N}]+(?:[.'_/-][\p{L}\p{M}\p{N}]+)*/gu;
const CJK = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]$/u;
const DIGIT = /\p{N}/u;

/** Without announcements of a repetition ("As said before, on X:"), however often they are stacked. */
export function withoutRestatement(text: string): string {
  let rest = text.trim();
  for (let changed = true; changed; ) {
    changed = false;
    for (const pattern of RESTATED) {
      const shorter = rest.replace(pattern, "");
      if (shorter !== rest && shorter.trim() !== "") {
        rest = shorter;
        changed = true;
      }
    }
  }
  return rest;
}

/** Endings of English inflection, crudely: "waits", "waited" and "waiting" are one word here. */
function stem(word: string): string {
  if (word.length < 5 || DIGIT.test(word)) return word;
  return word.replace(/(?:'s|ing|ed|es|s|e)$/u, "");
}

/** Case, width, Markdown marks, thousands separators and percent spacing do not make a difference; digits do. */
function normalise(text: string): string {
  return withoutRestatement(
    text
      .normalize("NFKC")
      .replace(/[*`~]+/gu, "")
      .trim(),
  )
    .toLowerCase()
    .replace(/[’ʼ]/gu, "'")
    .replace(/(?<=\d),(?=\d{3}(?!\d))/gu, "");
}

/** Prepares a statement for `areNearDuplicates` and the index. */
export function fingerprint(content: string): Fingerprint {
  const normal = normalise(content);
  const all = normal.match(UNIT) ?? [];
  const units: string[] = [];
  for (const unit of all) {
    if (CJK.test(unit)) {
      if (!STOP_CHARACTERS.has(unit)) units.push(unit);
    } else if (!STOP_WORDS.has(unit)) {
      units.push(stem(unit));
    }
  }
  const terms = new Set<string>();
  const pairs = new Set<string>();
  units.forEach((unit, i) => {
    const next = units[i + 1];
    if (next !== undefined) pairs.add(`${unit} ${next}`);
    if (!CJK.test(unit)) terms.add(unit);
    else if (next !== undefined && CJK.test(next)) terms.add(unit + next);
    else if (i === 0 || !CJK.test(units[i - 1] ?? "")) terms.add(unit);
  });
  return {
    text: all.join(" "),
    units,
    terms,
    pairs,
    numbers: units.filter((unit) => DIGIT.test(unit)),
    polarity: POLARITY.map(([name, pattern]) => `${name}:${normal.match(pattern)?.length ?? 0}`).join(" "),
  };
}

/** True when one says what the other says, or is contained in it. Symmetric. */
export function areNearDuplicates(a: Fingerprint, b: Fingerprint): boolean {
  return a.text === b.text || (areSimilar(a, b) && !hasSwap(a, b));
}

/** Everything but the word-by-word look: cheap, and false for nearly all pairs. Necessary, not sufficient. */
export function areSimilar(a: Fingerprint, b: Fingerprint): boolean {
  const [small, large] = a.terms.size <= b.terms.size ? [a, b] : [b, a];
  if (small.terms.size < COMPARABLE_MINIMUM || small.polarity !== large.polarity) return false;
  const shared = countShared(small.terms, large.terms, SAME_TERMS * small.terms.size);
  const same =
    shared / (small.terms.size + large.terms.size - shared) >= SAME_TERMS && small.numbers.length === large.numbers.length;
  const contained = small.terms.size >= CONTAINED_MINIMUM && shared / small.terms.size >= CONTAINED_TERMS;
  if (!same && !contained) return false;
  if (!isSubsequence(small.numbers, large.numbers)) return false;
  const needed = SAME_ORDER * small.pairs.size;
  return countShared(small.pairs, large.pairs, needed) >= needed;
}

/**
 * The word-by-word look: true when a short stretch of one stands where a short stretch of the other stood ("Redis" for
 * "Postgres", "多" for "少"), or a unit has moved ("from Berlin to Rome"): the frame is the same and the point is not.
 */
export function hasSwap(a: Fingerprint, b: Fingerprint): boolean {
  // Ties between equally long common sequences must not depend on who comes first.
  const gaps = a.text < b.text ? gapsBetween(a.units, b.units) : gapsBetween(b.units, a.units);
  if (!gaps) return true;
  const removed = new Set<string>();
  const added = new Set<string>();
  for (const gap of gaps) {
    const shorter = Math.min(gap.removed.length, gap.added.length);
    if (shorter > 0 && shorter <= SWAP_LENGTH) return true;
    for (const unit of gap.removed) removed.add(unit);
    for (const unit of gap.added) added.add(unit);
  }
  return [...removed].some((unit) => added.has(unit));
}

/** How many entries both have; 0 as soon as `minimum` is out of reach, which most pairs show after a few. */
function countShared(small: ReadonlySet<string>, large: ReadonlySet<string>, minimum: number): number {
  let shared = 0;
  let reach = small.size;
  for (const entry of small) {
    if (large.has(entry)) shared++;
    else if (--reach < minimum) return 0;
  }
  return shared;
}

function isSubsequence(short: readonly string[], long: readonly string[]): boolean {
  let at = 0;
  for (const entry of short) {
    at = long.indexOf(entry, at) + 1;
    if (at === 0) return false;
  }
  return true;
}
