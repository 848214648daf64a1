import { describe, expect, it } from "vitest";
import { createBackend } from "@/server/backends/adapter-table";
import { BackendError } from "@/server/backends/backend";
import type { CapabilityScores } from "@/server/config/config-document.schema";
import { buildSettings } from "@/server/testing/build-settings";
import { NO_HOST } from "@/server/testing/no-host";
import { createInferenceProvider, type InferenceProvider } from "./inference-provider";
import { InferenceRouter, isNoEligibleProviderError } from "./inference-router";
import { ProviderRegistry, type RegisteredModel } from "./provider-registry";
import type { CandidateSnapshot } from "./routing";
import { tokenizerOf } from "./tokenizer";

function provider(name: string, scores: CapabilityScores): InferenceProvider {
  return createInferenceProvider(createBackend(buildSettings("mock", { name, scores }), NO_HOST), tokenizerOf("mock-4-chars"));
}

function registryOf(...entries: [string, CapabilityScores][]): ProviderRegistry {
  const registry = new ProviderRegistry();
  for (const [name, scores] of entries) registry.register(provider(name, scores), "m");
  return registry;
}

const snapshot = ({ id, provider: { backend }, model }: RegisteredModel): CandidateSnapshot => ({
  id,
  provider: backend.settings.name,
  model,
  scores: backend.settings.scores,
  blockedBy: null,
  isTested: false,
  health: "unknown",
  healthReason: "",
  cooldown: null,
  inFlight: 0,
  limit: 1,
});
const STATE = { snapshot, now: () => 0 };

describe("the registry", () => {
  const registry = registryOf(
    ["a", { coding: 0.4 }],
    ["b", { coding: 0.9, reasoning: 0.1 }],
    ["c", { coding: 0.9 }],
    ["d", { coding: 0 }],
  );

  it("orders by score, equals as they came, and leaves out what has none", () => {
    expect(registry.resolve("coding").map(({ id }) => id)).toEqual(["b/m", "c/m", "a/m"]);
    expect(registry.resolve("reasoning").map(({ id }) => id)).toEqual(["b/m"]);
    expect(registry.resolve("general")).toEqual([]);
  });

  it("lists in the order of registration; a second registration takes the place of the first", () => {
    const twice = registryOf(["a", { coding: 0.1 }], ["b", {}], ["a", { coding: 0.7 }]);
    expect(twice.listAll().map(({ id, provider: { backend } }) => [id, backend.settings.scores])).toEqual([
      ["a/m", { coding: 0.7 }],
      ["b/m", {}],
    ]);
  });

  it("checks the health of every provider once", async () => {
    const two = registryOf(["a", {}], ["b", {}]);
    two.register(provider("a", {}), "other");
    const asked: string[] = [];
    const health = await two.healthCheckAll((each) => {
      asked.push(each.id);
      return { baseUrl: null, secrets: {} };
    }, new AbortController().signal);
    expect([...health.keys()]).toEqual(["a", "b"]);
    expect(asked).toEqual(["a", "b"]);
    expect(health.get("a")).toEqual({ state: "healthy", reason: "", latencyMs: 0 });
  });
});

describe("the router", () => {
  it("gives the provider, and another strategy changes nothing else", () => {
    const registry = registryOf(["a", { coding: 0.4 }], ["b", { coding: 0.9 }]);
    const route = (name: "fallback_chain" | "best_score") =>
      new InferenceRouter(registry, name, STATE).route("infer", ["coding"]);
    expect(route("fallback_chain").id).toBe("a/m");
    expect(route("best_score").id).toBe("b/m");
    expect(route("best_score").provider.id).toBe("b");
  });

  it("takes turns when a choice was really used", () => {
    const router = new InferenceRouter(registryOf(["a", {}], ["b", {}]), "round_robin", STATE);
    const ids = [router.route("infer", []).id, router.route("infer", []).id];
    router.taken();
    ids.push(router.route("infer", []).id);
    expect(ids).toEqual(["a/m", "a/m", "b/m"]);
  });

  it("throws a typed error with the reasons and never returns nothing", () => {
    const route = (registry: ProviderRegistry) => {
      try {
        return new InferenceRouter(registry, "fallback_chain", STATE).route("infer", ["coding"]);
      } catch (error) {
        return error;
      }
    };
    const error = route(registryOf(["a", { general: 1 }]));
    expect(isNoEligibleProviderError(error)).toBe(true);
    expect(error).toMatchObject({
      stageId: "infer",
      requiredCapabilities: ["coding"],
      message: "No listed model can be used for infer. a/m: Its profile has no score for coding.",
    });
    expect(route(new ProviderRegistry())).toMatchObject({ message: "No model is listed for infer." });
    expect(isNoEligibleProviderError(new BackendError("backend-failed", "x"))).toBe(false);
  });
});
