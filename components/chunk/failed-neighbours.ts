/** The first failed chunk with an index above `after`; null when there is none. */
export type NextFailed = (after: number) => Promise<number | null>;

export interface FailedNeighbours {
  previous: number | null;
  next: number | null;
}

/**
 * The failed chunks on both sides of `index`. The API only looks forward, so backward it is asked in growing steps and then
 * by halves: one question where failures stand together, about 2·log2(index) at worst.
 */
export async function failedNeighbours(nextFailed: NextFailed, index: number): Promise<FailedNeighbours> {
  const [previous, next] = await Promise.all([previousFailed(nextFailed, index), nextFailed(index)]);
  return { previous, next };
}

async function previousFailed(nextFailed: NextFailed, index: number): Promise<number | null> {
  // Nothing failed stands in [clear, index).
  let clear = index;
  for (let step = 1; clear > 1; step *= 2) {
    const from = Math.max(clear - step, 1);
    const found = await nextFailed(from - 1);
    if (found !== null && found < clear) return lastFailedIn(nextFailed, found, clear);
    clear = from;
  }
  return null;
}

/** The last failed chunk in [found, end), where `found` has failed. */
async function lastFailedIn(nextFailed: NextFailed, found: number, end: number): Promise<number> {
  let low = found;
  let high = end;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    const next = await nextFailed(middle - 1);
    if (next !== null && next < high) low = next;
    else high = middle;
  }
  return low;
}
