import { describe, expect, it } from "vitest";
import type { ConfigDocument } from "./config-document.schema";
import { BUILT_IN_PROFILES, profileNameOf, profilesOf } from "./profile-table";
import { providerNames, settingsOfProvider } from "./provider-settings";
import { resolveModel, resolveReference, resolveRoute } from "./resolve-model";

/** The seed's own example. */
const SEED: ConfigDocument = {
  providers: {
    anthropic: { baseUrl: "https://api.anthropic.com/v1", apiKey: "env:ANTHROPIC_API_KEY" },
    openrouter: { baseUrl: "https://openrouter.ai/api/v1", apiKey: "env:OPENROUTER_API_KEY" },
  },
  models: {
    default: "anthropic/claude-sonnet-4",
    extract: "anthropic/claude-haiku",
    supervisor: "openrouter/gemini-2.5-flash",
  },
  maxDepth: 3,
};

describe("resolveModel", () => {
  it.each([
    ["extract", "https://api.anthropic.com/v1", "env:ANTHROPIC_API_KEY", "claude-haiku"],
    ["supervisor", "https://openrouter.ai/api/v1", "env:OPENROUTER_API_KEY", "gemini-2.5-flash"],
    // Falls back to default.
    ["planner", "https://api.anthropic.com/v1", "env:ANTHROPIC_API_KEY", "claude-sonnet-4"],
    ["of-the-operator", "https://api.anthropic.com/v1", "env:ANTHROPIC_API_KEY", "claude-sonnet-4"],
  ])("gives %s", (scene, baseUrl, apiKey, model) => {
    expect(resolveModel(SEED, scene)).toEqual({ ok: true, value: { baseUrl, apiKey, model } });
  });

  it("splits at the first slash only", () => {
    expect(resolveModel({ ...SEED, models: { default: "openrouter/meta/llama-4/free" } }, "extract")).toMatchObject({
      value: { model: "meta/llama-4/free" },
    });
  });

  it.each<[ConfigDocument, string]>([
    [{}, "models.extract: the scene has no model, and there is no models.default to fall back to."],
    [{ models: { extract: "nobody/x" } }, 'models.extract: there is no provider "nobody"; there are: extractive, mock.'],
    [{ models: { default: "nobody/x" } }, 'models.default: there is no provider "nobody"; there are: extractive, mock.'],
    [{ models: { extract: "mock" } }, 'models.extract: "mock" is not of the form provider/model.'],
    [{ models: { extract: "mock/" } }, 'models.extract: "mock/" is not of the form provider/model.'],
    [{ models: { extract: "/m" } }, 'models.extract: "/m" is not of the form provider/model.'],
    [
      { models: { extract: { candidates: ["mock/mock-1", "nobody/x"] } } },
      'models.extract.candidates[1]: there is no provider "nobody"; there are: extractive, mock.',
    ],
  ])("says what is wrong, with the path (%#)", (document, error) => {
    expect(resolveModel(document, "extract")).toEqual({ ok: false, error });
  });

  it("takes nothing from the prototype for a scene or a provider", () => {
    expect(resolveModel({ models: { default: "mock/m" } }, "constructor")).toMatchObject({ value: { model: "m" } });
    expect(resolveReference({}, "constructor/m", "models.x")).toMatchObject({ ok: false });
  });

  it("changes nothing and holds no value", () => {
    const before = structuredClone(SEED);
    resolveModel(SEED, "extract");
    expect(SEED).toEqual(before);
  });
});

it("resolveRoute gives the candidates in their order with strategy and requirements", () => {
  const route = resolveRoute(
    {
      models: {
        extract: { requires: ["summarization"], strategy: "best_score", candidates: ["mock/a", "extractive/extractive-1"] },
      },
    },
    "extract",
  );
  expect(route).toMatchObject({
    ok: true,
    value: { scene: "extract", mappedBy: "extract", requires: ["summarization"], strategy: "best_score" },
  });
  expect(route.ok && route.value.candidates.map(({ settings, model }) => [settings.name, model])).toEqual([
    ["mock", "a"],
    ["extractive", "extractive-1"],
  ]);
});

describe("profiles", () => {
  it("have names of their own, and the three agent profiles are of one kind", () => {
    const names = BUILT_IN_PROFILES.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    const codex = BUILT_IN_PROFILES.filter(({ kind }) => kind === "codex-app-server-stdio");
    expect(codex.map(({ name }) => name)).toEqual(["codex", "deepseek", "minimax-m3"]);
  });

  it.each([
    [{ name: "openai" }, "openai"],
    [{ name: "mine", baseUrl: "https://eu.api.minimaxi.com/v1" }, "minimax-api"],
    [{ name: "mine", baseUrl: "https://api.minimax.io.evil.test/v1" }, "openai-chat"],
    [{ name: "mine", baseUrl: "https://api.anthropic.com/v1" }, "anthropic"],
    [{ name: "mine", baseUrl: "https://api.openai.com/v1" }, "openai"],
    [{ name: "mine", baseUrl: "https://generativelanguage.googleapis.com/v1beta/openai" }, "gemini"],
    [{ name: "mine", baseUrl: "http://127.0.0.1:1234/v1" }, "openai-chat"],
    [{ name: "openai", profile: "deepseek-api" }, "deepseek-api"],
    [{ name: "mine", profile: "nothing" }, null],
  ])("%o is spoken to with %s", (provider, expected) => {
    expect(profileNameOf(provider, profilesOf({}))).toBe(expected);
  });

  it("an agent profile never resolves to a direct provider, nor the other way round", () => {
    const minimax = settingsOfProvider({ providers: { "minimax-m3": { apiKey: "env:K" } } }, "minimax-m3");
    expect(minimax).toMatchObject({ profile: "minimax-m3", kind: "codex-app-server-stdio" });
    const api = settingsOfProvider({ providers: { "minimax-api": { apiKey: "env:K" } } }, "minimax-api");
    expect(api).toMatchObject({ profile: "minimax-api", kind: "openai-chat", baseUrl: "https://api.minimax.io/v1" });
  });

  it("are changed and added to by the document", () => {
    const profiles = profilesOf({
      profiles: {
        ollama: { scores: { coding: 0.3 }, concurrency: 1, tokenizer: "pieces" },
        "our-box": { kind: "openai-chat", description: "Our own box.", timeouts: { idleMs: 500 } },
      },
    });
    expect(profiles.get("ollama")).toMatchObject({
      origin: "changed",
      concurrency: 1,
      tokenizer: "pieces",
      tokenizerIsEstimate: false,
      scores: { general: 0.6, reasoning: 0.4, summarization: 0.6, coding: 0.3 },
    });
    expect(profiles.get("our-box")).toMatchObject({
      origin: "added",
      kind: "openai-chat",
      description: "Our own box.",
      idleMs: 500,
    });
    expect(profiles.get("openai")?.origin).toBe("built_in");
  });
});

describe("providers", () => {
  it("are the document's, then those that need no entry", () => {
    expect(providerNames({ providers: { mock: { concurrency: 2 }, fast: { baseUrl: "http://127.0.0.1:1/v1" } } })).toEqual([
      "mock",
      "fast",
      "extractive",
    ]);
  });

  it("take from their profile what they do not say themselves", () => {
    const document: ConfigDocument = {
      providers: {
        fast: {
          baseUrl: "${BASE}/v1",
          apiKey: "file:/run/keys",
          profile: "openrouter",
          concurrency: 3,
          timeouts: { requestMs: 900 },
        },
      },
    };
    expect(settingsOfProvider(document, "fast")).toEqual({
      name: "fast",
      profile: "openrouter",
      kind: "openai-chat",
      description: "OpenRouter, which passes requests on to many providers.",
      baseUrl: "${BASE}/v1",
      secretRefs: { apiKey: "file:/run/keys" },
      concurrency: 3,
      timeoutMs: 900,
      idleMs: 120_000,
      connectMs: 10_000,
      tokenizer: "o200k",
      tokenizerIsEstimate: true,
      scores: { general: 0.8, reasoning: 0.8, summarization: 0.8, coding: 0.7 },
    });
    expect(settingsOfProvider(document, "slow")).toBeNull();
    expect(settingsOfProvider({ providers: { x: { profile: "none" } } }, "x")).toBeNull();
    // A profile that needs a key is no provider by itself.
    expect(settingsOfProvider({}, "openai")).toBeNull();
  });
});
