/**
 * Shares `limit` slots among those who want some: everyone gets what they want while that is at most an equal share, and what
 * they leave is shared among the rest. Whole slots; at least one each for as many as there are slots, in the given order.
 */
export function fairShares(limit: number, wants: readonly number[]): number[] {
  const shares = wants.map(() => 0);
  let left = limit;
  let open = wants.map((_, index) => index).filter((index) => (wants[index] ?? 0) > 0);
  while (left > 0 && open.length > 0) {
    const equal = Math.max(1, Math.floor(left / open.length));
    for (const index of open) {
      const more = Math.min(equal, (wants[index] ?? 0) - (shares[index] ?? 0), left);
      shares[index] = (shares[index] ?? 0) + more;
      left -= more;
    }
    open = open.filter((index) => (shares[index] ?? 0) < (wants[index] ?? 0));
  }
  return shares;
}
