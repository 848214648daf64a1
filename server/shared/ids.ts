import { randomBytes } from "node:crypto";

const CROCKFORD = "0123456789abcdefghjkmnpqrstvwxyz";

/** Asking the system for randomness costs more than an id is worth; a pool serves 256. */
const POOL_BYTES = 4_096;
let pool = randomBytes(POOL_BYTES);
let poolAt = 0;

/**
 * A caller-generated id: `<prefix>_<26 characters>`, a ULID in lower case. Ids made later sort later
 * (millisecond resolution), so they serve as keyset cursors.
 */
export function newId(
  prefix: "run" | "doc" | "req" | "wrk" | "art" | "cmd" | "apr" | "adp" | "bat",
  now: number = Date.now(),
): string {
  let time = "";
  for (let rest = now, i = 0; i < 10; i++) {
    time = CROCKFORD[rest % 32] + time;
    rest = Math.floor(rest / 32);
  }
  if (poolAt + 16 > pool.length) {
    pool = randomBytes(POOL_BYTES);
    poolAt = 0;
  }
  let random = "";
  for (const byte of pool.subarray(poolAt, poolAt + 16)) random += CROCKFORD[byte % 32];
  poolAt += 16;
  return `${prefix}_${time}${random}`;
}
