/** Which of several candidates gets a request. Pure: health, cooldowns and load come in as a snapshot, a choice with its reasons comes out. */
import type { ModelCapability, RoutingStrategyName } from "@/server/config/config.rules";
import type { CapabilityScores } from "@/server/config/config-document.schema";

export interface CandidateCooldown {
  /** Epoch milliseconds. */
  until: number;
  /** True: the provider named the time itself. */
  asked: boolean;
  reason: string;
  /** Failures in a row. */
  failures: number;
}

/** One candidate as it stands at the moment of the choice. */
export interface CandidateSnapshot {
  /** `provider/model`. */
  id: string;
  provider: string;
  model: string;
  scores: CapabilityScores;
  /** Why it cannot be sent anything at all (its key is missing), or null. */
  blockedBy: string | null;
  /** What is not quite right with a key that works, as one sentence. */
  keyNote?: string | null;
  health: "healthy" | "degraded" | "unavailable" | "unknown";
  healthReason: string;
  cooldown: CandidateCooldown | null;
  /** Its cooldown is over, and the one request that tells whether it is back is under way. */
  isTested: boolean;
  /** Requests under way, and how many there may be. */
  inFlight: number;
  limit: number;
}

/** Picks one of the eligible candidates, which come in the operator's order; there is always at least one. */
export interface RoutingStrategy {
  readonly name: RoutingStrategyName;
  select(candidates: readonly CandidateSnapshot[], requiredCapabilities: readonly ModelCapability[]): CandidateSnapshot;
}

export type RejectionCode = "key" | "capability" | "health" | "cooldown";

export interface Verdict {
  candidate: CandidateSnapshot;
  verdict: "chosen" | "passed_over" | "rejected";
  /** What stood against it; null for the chosen one and those that were passed over. */
  rejectedBy: RejectionCode | null;
  reason: string;
}

export interface RouteDecision {
  chosen: CandidateSnapshot | null;
  /** In the order of the candidates. */
  verdicts: Verdict[];
  /** True: every one that could do it was cooling or unavailable, and the least bad one was taken. */
  leastBad: boolean;
}

/** Mean score of the required capabilities; null when none is required. */
export function scoreOf(scores: CapabilityScores, required: readonly ModelCapability[]): number | null {
  if (required.length === 0) return null;
  return required.reduce((sum, capability) => sum + (scores[capability] ?? 0), 0) / required.length;
}

function first(candidates: readonly CandidateSnapshot[]): CandidateSnapshot {
  const [candidate] = candidates;
  if (!candidate) throw new Error("a strategy needs at least one candidate");
  return candidate;
}

/** The one with the lowest key; the operator's order decides between equals. */
function lowest(candidates: readonly CandidateSnapshot[], key: (candidate: CandidateSnapshot) => number): CandidateSnapshot {
  return candidates.reduce((best, candidate) => (key(candidate) < key(best) ? candidate : best), first(candidates));
}

const fallbackChain: RoutingStrategy = { name: "fallback_chain", select: first };

const bestScore: RoutingStrategy = {
  name: "best_score",
  select: (candidates, required) =>
    lowest(candidates, ({ scores }) => -(scoreOf(scores, required) ?? Math.max(0, ...Object.values(scores)))),
};

const leastBusy: RoutingStrategy = {
  name: "least_busy",
  select: (candidates) => lowest(candidates, ({ inFlight, limit }) => inFlight / Math.max(1, limit)),
};

function roundRobin(turn: number): RoutingStrategy {
  return { name: "round_robin", select: (candidates) => candidates[turn % candidates.length] ?? first(candidates) };
}

/** `turn` counts the choices made so far, from 0: round robin is pure because it is told whose turn it is. */
export function strategyOf(name: RoutingStrategyName, turn: number): RoutingStrategy {
  if (name === "round_robin") return roundRobin(turn);
  return name === "best_score" ? bestScore : name === "least_busy" ? leastBusy : fallbackChain;
}

/**
 * The choice. What cannot do the job (no key, a required capability without a score) is never taken. Candidates that cool down or
 * are unavailable are taken only when there is no other, and then the least bad one: work never stops because everything has
 * failed lately. `avoid` holds the ids that have failed this very request: they come last in the order.
 */
export function decideRoute(
  candidates: readonly CandidateSnapshot[],
  required: readonly ModelCapability[],
  strategy: RoutingStrategy,
  now: number,
  avoid: ReadonlySet<string> = new Set(),
): RouteDecision {
  const looked = candidates.map((candidate) => ({ candidate, against: objectionTo(candidate, required, now) }));
  const able = looked.filter(({ against }) => against === null || !against.isFinal);
  const well = able.filter(({ against }) => against === null);
  const fresh = well.filter(({ candidate }) => !avoid.has(candidate.id));
  const eligible = (fresh.length > 0 ? fresh : well).map(({ candidate }) => candidate);
  const leastBad = eligible.length === 0 && able.length > 0;
  const chosen =
    eligible.length > 0
      ? strategy.select(eligible, required)
      : leastBad
        ? leastBadOf(
            able.map(({ candidate }) => candidate),
            now,
            avoid,
          )
        : null;
  return { chosen, leastBad, verdicts: looked.map(({ candidate, against }) => verdictOn(candidate, against)) };

  function verdictOn(candidate: CandidateSnapshot, against: Objection | null): Verdict {
    if (candidate === chosen) {
      const reason = leastBad && against ? `Nothing better is left. ${against.reason}` : chosenBecause(strategy.name);
      return { candidate, verdict: "chosen", rejectedBy: null, reason };
    }
    if (against) return { candidate, verdict: "rejected", rejectedBy: against.code, reason: against.reason };
    const reason = avoid.has(candidate.id) ? "It has failed this very request before." : PASSED_OVER_BECAUSE[strategy.name];
    return { candidate, verdict: "passed_over", rejectedBy: null, reason };
  }
}

interface Objection {
  code: RejectionCode;
  reason: string;
  /** True: it cannot do the job; false: it should be left alone for now. */
  isFinal: boolean;
}

function objectionTo(candidate: CandidateSnapshot, required: readonly ModelCapability[], now: number): Objection | null {
  if (candidate.blockedBy !== null) return { code: "key", reason: candidate.blockedBy, isFinal: true };
  const lacking = required.filter((capability) => (candidate.scores[capability] ?? 0) <= 0);
  if (lacking.length > 0)
    return { code: "capability", reason: `Its profile has no score for ${lacking.join(", ")}.`, isFinal: true };
  const { cooldown } = candidate;
  if (cooldown && cooldown.until > now)
    return {
      code: "cooldown",
      reason: `It cools down for ${Math.ceil((cooldown.until - now) / 1000)} s more: ${cooldown.reason}`,
      isFinal: false,
    };
  if (candidate.isTested)
    return {
      code: "cooldown",
      reason: "It cooled down, and a request that tells whether it is back is under way.",
      isFinal: false,
    };
  if (candidate.health === "unavailable")
    return { code: "health", reason: `It is unavailable: ${candidate.healthReason}`, isFinal: false };
  return null;
}

/**
 * Not yet tried for this request first, then those that only cool down, before those that asked to be left alone so long; of them the one
 * that is free soonest, then the operator's order.
 */
function leastBadOf(candidates: readonly CandidateSnapshot[], now: number, avoid: ReadonlySet<string>): CandidateSnapshot {
  const untried = candidates.filter(({ id }) => !avoid.has(id));
  const left = untried.length > 0 ? untried : candidates;
  const cooling = left.filter(({ health }) => health !== "unavailable");
  const mayBeTried = cooling.filter(({ cooldown }) => !(cooldown?.asked && cooldown.until > now));
  const best = mayBeTried.length > 0 ? mayBeTried : cooling.length > 0 ? cooling : left;
  return lowest(best, ({ cooldown }) => Math.max(0, (cooldown?.until ?? 0) - now));
}

const CHOSEN_BECAUSE: Readonly<Record<RoutingStrategyName, string>> = {
  fallback_chain: "It is the first in the list that can be used.",
  best_score: "It has the best score for what is required.",
  round_robin: "It is its turn.",
  least_busy: "It has the most room.",
};

const PASSED_OVER_BECAUSE: Readonly<Record<RoutingStrategyName, string>> = {
  fallback_chain: "It could be used; another one stands before it in the list.",
  best_score: "It could be used; another one comes first by score.",
  round_robin: "It could be used; it is another one's turn.",
  least_busy: "It could be used; another one comes first by free room.",
};

function chosenBecause(name: RoutingStrategyName): string {
  return CHOSEN_BECAUSE[name];
}
