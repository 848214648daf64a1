import { describe, expect, it } from "vitest";
import { buildBackendProvider } from "@/server/testing/build-backend";
import { answersVerdict, mismatchCount, modelVerdict, otherModel, verdictOf } from "./evidence";

const AT = "2026-11-30T10:00:00.000Z";
const seen = (more: object = {}) => ({
  at: AT,
  runId: "run_a",
  chunk: 1,
  model: "gpt-4o",
  servedModel: "gpt-4o",
  ok: true,
  failureKind: null,
  ...more,
});
const checked = (state: "healthy" | "unavailable" | "unknown") =>
  ({ state, reason: "", model: "m", latencyMs: 3, checkedAt: AT, by: "operator" }) as const;

describe("a capability", () => {
  it.each([
    ["streaming", true, true, "agrees"],
    ["streaming", false, false, "agrees"],
    ["usage", true, false, "mismatch"],
    ["usage", false, true, "mismatch"],
    ["usage", true, null, "not_seen"],
    ["structuredOutput", true, null, "hidden"],
    ["cancel", true, null, "hidden"],
  ] as const)("%s, declared %s and observed %s: %s", (capability, declared, observed, verdict) => {
    expect(verdictOf(capability, { declared, observed, observedAt: null })).toBe(verdict);
  });
});

describe("the model that answered", () => {
  it.each([
    [null, "not_seen"],
    [seen({ ok: false, servedModel: null }), "not_seen"],
    [seen({ servedModel: null }), "hidden"],
    [seen(), "agrees"],
    [seen({ servedModel: "gpt-4o-2024-08-06" }), "agrees"],
    [seen({ servedModel: "small-1" }), "mismatch"],
  ] as const)("of %o: %s", (lastSeen, verdict) => {
    expect(modelVerdict({ lastSeen })).toBe(verdict);
  });

  it("is named when it is another", () => {
    expect(otherModel({ lastSeen: seen({ servedModel: "small-1" }) })).toBe("small-1");
  });
});

describe("whether it answers", () => {
  it.each([
    [null, null, "not_seen"],
    [null, seen(), "not_checked"],
    [checked("unknown"), seen(), "not_checked"],
    [checked("healthy"), seen(), "agrees"],
    [checked("unavailable"), seen({ ok: false }), "agrees"],
    [checked("healthy"), seen({ ok: false }), "mismatch"],
  ] as const)("with the check %o and the last request %o: %s", (health, lastSeen, verdict) => {
    expect(answersVerdict({ health, lastSeen })).toBe(verdict);
  });
});

it("counts every row that does not agree", () => {
  const usage = { declared: true, observed: false, observedAt: AT };
  const { evidence } = buildBackendProvider();
  expect(mismatchCount(buildBackendProvider())).toBe(0);
  expect(
    mismatchCount(
      buildBackendProvider({
        health: checked("unavailable"),
        lastSeen: seen({ servedModel: "small-1" }),
        evidence: { ...evidence, usage },
      }),
    ),
  ).toBe(3);
});
