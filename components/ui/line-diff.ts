/** A difference of two texts: lines [oldStart, oldEnd) of the old one became lines [newStart, newEnd) of the new one. Counted from 0. */
export interface Hunk {
  oldStart: number;
  oldEnd: number;
  newStart: number;
  newEnd: number;
}

/** Texts that differ in more lines than this are shown as replaced: the search costs the square of it. */
const MOST_DIFFERENCES = 1_500;

export function linesOf(text: string): string[] {
  return text.split(/\r?\n/);
}

/** The shortest way from one list of lines to the other (Myers), in order and never touching each other. */
export function diffLines(before: readonly string[], after: readonly string[]): Hunk[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let beforeEnd = before.length;
  let afterEnd = after.length;
  while (beforeEnd > start && afterEnd > start && before[beforeEnd - 1] === after[afterEnd - 1]) {
    beforeEnd--;
    afterEnd--;
  }
  if (start === beforeEnd && start === afterEnd) return [];
  const whole = { oldStart: start, oldEnd: beforeEnd, newStart: start, newEnd: afterEnd };
  if (start === beforeEnd || start === afterEnd) return [whole];
  const steps = searchPath(before.slice(start, beforeEnd), after.slice(start, afterEnd));
  if (steps === null) return [whole];
  return joinSteps(steps).map((hunk) => ({
    oldStart: hunk.oldStart + start,
    oldEnd: hunk.oldEnd + start,
    newStart: hunk.newStart + start,
    newEnd: hunk.newEnd + start,
  }));
}

/** One line taken out (of the old text) or put in (from the new one), at this place of both. */
interface Step {
  kind: "removed" | "added";
  old: number;
  new: number;
}

function searchPath(before: readonly string[], after: readonly string[]): Step[] | null {
  const most = Math.min(before.length + after.length, MOST_DIFFERENCES);
  // furthest[k + most] = how far the old text is used up on diagonal k, after so many differences.
  const furthest = new Int32Array(2 * most + 2);
  const trace: Int32Array[] = [];
  for (let differences = 0; differences <= most; differences++) {
    trace.push(furthest.slice(most - differences, most + differences + 2));
    for (let k = -differences; k <= differences; k += 2) {
      const isDown = k === -differences || (k !== differences && at(furthest, most + k - 1) < at(furthest, most + k + 1));
      let x = isDown ? at(furthest, most + k + 1) : at(furthest, most + k - 1) + 1;
      while (x < before.length && x - k < after.length && before[x] === after[x - k]) x++;
      furthest[most + k] = x;
      if (x >= before.length && x - k >= after.length) return stepsBack(trace, before.length, after.length);
    }
  }
  return null;
}

function stepsBack(trace: readonly Int32Array[], oldLength: number, newLength: number): Step[] {
  const steps: Step[] = [];
  let x = oldLength;
  let y = newLength;
  for (let differences = trace.length - 1; differences > 0; differences--) {
    const furthest = trace[differences] ?? new Int32Array();
    const k = x - y;
    const isDown =
      k === -differences || (k !== differences && at(furthest, differences + k - 1) < at(furthest, differences + k + 1));
    const formerK = isDown ? k + 1 : k - 1;
    const formerX = at(furthest, differences + formerK);
    const formerY = formerX - formerK;
    steps.push(isDown ? { kind: "added", old: formerX, new: formerY } : { kind: "removed", old: formerX, new: formerY });
    x = formerX;
    y = formerY;
  }
  return steps.reverse();
}

/** Every index that is asked for is inside; the compiler cannot know. */
function at(numbers: Int32Array, index: number): number {
  return numbers[index] ?? 0;
}

function joinSteps(steps: readonly Step[]): Hunk[] {
  const hunks: Hunk[] = [];
  for (const step of steps) {
    let last = hunks.at(-1);
    if (last === undefined || last.oldEnd !== step.old || last.newEnd !== step.new) {
      last = { oldStart: step.old, oldEnd: step.old, newStart: step.new, newEnd: step.new };
      hunks.push(last);
    }
    if (step.kind === "removed") last.oldEnd++;
    else last.newEnd++;
  }
  return hunks;
}
