import { describe, expect, it } from "vitest";
import type { CheckOutcome } from "@/server/backends/capability.rules";
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

const found = (outcome: CheckOutcome | null) => outcome && { outcome, reason: "", at: AT, model: "gpt-4o" };
const shown = (outcome: "works" | "failed" | null) => outcome && { outcome, at: AT, runId: "run_a", chunk: 1, model: "gpt-4o" };

describe("a capability", () => {
  it.each([
    ["streaming", true, null, "works", "agrees"],
    ["streaming", false, null, "failed", "agrees"],
    ["streaming", false, "failed", null, "agrees"],
    ["streaming", true, "works", "works", "agrees"],
    ["streaming", true, "not_seen", "works", "agrees"],
    ["streaming", true, "not_seen", null, "not_seen"],
    ["usage", true, null, "failed", "mismatch"],
    ["usage", false, null, "works", "mismatch"],
    ["usage", false, "works", null, "mismatch"],
    ["usage", true, "works", "failed", "mismatch"],
    ["usage", true, "failed", "works", "mismatch"],
    ["usage", true, "not_checked", "failed", "mismatch"],
    ["usage", true, "not_checked", null, "not_seen"],
    ["usage", true, null, null, "not_seen"],
    ["structuredOutput", true, null, null, "not_checked"],
    ["structuredOutput", true, "works", null, "agrees"],
    ["structuredOutput", true, "failed", null, "mismatch"],
    ["structuredOutput", false, "failed", null, "agrees"],
    ["structuredOutput", false, "works", null, "by_prompt"],
    ["cancel", true, null, null, "not_checked"],
    ["cancel", true, "not_checked", null, "not_seen"],
    ["cancel", true, "failed", null, "mismatch"],
    ["cancel", false, "works", null, "mismatch"],
  ] as const)("%s, declared %s, checked %s and seen %s: %s", (capability, declared, checked, lastSeen, verdict) => {
    expect(verdictOf(capability, { declared, checked: found(checked), lastSeen: shown(lastSeen) })).toBe(verdict);
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
    expect(modelVerdict({ lastSeen, health: null })).toBe(verdict);
  });

  it.each([
    [checked("healthy"), null, "agrees"],
    [checked("healthy"), seen({ ok: false }), "agrees"],
    [{ ...checked("healthy"), model: "" }, null, "not_seen"],
    [checked("unavailable"), null, "not_seen"],
    [checked("unknown"), seen({ ok: false }), "not_seen"],
    // What a real answer says comes before what a check says.
    [checked("healthy"), seen({ servedModel: "small-1" }), "mismatch"],
  ] as const)("with the check %o and the last request %o: %s", (health, lastSeen, verdict) => {
    expect(modelVerdict({ lastSeen, health })).toBe(verdict);
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
  const usage = { declared: true, checked: found("failed"), lastSeen: shown("works") };
  const { evidence } = buildBackendProvider();
  expect(mismatchCount(buildBackendProvider())).toBe(0);
  const works = { outcome: "works", reason: "" } as const;
  const findings = { streaming: works, usage: works, structuredOutput: works, cancel: works };
  const failed = { outcome: "failed", reason: "x" } as const;
  const checks = [
    { model: "nine", at: AT, findings: { ...findings, usage: failed } },
    { model: "ten", at: AT, findings: { ...findings, cancel: failed, structuredOutput: failed } },
  ];
  // The first one stands in the evidence itself.
  expect(mismatchCount(buildBackendProvider({ capabilityChecks: checks }))).toBe(1);
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
