/** Drops lines that come again and again: counters of a platform, beats of a log. The first of each stays, unless it is a bare counter. */
import type { CleanLine } from "./clean-lines";
import { isPlain } from "./clean-lines";
import { hasSignal, isCounterValue, isLowInformation, readCounter, weightOf, withoutNumbers, withoutTimes } from "./clean-words";

/** As often as a line must come before it counts as a repetition: in a routine report, … */
const OFTEN_IN_ROUTINE = 4;
/** … as a sentence that stands for itself, … */
const OFTEN_AS_SENTENCE = 4;
/** … as a short line or `key: value`, which may say something else under each heading, … */
const OFTEN_AS_FRAGMENT = 10;
/** … as a rule or decision, … */
const OFTEN_WITH_SIGNAL = 8;
/**
 * … and, when only its numbers differ and nothing else marks it as a log: a month of daily figures must not reach it. Then the
 * numbers must come round again as well, as readings do; in a list of versions or tickets each stands once.
 */
const OFTEN_WITH_OTHER_NUMBERS = 40;
/** Readings come round this often at least; a list of tickets that was pasted twice, or into three entries of a changelog, does not. */
const ROUNDS_OF_READINGS = 4;
/** The same line right after itself. */
const OFTEN_IN_A_ROW = 3;

const SENTENCE_WEIGHT = 30;
const SHORTEST_WEIGHT = 8;
const FEWEST_WORDS = 3;
/** Labels (`**Cause:**`) and lines of code say different things at each place. */
const LABEL = /[:：]\**\s*$|^\s*\*\*[^*]+\*\*\s*$/;
const CODE_END = /[{};,()]\s*$/;

interface Place {
  line: CleanLine;
  index: number;
}

export function dropRepeats(lines: CleanLine[]): void {
  dropCounters(lines);
  const plain: Place[] = [];
  for (const [index, line] of lines.entries()) {
    if (isPlain(line) && !LABEL.test(line.text) && !CODE_END.test(line.text)) plain.push({ line, index });
  }
  for (const group of groupBy(plain, ({ line }) => withoutTimes(line.text))) dropEqual(group);
  // Those dropped as equal count too: a log whose numbers come round again is still one log.
  const numbered = plain.filter(({ line }) => /\d/.test(line.text));
  for (const group of groupBy(numbered, ({ line }) => withoutNumbers(line.text))) dropNumbered(group);
}

/** `- **Inbox:** 3 unread` under every heartbeat: all of them go, for the first says no more than the last. */
function dropCounters(lines: CleanLine[]): void {
  const counters: Place[] = [];
  for (const [index, line] of lines.entries()) {
    if (!isPlain(line) && !(line.kind === "heading" && isSectionEmpty(lines, index))) continue;
    const counter = readCounter(line.text);
    if (counter && isCounterValue(counter.value) && !hasSignal(line.text)) counters.push({ line, index });
  }
  for (const group of groupBy(counters, ({ line }) => withoutNumbers(line.text))) {
    const areReadings = isReadings(group);
    if (!areReadings && group.filter(({ line }) => line.isRoutine).length < OFTEN_IN_ROUTINE) continue;
    for (const { line } of group) if (line.isRoutine || areReadings) line.reason = "metadata";
  }
}

function isReadings(group: readonly Place[]): boolean {
  if (group.length < OFTEN_WITH_OTHER_NUMBERS) return false;
  return new Set(group.map(({ line }) => withoutTimes(line.text))).size <= group.length / ROUNDS_OF_READINGS;
}

function isSectionEmpty(lines: readonly CleanLine[], heading: number): boolean {
  let next = heading + 1;
  while (lines[next]?.kind === "blank") next++;
  const after = lines[next];
  return after === undefined || (after.kind === "heading" && after.depth <= (lines[heading]?.depth ?? 0));
}

function dropEqual(group: readonly Place[]): void {
  const first = group[0];
  if (!first || group.length < OFTEN_IN_A_ROW) return;
  const weight = weightOf(first.line.text);
  if (weight < SHORTEST_WEIGHT) return;
  const isSignal = hasSignal(first.line.text);
  // Nothing but the same line again and again is a log, however few there are.
  const isInARow = !isSignal && group.every(({ index }, at) => at === 0 || index - (group[at - 1]?.index ?? 0) <= 2);
  if (!isInARow && group.length < oftenFor(first.line, weight, isSignal)) return;
  for (const { line } of group.slice(1)) line.reason = "repeated";
}

function oftenFor(line: CleanLine, weight: number, isSignal: boolean): number {
  if (isSignal) return OFTEN_WITH_SIGNAL;
  if (line.isRoutine || isLowInformation(line.text)) return OFTEN_IN_ROUTINE;
  return weight >= SENTENCE_WEIGHT && readCounter(line.text) === null ? OFTEN_AS_SENTENCE : OFTEN_AS_FRAGMENT;
}

/** Lines that differ in their numbers alone. Rules and decisions are not among them: their numbers are what they say. */
function dropNumbered(group: readonly Place[]): void {
  const first = group[0];
  if (!first || group.length < OFTEN_IN_ROUTINE || group.some(({ line }) => hasSignal(line.text))) return;
  const words = first.line.text.match(/\p{L}+/gu)?.length ?? 0;
  if (words < FEWEST_WORDS && weightOf(first.line.text) < SHORTEST_WEIGHT) return;
  const isLog = group.every(({ line }) => line.isRoutine) || isLowInformation(first.line.text);
  if (!isLog && (words < FEWEST_WORDS || !isReadings(group))) return;
  for (const { line } of group.slice(1)) line.reason = "repeated";
}

function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Item[][] {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return [...groups.values()];
}
