/** Where two word sequences differ: what stands between the words of their longest common subsequence. */

export interface Gap {
  removed: readonly string[];
  added: readonly string[];
}

/** Cells of the table that is filled: two statements of 500 differing words. Beyond it a word-by-word look costs more than a doubled statement. */
const TABLE_LIMIT = 250_000;

/** The gaps from `a` to `b` in order, or undefined when the two differ over too long a stretch to compare. */
export function gapsBetween(a: readonly string[], b: readonly string[]): Gap[] | undefined {
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
  const [first, second] = [a.slice(head, a.length - tail), b.slice(head, b.length - tail)];
  if (first.length === 0 && second.length === 0) return [];
  if (first.length === 0 || second.length === 0) return [{ removed: first, added: second }];
  if ((first.length + 1) * (second.length + 1) > TABLE_LIMIT) return undefined;
  return walk(first, second);
}

function walk(a: readonly string[], b: readonly string[]): Gap[] {
  const longestAt = commonLengths(a, b);
  const gaps: Gap[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    const [startA, startB] = [i, j];
    while ((i < a.length || j < b.length) && (i >= a.length || j >= b.length || a[i] !== b[j])) {
      if (j >= b.length || (i < a.length && longestAt(i + 1, j) >= longestAt(i, j + 1))) i++;
      else j++;
    }
    if (i > startA || j > startB) gaps.push({ removed: a.slice(startA, i), added: b.slice(startB, j) });
    while (i < a.length && j < b.length && a[i] === b[j]) {
      i++;
      j++;
    }
  }
  return gaps;
}

/** The length of the longest common subsequence of `a` from i and `b` from j. */
function commonLengths(a: readonly string[], b: readonly string[]): (i: number, j: number) => number {
  const width = b.length + 1;
  const lengths = new Uint16Array((a.length + 1) * width);
  const at = (i: number, j: number) => lengths[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      lengths[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  return at;
}
