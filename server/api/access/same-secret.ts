import { createHash, timingSafeEqual } from "node:crypto";

/** Compares without telling by its duration how much was right, or how long the secret is: both sides are hashed first. */
export function sameSecret(given: string, secret: string): boolean {
  const digest = (value: string) => createHash("sha256").update(value).digest();
  return timingSafeEqual(digest(given), digest(secret));
}
