/** Every backend kind goes through the capability check; what is found must be what the adapter declares. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CAPABILITIES } from "@/server/backends/capability.rules";
import { BACKEND_KINDS, type BackendKind } from "@/server/config/backend-kind.rules";
import { CANARY, CONTRACT_HARNESSES, type ContractHarness } from "@/server/testing/contract-harness";
import type { CapabilityFindings } from "./backend-view.schema";
import { type CheckLimits, checkCapabilities } from "./check-capabilities";

const WORKS = { outcome: "works", reason: "" } as const;

/** One entry a kind; the type makes a missing one an error. */
const EXPECTED: Readonly<Record<BackendKind, CapabilityFindings>> = {
  extractive: {
    streaming: { outcome: "failed", reason: "Nothing of the reply was told before its end." },
    usage: WORKS,
    structuredOutput: WORKS,
    cancel: WORKS,
  },
  mock: { streaming: WORKS, usage: WORKS, structuredOutput: WORKS, cancel: WORKS },
  "openai-chat": { streaming: WORKS, usage: WORKS, structuredOutput: WORKS, cancel: WORKS },
  "openai-responses": { streaming: WORKS, usage: WORKS, structuredOutput: WORKS, cancel: WORKS },
  "anthropic-messages": { streaming: WORKS, usage: WORKS, structuredOutput: WORKS, cancel: WORKS },
  "codex-app-server-stdio": { streaming: WORKS, usage: WORKS, structuredOutput: WORKS, cancel: WORKS },
  "claude-code-cli": { streaming: WORKS, usage: WORKS, structuredOutput: WORKS, cancel: WORKS },
  "openclaw-gateway": {
    streaming: { outcome: "failed", reason: "Nothing of the reply was told before its end." },
    usage: WORKS,
    structuredOutput: WORKS,
    cancel: WORKS,
  },
};

describe.each(BACKEND_KINDS)("the capability check of %s", (kind) => {
  let harness: ContractHarness;

  beforeEach(async () => {
    harness = await CONTRACT_HARNESSES[kind]();
  });

  afterEach(async () => {
    await harness.backend.close();
    await harness.drained();
    await harness.close();
  });

  function check(limits: Partial<CheckLimits> = {}, access = harness.access) {
    const { backend, model } = harness;
    return checkCapabilities(backend, { model, access, signal: new AbortController().signal, now: () => 0 }, limits);
  }

  it("finds what it can do, and leaves nothing open", async () => {
    harness.answer();
    harness.answer();
    const { health, findings } = await check();
    expect(findings).toEqual(EXPECTED[kind]);
    expect([health.state, health.reason]).toEqual(["healthy", ""]);
    expect(harness.requests()?.length ?? 2).toBe(2);
  });

  it("finds no less than it declares", () => {
    const declared = CAPABILITIES.filter((capability) => harness.backend.capabilities[capability]);
    expect(declared.map((capability) => [capability, EXPECTED[kind][capability].outcome])).toEqual(
      declared.map((capability) => [capability, "works"]),
    );
  });

  it("calls off a turn that says nothing, upstream too", async () => {
    harness.answer();
    harness.slow();
    const { findings } = await check({ callOffMs: 30 });
    expect(findings.cancel).toEqual(WORKS);
    await harness.letGo();
  });

  it("counts usage that is not told as failed", async () => {
    if (!harness.withoutUsage) return expect(harness.requests()).toBeNull();
    harness.withoutUsage();
    harness.answer();
    expect((await check()).findings).toEqual({
      ...EXPECTED[kind],
      usage: { outcome: "failed", reason: "The reply came without token counts." },
    });
  });

  it("is stopped by a refusal, with its reason and without its key", async () => {
    if (!harness.refuseKey || !harness.leakingError) return expect(harness.requests()).toBeNull();
    // A kind without a wire is refused by its key, the others by an answer that repeats it.
    const isWired = harness.requests() !== null;
    const access = isWired ? harness.access : harness.refuseKey();
    if (isWired) harness.leakingError();
    const { health, findings } = await check({}, access);
    expect([health.state, findings.cancel.outcome, findings.streaming.reason]).toEqual([
      "unavailable",
      "not_checked",
      health.reason,
    ]);
    expect(harness.requests()?.length ?? 1).toBe(1);
    expect(JSON.stringify(findings)).not.toContain(CANARY);
  });
});
