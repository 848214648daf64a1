import { describe, expect, it } from "vitest";
import type { FailureKind } from "@/server/artifacts/failure-kind.rules";
import { effectOf } from "./failure-effects";
import { ProviderState } from "./provider-state";

function setUp() {
  let now = 1_000_000;
  const state = new ProviderState({ now: () => now });
  const fail = (
    model = "m",
    more: { failureKind?: FailureKind; retryAfterMs?: number; httpStatus?: number; retryable?: boolean } = {},
  ) =>
    state.failed("p", model, {
      failureKind: more.failureKind ?? "provider-unavailable",
      retryable: more.retryable,
      httpStatus: more.httpStatus,
      retryAfterMs: more.retryAfterMs,
      message: "p answered 503",
    });
  return { state, fail, forward: (milliseconds: number) => (now += milliseconds), now: () => now };
}

const NOTHING = { cooldowns: [], refusals: [], checks: [] };

describe("what a failure says of its provider", () => {
  it.each<[FailureKind, number | undefined, boolean | undefined, ReturnType<typeof effectOf>]>([
    ["provider-unavailable", undefined, undefined, "counts"], // refused
    ["backend-timeout", 408, undefined, "counts"],
    ["provider-rate-limited", 429, undefined, "counts"],
    ["provider-unavailable", 500, undefined, "counts"],
    ["provider-unavailable", 502, undefined, "counts"],
    ["provider-unavailable", 503, undefined, "counts"],
    ["provider-unavailable", 529, undefined, "counts"],
    ["provider-auth-failed", 401, undefined, "refuses"],
    ["provider-rate-limited", 402, false, "refuses"],
    ["provider-auth-failed", 403, undefined, "refuses"],
    ["backend-failed", 404, undefined, "refuses"],
    ["secret-unavailable", undefined, undefined, "refuses"],
    ["backend-failed", 400, undefined, "none"],
    ["backend-failed", 422, undefined, "none"],
    ["backend-response-invalid", undefined, undefined, "none"],
    ["cancelled", undefined, undefined, "none"],
  ])("%s with status %s (retryable %s) %s", (failureKind, httpStatus, retryable, expected) => {
    expect(effectOf({ failureKind, httpStatus, retryable })).toBe(expected);
  });
});

describe("a cooldown", () => {
  it("begins with the third failure in a row, of the model and not of its provider", () => {
    const { state, fail, now } = setUp();
    expect([fail(), fail()]).toEqual([[], []]);
    expect(fail()).toEqual([
      {
        kind: "cooldown_started",
        cooldown: {
          provider: "p",
          model: "m",
          failureKind: "provider-unavailable",
          reason: "p answered 503",
          failures: 3,
          asked: false,
          since: now(),
          until: now() + 15_000,
        },
      },
    ]);
    expect(state.cooldown("p", "m")?.failures).toBe(3);
    expect(state.cooldown("p", "other")).toBeNull();
    expect(state.cooldown("q", "m")).toBeNull();
  });

  it("needs failures of half of the requests under way: one fault meets them all, and single ones are no outage", () => {
    const { state, fail } = setUp();
    for (let at = 0; at < 12; at++) state.began("p", "m");
    for (let at = 0; at < 5; at++) expect(fail()).toEqual([]);
    expect(fail()).toHaveLength(1);
  });

  it("does not begin when an answer came in between", () => {
    const { state, fail } = setUp();
    fail();
    fail();
    expect(state.succeeded("p", "m")).toEqual([]);
    expect([fail(), fail()]).toEqual([[], []]);
  });

  it("lasts as long as the provider asked for, at once, and an hour at most", () => {
    const { state, fail, forward, now } = setUp();
    expect(fail("m", { failureKind: "provider-rate-limited", retryAfterMs: 42_000 })).toMatchObject([
      { cooldown: { until: now() + 42_000, asked: true, failures: 1 } },
    ]);
    forward(41_999);
    expect(state.cooldown("p", "m")).not.toBeNull();
    forward(1);
    expect(state.cooldown("p", "m")).toBeNull();
    expect(fail("long", { retryAfterMs: 9_999_999_999 })).toMatchObject([{ cooldown: { until: now() + 3_600_000 } }]);
  });

  it("is not begun again by those that were under way when it began", () => {
    const { fail } = setUp();
    for (let at = 0; at < 3; at++) fail();
    expect([fail(), fail()]).toEqual([[], []]);
  });

  it("doubles when the first try after it fails, up to five minutes, and is forgotten with an answer", () => {
    const { state, fail, forward, now } = setUp();
    const lengths: number[] = [];
    for (let at = 0; at < 3; at++) fail();
    for (let at = 0; at < 6; at++) {
      forward(300_000);
      for (const change of fail()) if (change.kind === "cooldown_started") lengths.push(change.cooldown.until - now());
    }
    expect(lengths).toEqual([30_000, 60_000, 120_000, 240_000, 300_000, 300_000]);
    expect(state.succeeded("p", "m")).toEqual([{ kind: "cooldown_ended", provider: "p", model: "m" }]);
    expect([fail(), fail()]).toEqual([[], []]);
    expect(fail()).toMatchObject([{ cooldown: { until: now() + 15_000 } }]);
  });

  it("is remembered once it is over, by everybody, until the model answers", () => {
    const { state, fail, forward } = setUp();
    for (let at = 0; at < 3; at++) fail();
    const stored = state.cooldowns();
    forward(20_000);
    // What is written down has it still: it is not forgotten, so that the next failure doubles it.
    state.learn({ ...NOTHING, cooldowns: stored });
    expect([state.cooldown("p", "m"), state.isOnTrial("p", "m"), state.isDown("p", "m")]).toEqual([null, true, true]);
    expect(fail()).toMatchObject([{ cooldown: { failures: 4 } }]);
    const other = setUp().state;
    other.learn({ ...NOTHING, cooldowns: stored.map((cooldown) => ({ ...cooldown, until: 999_999 })) });
    expect([other.isOnTrial("p", "m"), other.isOnTrial("p", "other")]).toEqual([true, false]);
    other.succeeded("p", "m");
    expect([other.isOnTrial("p", "m"), other.isDown("p", "m")]).toEqual([false, false]);
  });

  it("says how long the model is not to be asked: a fifth of it, or all of it when the provider named the time", () => {
    const { state, fail, forward } = setUp();
    expect(state.pauseMs("p", "m")).toBe(0);
    for (let at = 0; at < 3; at++) fail();
    expect(state.pauseMs("p", "m")).toBe(3_000);
    forward(14_000);
    expect(state.pauseMs("p", "m")).toBe(1_000);
    forward(1_000);
    expect(state.pauseMs("p", "m")).toBe(0);
    fail("limited", { failureKind: "provider-rate-limited", retryAfterMs: 600_000 });
    expect(state.pauseMs("p", "limited")).toBe(600_000);
    forward(599_000);
    expect(state.pauseMs("p", "limited")).toBe(1_000);
  });

  it("is ended by the operator", () => {
    const { state, fail } = setUp();
    for (let at = 0; at < 3; at++) fail();
    state.clear("p", "m");
    expect([state.cooldown("p", "m"), state.cooldowns()]).toEqual([null, []]);
    expect(fail()).toEqual([]);
  });

  it("is learnt from other processes, and ends when it is gone there", () => {
    const { state, fail, forward, now } = setUp();
    const other = {
      provider: "p",
      model: "m",
      failureKind: "provider-unavailable" as const,
      reason: "elsewhere",
      failures: 3,
      asked: false,
      since: now(),
      until: now() + 60_000,
    };
    state.learn({ ...NOTHING, cooldowns: [other] });
    expect(state.cooldown("p", "m")).toEqual(other);
    // One of our own that has not been written down yet stays.
    for (let at = 0; at < 3; at++) fail("mine");
    state.learn(NOTHING);
    expect([state.cooldown("p", "m")?.reason, state.cooldown("p", "mine")?.reason]).toEqual(["elsewhere", "p answered 503"]);
    forward(6_000);
    state.learn(NOTHING);
    expect(state.cooldowns()).toEqual([]);
  });
});

describe("health", () => {
  const check = { provider: "p", model: "m", reason: "", latencyMs: 5, by: "operator" as const };

  it("is unknown until something was seen, and again when it is old", () => {
    const { state, forward, now } = setUp();
    expect(state.health("p", "m")).toEqual({ state: "unknown", reason: "" });
    state.checked({ ...check, state: "healthy", checkedAt: now() });
    expect(state.health("p", "m").state).toBe("healthy");
    forward(600_000);
    expect(state.health("p", "m").state).toBe("unknown");
  });

  it("is degraded by failures that came after a check, until the model answers or is checked again", () => {
    const { state, fail, forward, now } = setUp();
    state.checked({ ...check, state: "healthy", checkedAt: now() });
    forward(1_000);
    fail();
    fail();
    expect(state.health("p", "m").state).toBe("healthy");
    fail();
    const degraded = { state: "degraded", reason: "p answered 503" };
    expect([state.health("p", "m"), state.health("p", "other").state]).toEqual([degraded, "healthy"]);
    expect(state.lastWord("p")).toEqual({ ...check, ...degraded, latencyMs: 0, by: "run", checkedAt: now() });
    // Over, and nobody knows whether it is back.
    forward(16_000);
    expect([state.health("p", "m"), state.lastWord("p")?.state]).toEqual([degraded, "degraded"]);
    state.succeeded("p", "m");
    expect([state.health("p", "m").state, state.lastWord("p")?.state]).toEqual(["healthy", "healthy"]);
  });

  it("of a good check ends the cooldown and its trial, but for a time that the provider named", () => {
    const { state, fail, forward, now } = setUp();
    for (let at = 0; at < 3; at++) fail();
    expect(state.checked({ ...check, state: "unavailable", reason: "p answered 503", checkedAt: now() })).toBe(false);
    expect(state.checked({ ...check, model: "other", state: "healthy", checkedAt: now() })).toBe(false);
    expect(state.isDown("p", "m")).toBe(true);
    forward(20_000);
    expect(state.checked({ ...check, state: "healthy", checkedAt: now() })).toBe(true);
    expect([state.isDown("p", "m"), state.health("p", "m").state, state.lastWord("p")?.state]).toEqual([
      false,
      "healthy",
      "healthy",
    ]);
    // The next outage begins anew.
    expect([fail(), fail()]).toEqual([[], []]);
    expect(fail()).toMatchObject([{ cooldown: { failures: 3, until: now() + 15_000 } }]);
    fail("limited", { failureKind: "provider-rate-limited", retryAfterMs: 60_000 });
    expect(state.checked({ ...check, model: "limited", state: "healthy", checkedAt: now() })).toBe(false);
    expect(state.cooldown("p", "limited")?.asked).toBe(true);
  });

  it("is unknown once an operator has cleared what was held against a model", () => {
    const { state, fail, forward, now } = setUp();
    state.checked({ ...check, state: "healthy", checkedAt: now() });
    expect(state.clear("p", "m")).toBeNull();
    forward(1);
    for (let at = 0; at < 3; at++) fail();
    const record = state.clear("p", "m");
    expect(record).toMatchObject({ provider: "p", model: "m", state: "unknown", checkedAt: now() });
    expect([state.health("p", "m"), state.lastWord("p")]).toEqual([
      { state: "unknown", reason: "An operator has cleared what was held against it; it has not answered since." },
      record,
    ]);
    state.succeeded("p", "m");
    expect(state.health("p", "m").state).toBe("healthy");
  });

  it("of a model that was not checked is its provider's, and says so", () => {
    const { state, now } = setUp();
    state.checked({ ...check, state: "healthy", checkedAt: now() });
    expect(state.health("p", "other")).toEqual({
      state: "healthy",
      reason: "Its provider has answered for m; of this model no answer is known.",
    });
  });

  it("of a model that has answered itself is its own, whichever was checked last", () => {
    const { state, forward, now } = setUp();
    state.checked({ ...check, state: "healthy", checkedAt: now() });
    state.succeeded("p", "used");
    forward(700);
    state.checked({ ...check, model: "other", state: "healthy", checkedAt: now() });
    const healthy = { state: "healthy", reason: "" };
    expect([state.health("p", "m"), state.health("p", "used"), state.health("p", "other")]).toEqual([healthy, healthy, healthy]);
  });

  it("of one model is not hidden by a check of another one", () => {
    const { state, fail, forward, now } = setUp();
    fail("m", { failureKind: "provider-auth-failed", httpStatus: 401 });
    const since = now();
    forward(1_000);
    state.checked({ ...check, model: "other", state: "healthy", checkedAt: now() });
    expect(state.lastWord("p")).toMatchObject({
      model: "m",
      state: "degraded",
      reason: "p answered 503",
      by: "run",
      checkedAt: since,
    });
    expect([state.health("p", "m").state, state.health("p", "other").state]).toEqual(["unavailable", "healthy"]);
    state.checked({ ...check, model: "m", state: "healthy", checkedAt: now() });
    expect(state.lastWord("p")).toMatchObject({ model: "m", state: "healthy" });
  });

  it("of a model whose check failed outlives a good check of another one, until it answers", () => {
    const { state, forward, now } = setUp();
    const failed = { ...check, state: "unavailable", reason: "p answered 401", checkedAt: now() } as const;
    state.checked(failed);
    forward(1_000);
    state.checked({ ...check, model: "other", state: "healthy", checkedAt: now() });
    expect([state.health("p", "m").state, state.health("p", "other").state]).toEqual(["unavailable", "healthy"]);
    expect(state.lastWord("p")).toEqual({ ...failed, state: "degraded" });
    expect(state.lastCheck("p")?.model).toBe("other");
    state.succeeded("p", "m");
    expect([state.health("p", "m"), state.lastWord("p")?.state]).toEqual([{ state: "healthy", reason: "" }, "healthy"]);
    state.checked(failed);
    state.checked({ ...check, model: "other", state: "healthy", checkedAt: now() });
    // A failed check is believed for a while only.
    forward(10 * 60_000);
    expect(state.lastWord("p")?.state).toBe("healthy");
  });

  it("of two models that cool down is that of the other one once one is cleared", () => {
    const { state, fail, forward, now } = setUp();
    for (const model of ["m", "other"]) for (let at = 0; at < 3; at++) fail(model);
    forward(1);
    state.clear("p", "m");
    expect(state.lastWord("p")).toMatchObject({ model: "other", state: "degraded", by: "run", checkedAt: now() - 1 });
    expect(state.health("p", "m").state).toBe("unknown");
  });

  it("of a refusal is told to others, and so is its end", () => {
    const { state, fail, now } = setUp();
    const refused = () => fail("m", { failureKind: "provider-auth-failed", httpStatus: 401 });
    expect(refused()).toEqual([
      {
        kind: "refusal_began",
        refusal: { provider: "p", model: "m", reason: "p answered 503", since: now(), until: now() + 300_000 },
      },
    ]);
    expect([state.refuses("p", "m"), state.refuses("p", "other"), state.refuses("q", "m")]).toEqual([true, false, false]);
    expect(state.lastWord("p")).toMatchObject({ model: "m", state: "unavailable", by: "run", checkedAt: now() });
    expect(state.succeeded("p", "m")).toEqual([{ kind: "refusal_ended", provider: "p", model: "m" }]);
    expect([state.succeeded("p", "m"), state.refuses("p", "m"), state.lastWord("p")]).toEqual([[], false, null]);
    refused();
    state.clear("p", "m");
    expect(state.refuses("p", "m")).toBe(false);
  });

  it("of a key that is not there is a matter of this process", () => {
    const { state, fail, forward } = setUp();
    expect(fail("m", { failureKind: "secret-unavailable" })).toEqual([]);
    forward(6_000);
    state.learn(NOTHING);
    expect([state.refuses("p", "m"), state.succeeded("p", "m"), state.refuses("p", "m")]).toEqual([true, [], false]);
  });

  it("of a refusal is learnt from other processes, and ends when it is gone there", () => {
    const { state, fail, forward, now } = setUp();
    const other = { provider: "p", model: "m", reason: "p answered 402", since: now(), until: now() + 300_000 };
    state.learn({ ...NOTHING, refusals: [other] });
    expect(state.health("p", "m")).toEqual({ state: "unavailable", reason: "p answered 402" });
    // One of our own that has not been written down yet stays.
    fail("mine", { failureKind: "provider-auth-failed", httpStatus: 401 });
    state.learn(NOTHING);
    expect([state.refuses("p", "m"), state.refuses("p", "mine")]).toEqual([true, true]);
    forward(6_000);
    state.learn({ ...NOTHING, refusals: [other] });
    expect([state.refuses("p", "m"), state.refuses("p", "mine")]).toEqual([true, false]);
    forward(294_000);
    expect(state.refuses("p", "m")).toBe(false);
  });

  it("is unavailable for a model that was refused, until it answers, is checked well, or five minutes have passed", () => {
    const { state, fail, forward, now } = setUp();
    const refuse = () => fail("m", { failureKind: "provider-auth-failed", httpStatus: 401 });
    refuse();
    expect([state.health("p", "m"), state.health("p", "other").state]).toEqual([
      { state: "unavailable", reason: "p answered 503" },
      "unknown",
    ]);
    state.succeeded("p", "m");
    expect(state.health("p", "m").state).toBe("unknown");
    refuse();
    state.checked({ ...check, state: "healthy", checkedAt: now() });
    expect(state.health("p", "m").state).toBe("healthy");
    refuse();
    forward(300_000);
    expect(state.health("p", "m").state).toBe("healthy");
    // One bad model does not take the others away.
    state.checked({ ...check, state: "unavailable", reason: "p answered 404", checkedAt: now() });
    expect([state.health("p", "m").state, state.health("p", "other")]).toEqual([
      "unavailable",
      { state: "degraded", reason: "A check of m failed: p answered 404" },
    ]);
  });
});

it("counts requests by provider and by model", () => {
  const { state } = setUp();
  state.began("p", "m");
  state.began("p", "other");
  state.began("q", "m");
  state.ended("p", "m");
  expect([
    state.inFlight("p"),
    state.inFlightOfModel("p", "m"),
    state.inFlightOfModel("p", "other"),
    state.inFlight("q"),
  ]).toEqual([1, 0, 1, 1]);
});
