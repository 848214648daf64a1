/** The ends of a secret in base64: the characters that hold its bits together with bits of what stands before or behind it. */

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
/** Characters that encode three bytes together. */
const QUANTUM = 4;
/** Of the six bits of the shared character those that are the secret's, by the characters between the core and the end of its quantum. */
const MASKS_BEFORE: Readonly<Record<number, number>> = { 2: 0b001111, 3: 0b000011 };
const MASKS_AFTER: Readonly<Record<number, number>> = { 2: 0b111100, 3: 0b110000 };

/** What stands around a core that is the core of this secret. Lengths in characters; none = 0. */
export interface Base64Edges {
  before: number;
  /** The bits of the secret in the character right before the core, under their mask. */
  bitsBefore: number;
  after: number;
  bitsAfter: number;
}

/** The edges of `encoded.slice(first, last)`. `encoded` holds zeros before the secret, and nothing behind it. */
export function base64EdgesOf(encoded: string, first: number, last: number): Base64Edges {
  return {
    before: first,
    bitsBefore: first === 0 ? 0 : valueAt(encoded, first - 1),
    after: (QUANTUM - (last % QUANTUM)) % QUANTUM,
    bitsAfter: Math.max(valueAt(encoded, last), 0),
  };
}

/**
 * The range with what is left of its first and last quantum, when the bits of the secret in the shared characters are right:
 * then these characters belong to the same base64 text, and nothing else does.
 */
export function widenOverEdges(text: string, start: number, end: number, edges: Base64Edges): { start: number; end: number } {
  let from = start;
  let to = end;
  const maskBefore = MASKS_BEFORE[edges.before] ?? 0;
  if (maskBefore > 0 && isShared(text, start - 1, maskBefore, edges.bitsBefore)) {
    while (from > start - edges.before && valueAt(text, from - 1) >= 0) from--;
  }
  const maskAfter = MASKS_AFTER[edges.after] ?? 0;
  if (maskAfter > 0 && isShared(text, end, maskAfter, edges.bitsAfter)) {
    while (to < end + edges.after && (valueAt(text, to) >= 0 || text.charAt(to) === "=")) to++;
  }
  return { start: from, end: to };
}

function isShared(text: string, at: number, mask: number, bits: number): boolean {
  const value = valueAt(text, at);
  return value >= 0 && (value & mask) === bits;
}

/** -1 for what is no character of base64, in either alphabet. */
function valueAt(text: string, at: number): number {
  const character = text.charAt(at);
  if (character === "") return -1;
  return ALPHABET.indexOf(character === "-" ? "+" : character === "_" ? "/" : character);
}
