/** Finds near-duplicates among thousands of statements without comparing all with all. */
import { areSimilar, CONTAINED_TERMS, type Fingerprint, hasSwap, SAME_ORDER, SAME_TERMS } from "./near-duplicate";

/**
 * Statements a search looks at, and those it compares word by word. Real notes stay far below: their rare words are
 * shared by a few. Thousands of statements from one template reach them; then some repetitions among those may stay.
 */
const LOOKS = 128;
const COMPARISONS = 32;

/**
 * The statements kept so far, by what they are made of.
 *
 * A near-duplicate shares at least `SAME_TERMS` of the smaller one's terms, so it has one of the smaller one's rarest
 * `floor((1 - SAME_TERMS) * n) + 1` terms (prefix filter); the same holds for the neighbouring pairs and `SAME_ORDER`;
 * and it has all its numbers. Each of the three is complete, so a search takes the one with the fewest statements.
 *
 * Fingerprints must be added longest first: `find` looks only for partners with at least as many terms.
 */
export class NearDuplicateIndex<T> {
  readonly #all: readonly Fingerprint[];
  readonly #terms: Postings;
  /** Made when the first search needs it: it costs as much as all searches of ordinary notes together. */
  #pairs: Postings | undefined;
  readonly #byText = new Map<string, number>();
  readonly #entries: { print: Fingerprint; value: T }[] = [];
  /** By entry, the number of the last search that looked at it: a set that costs nothing to empty. */
  readonly #lookedAt: number[] = [];
  #search = 0;

  /** `all`: every fingerprint that will be looked up, to know what is rare. */
  constructor(all: readonly Fingerprint[]) {
    this.#all = all;
    this.#terms = new Postings(all.map((print) => print.terms));
  }

  /** The earliest added near-duplicate of `print`, or undefined. */
  find(print: Fingerprint): T | undefined {
    this.#search++;
    let best = this.#byText.get(print.text) ?? Number.POSITIVE_INFINITY;
    let looks = 0;
    let comparisons = 0;
    for (const { positions, largest } of this.#cheapestLists(print)) {
      for (const position of positions) {
        if (position >= best || looks >= LOOKS || comparisons >= COMPARISONS) break;
        const entry = this.#entries[position];
        if (!entry || this.#lookedAt[position] === this.#search) continue;
        if (entry.print.polarity !== print.polarity || entry.print.terms.size > largest) continue;
        this.#lookedAt[position] = this.#search;
        looks++;
        if (!areSimilar(print, entry.print)) continue;
        comparisons++;
        if (!hasSwap(print, entry.print)) best = position;
      }
    }
    return this.#entries[best]?.value;
  }

  add(print: Fingerprint, value: T): void {
    const position = this.#entries.push({ print, value }) - 1;
    this.#lookedAt.push(0);
    if (!this.#byText.has(print.text)) this.#byText.set(print.text, position);
    this.#terms.add(print.terms, position);
    this.#pairs?.add(print.pairs, position);
  }

  /** The lists of one complete filter, and for each the largest partner (in terms) that can only be found there. */
  #cheapestLists(print: Fingerprint): { positions: readonly number[]; largest: number }[] {
    const size = print.terms.size;
    // Beyond the prefix of containment only a partner of like size can still reach its share.
    const byTerms = this.#terms.rarest(print.terms, Math.floor((1 - SAME_TERMS) * size) + 1).map((positions, i) => ({
      positions,
      largest: i > (1 - CONTAINED_TERMS) * size ? size / SAME_TERMS : Number.POSITIVE_INFINITY,
    }));
    if (count(byTerms) <= LOOKS) return byTerms;
    const anySize = (positions: readonly number[]) => ({ positions, largest: Number.POSITIVE_INFINITY });
    const options = [byTerms];
    if (print.numbers.length > 0) options.push(this.#terms.rarest(new Set(print.numbers), 1).map(anySize));
    if (print.pairs.size > 0) {
      options.push(
        this.#pairPostings()
          .rarest(print.pairs, Math.floor((1 - SAME_ORDER) * print.pairs.size) + 1)
          .map(anySize),
      );
    }
    return options.reduce((cheapest, option) => (count(option) < count(cheapest) ? option : cheapest));
  }

  #pairPostings(): Postings {
    if (this.#pairs) return this.#pairs;
    const pairs = new Postings(this.#all.map((print) => print.pairs));
    for (const [position, { print }] of this.#entries.entries()) pairs.add(print.pairs, position);
    this.#pairs = pairs;
    return pairs;
  }
}

function count(lists: readonly { positions: readonly number[] }[]): number {
  return lists.reduce((sum, { positions }) => sum + positions.length, 0);
}

/** For each feature the entries that have it, in the order they were added. */
class Postings {
  readonly #frequency = new Map<string, number>();
  readonly #byFeature = new Map<string, number[]>();

  constructor(all: readonly ReadonlySet<string>[]) {
    for (const features of all)
      for (const feature of features) this.#frequency.set(feature, (this.#frequency.get(feature) ?? 0) + 1);
  }

  add(features: ReadonlySet<string>, position: number): void {
    for (const feature of features) {
      // What only one statement has is never looked up by another.
      if (this.#frequency.get(feature) === 1) continue;
      const positions = this.#byFeature.get(feature);
      if (positions) positions.push(position);
      else this.#byFeature.set(feature, [position]);
    }
  }

  /** The lists of the `count` rarest features; the order of equally rare ones is fixed. */
  rarest(features: ReadonlySet<string>, count: number): (readonly number[])[] {
    return [...features]
      .map((feature) => ({ feature, frequency: this.#frequency.get(feature) ?? 0 }))
      .sort((a, b) => a.frequency - b.frequency || (a.feature < b.feature ? -1 : 1))
      .slice(0, count)
      .map(({ feature }) => this.#byFeature.get(feature) ?? []);
  }
}
