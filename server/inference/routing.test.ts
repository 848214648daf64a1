import { describe, expect, it } from "vitest";
import { type CandidateSnapshot, decideRoute, scoreOf, strategyOf } from "./routing";

const NOW = 1_000_000;

function candidate(id: string, more: Partial<CandidateSnapshot> = {}): CandidateSnapshot {
  const [provider = "", model = ""] = id.split("/");
  return {
    id,
    provider,
    model,
    scores: { general: 0.5 },
    blockedBy: null,
    health: "unknown",
    healthReason: "",
    cooldown: null,
    isTested: false,
    inFlight: 0,
    limit: 4,
    ...more,
  };
}

const cooling = (seconds: number, reason = "it answered 503") => ({
  until: NOW + seconds * 1000,
  asked: false,
  reason,
  failures: 3,
});
const chosenOf = (...call: Parameters<typeof decideRoute>) => decideRoute(...call).chosen?.id ?? null;
const chain = strategyOf("fallback_chain", 0);

describe("strategies", () => {
  const three = [
    candidate("a/1", { scores: { coding: 0.2, reasoning: 0.9 }, inFlight: 3 }),
    candidate("b/2", { scores: { coding: 0.8, reasoning: 0.8 }, inFlight: 2 }),
    candidate("c/3", { scores: { coding: 0.8, reasoning: 0.8 }, inFlight: 1 }),
  ];

  it.each<[Parameters<typeof strategyOf>[0], number, string]>([
    ["fallback_chain", 0, "a/1"],
    ["fallback_chain", 7, "a/1"],
    ["best_score", 0, "b/2"],
    ["least_busy", 0, "c/3"],
    ["round_robin", 0, "a/1"],
    ["round_robin", 1, "b/2"],
    ["round_robin", 5, "c/3"],
  ])("%s at turn %i chooses %s", (name, turn, expected) => {
    expect(chosenOf(three, ["coding", "reasoning"], strategyOf(name, turn), NOW)).toBe(expected);
  });

  it("best_score without a requirement goes by the best score of all", () => {
    expect(chosenOf(three, [], strategyOf("best_score", 0), NOW)).toBe("a/1");
  });

  it("least_busy looks at the share of the limit, not at the number", () => {
    const busy = [candidate("a/1", { inFlight: 2, limit: 2 }), candidate("b/2", { inFlight: 10, limit: 64 })];
    expect(chosenOf(busy, [], strategyOf("least_busy", 0), NOW)).toBe("b/2");
  });

  it("are pure: the same snapshot gives the same choice, and the snapshot stays as it was", () => {
    const before = structuredClone(three);
    const strategy = strategyOf("round_robin", 1);
    expect(decideRoute(three, ["coding"], strategy, NOW)).toEqual(decideRoute(three, ["coding"], strategy, NOW));
    expect(three).toEqual(before);
  });
});

describe("a decision", () => {
  it("never takes what cannot do the job, and says why", () => {
    const decision = decideRoute(
      [
        candidate("a/1", { blockedBy: "env:A (apiKey) is missing." }),
        candidate("b/2", { scores: { coding: 0 } }),
        candidate("c/3", { scores: { coding: 0.1 } }),
        candidate("d/4", { scores: { coding: 0.9 } }),
      ],
      ["coding"],
      chain,
      NOW,
    );
    expect(
      decision.verdicts.map(({ candidate: { id }, verdict, rejectedBy, reason }) => [id, verdict, rejectedBy, reason]),
    ).toEqual([
      ["a/1", "rejected", "key", "env:A (apiKey) is missing."],
      ["b/2", "rejected", "capability", "Its profile has no score for coding."],
      ["c/3", "chosen", null, "It is the first in the list that can be used."],
      ["d/4", "passed_over", null, "It could be used; another one stands before it in the list."],
    ]);
    expect(decision.leastBad).toBe(false);
  });

  it("passes over what cools down or is unavailable while there is another", () => {
    const decision = decideRoute(
      [
        candidate("a/1", { cooldown: cooling(12.2) }),
        candidate("b/2", { health: "unavailable", healthReason: "it answered 401" }),
        candidate("c/3", { health: "degraded", healthReason: "slow" }),
      ],
      [],
      chain,
      NOW,
    );
    expect(decision.chosen?.id).toBe("c/3");
    expect(decision.verdicts.map(({ reason }) => reason).slice(0, 2)).toEqual([
      "It cools down for 13 s more: it answered 503",
      "It is unavailable: it answered 401",
    ]);
  });

  it("takes a candidate again once its cooldown is over", () => {
    const candidates = [candidate("a/1", { cooldown: cooling(5) }), candidate("b/2")];
    expect(chosenOf(candidates, [], chain, NOW + 4_999)).toBe("b/2");
    expect(chosenOf(candidates, [], chain, NOW + 5_000)).toBe("a/1");
  });

  it("takes the least bad one when all are cooling: cooling before unavailable, the one that is free soonest", () => {
    const decision = decideRoute(
      [
        candidate("a/1", { health: "unavailable", healthReason: "it answered 401" }),
        candidate("b/2", { cooldown: cooling(60) }),
        candidate("c/3", { cooldown: cooling(20) }),
      ],
      [],
      chain,
      NOW,
    );
    expect([decision.chosen?.id, decision.leastBad]).toEqual(["c/3", true]);
    expect(decision.verdicts[2]?.reason).toBe("Nothing better is left. It cools down for 20 s more: it answered 503");
    expect(chosenOf([candidate("a/1", { health: "unavailable" })], [], chain, NOW)).toBe("a/1");
  });

  it("tries those that only cool down before those that asked to be left alone", () => {
    const asked = candidate("a/1", { cooldown: { ...cooling(5), asked: true } });
    expect(chosenOf([asked, candidate("b/2", { cooldown: cooling(60) })], [], chain, NOW)).toBe("b/2");
    // Its time is over first, and it is well then.
    expect(chosenOf([asked, candidate("b/2", { cooldown: cooling(60) })], [], chain, NOW + 5_000)).toBe("a/1");
    const longer = candidate("b/2", { cooldown: { ...cooling(9), asked: true } });
    expect(chosenOf([longer, asked], [], chain, NOW)).toBe("a/1");
  });

  it("does not wait for the request that tells whether one is back while there is another", () => {
    const tested = candidate("a/1", { isTested: true });
    const decision = decideRoute([tested, candidate("b/2")], [], chain, NOW);
    expect([decision.chosen?.id, decision.verdicts[0]?.rejectedBy, decision.verdicts[0]?.reason]).toEqual([
      "b/2",
      "cooldown",
      "It cooled down, and a request that tells whether it is back is under way.",
    ]);
    expect(chosenOf([tested], [], chain, NOW)).toBe("a/1");
  });

  it("leaves those that failed this request for last", () => {
    const candidates = [candidate("a/1"), candidate("b/2"), candidate("c/3", { cooldown: cooling(9) })];
    expect(chosenOf(candidates, [], chain, NOW, new Set(["a/1"]))).toBe("b/2");
    // What is well comes before what cools, tried or not.
    expect(chosenOf(candidates, [], chain, NOW, new Set(["a/1", "b/2"]))).toBe("a/1");
    const both = [candidate("a/1", { cooldown: cooling(1) }), candidate("c/3", { cooldown: cooling(9) })];
    expect(chosenOf(both, [], chain, NOW, new Set(["a/1"]))).toBe("c/3");
  });

  it("is nothing when nothing can do the job", () => {
    expect(decideRoute([], [], chain, NOW)).toEqual({ chosen: null, verdicts: [], leastBad: false });
    expect(chosenOf([candidate("a/1", { blockedBy: "no key" })], [], chain, NOW)).toBeNull();
  });
});

it("scores are the mean of what is required; what is not scored counts as nothing", () => {
  expect(scoreOf({ coding: 0.9, general: 0.5 }, ["coding", "reasoning"])).toBe(0.45);
  expect(scoreOf({ coding: 0.9 }, [])).toBeNull();
});
