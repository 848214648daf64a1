import { randomBytes } from "node:crypto";

const CROCKFORD = "0123456789abcdefghjkmnpqrstvwxyz";

/**
 * A caller-generated id: `<prefix>_<26 characters>`, a ULID in lower case. Ids made later sort later
 * (millisecond resolution), so they serve as keyset cursors.
 */
export function newId(prefix: "run" | "doc" | "req" | "wrk" | "art", now: number = Date.now()): string {
  let time = "";
  for (let rest = now, i = 0; i < 10; i++) {
    time = CROCKFORD[rest % 32] + time;
    rest = Math.floor(rest / 32);
  }
  let random = "";
  for (const byte of randomBytes(16)) random += CROCKFORD[byte % 32];
  return `${prefix}_${time}${random}`;
}
