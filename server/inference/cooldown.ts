import type { FailureKind } from "@/server/artifacts/failure-kind.rules";

/** A provider's model that is left alone for a while. Times are epoch milliseconds. */
export interface Cooldown {
  provider: string;
  model: string;
  failureKind: FailureKind;
  reason: string;
  failures: number;
  /** True: the provider named the time itself (Retry-After). */
  asked: boolean;
  since: number;
  until: number;
}

/** While everything is cooling, a model is tried this often at most, and five times in a cooldown: the longer it is down, the rarer. */
const TRY_EVERY_MS = 1_000;
const TRY_SHARE = 0.2;

/** Milliseconds from one try to the next while it cools down. A wait that the provider asked for is kept whole: it is not tried. */
export function pauseOf({ asked, since, until }: Pick<Cooldown, "asked" | "since" | "until">): number {
  return asked ? until - since : Math.max(TRY_EVERY_MS, (until - since) * TRY_SHARE);
}
