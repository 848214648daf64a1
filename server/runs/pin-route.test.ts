import { describe, expect, it } from "vitest";
import type { ConfigDocument } from "@/server/config/config-document.schema";
import { pinnedRouteSchema } from "@/server/config/pinned-route.schema";
import { pinRoute, sceneNames } from "./pin-route";

const DOCUMENT: ConfigDocument = {
  providers: {
    fast: { baseUrl: "http://127.0.0.1:1/v1" },
    slow: { baseUrl: "http://127.0.0.1:2/v1", apiKey: "env:SLOW_KEY" },
  },
  models: {
    default: "fast/f1",
    extract: { requires: ["summarization"], strategy: "least_busy", candidates: ["slow/s1", "fast/f2"] },
    mine: "mock/mock-9",
    impossible: { requires: ["coding"], candidates: ["extractive/extractive-1"] },
  },
};

const references = (choice: Parameters<typeof pinRoute>[2]) =>
  pinRoute(DOCUMENT, 7, choice).candidates.map(({ settings, model }) => `${settings.name}/${model}`);

describe("an order is pinned to", () => {
  it.each<[Parameters<typeof pinRoute>[2], string[]]>([
    [{}, ["slow/s1", "fast/f2"]],
    [{ scene: "planner" }, ["fast/f1"]],
    [{ scene: "mine" }, ["mock/mock-9"]],
    [{ model: "other" }, ["slow/other"]],
    [{ backend: "fast" }, ["fast/f2"]],
    [{ backend: "slow" }, ["slow/s1"]],
    [{ backend: "mock" }, ["mock/mock-9"]],
    [{ backend: "fast", model: "x/y" }, ["fast/x/y"]],
  ])("%o: %o", (choice, expected) => {
    expect(references(choice)).toEqual(expected);
  });

  it("the whole of it, as it is stored", () => {
    const route = pinRoute(DOCUMENT, 7, {});
    expect(pinnedRouteSchema.parse(JSON.parse(JSON.stringify(route)))).toEqual(route);
    expect(route).toMatchObject({
      scene: "extract",
      mappedBy: "extract",
      revision: 7,
      requires: ["summarization"],
      strategy: "least_busy",
    });
    expect(route.candidates[0]?.settings.secretRefs).toEqual({ apiKey: "env:SLOW_KEY" });
    expect(pinRoute(DOCUMENT, 7, { scene: "planner" })).toMatchObject({ scene: "planner", mappedBy: "default" });
    expect(pinRoute(DOCUMENT, 7, { backend: "fast" })).toMatchObject({ scene: null, mappedBy: null });
  });

  it("names the nearest scenes of very many, and counts the others", () => {
    const many = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`team-${at}`, "mock/x"]));
    const refused = () => pinRoute({ ...DOCUMENT, models: { default: "mock/x", ...many } }, 7, { scene: "team-42x" });
    expect(refused).toThrow(
      'There is no scene "team-42x"; there are: team-42, team-2, team-4, team-12, team-20, team-21 … (+299).',
    );
    try {
      refused();
    } catch (error) {
      expect(error).toMatchObject({ details: { known: ["team-42", "team-2", "team-4", "team-12", "team-20", "team-21"] } });
    }
  });

  it.each<[Parameters<typeof pinRoute>[2], string, RegExp]>([
    [
      { scene: "none" },
      "unknown_scene",
      /^There is no scene "none"; there are: default, extract, supervisor, planner, summarizer, mine, impossible\.$/,
    ],
    [{ backend: "none" }, "unknown_backend", /^There is no backend "none"; there are: fast, slow, extractive, mock\.$/],
    [{ backend: "openai" }, "unknown_backend", /The profile openai exists; name a provider that uses it\.$/],
    [{ scene: "mine", backend: "fast" }, "invalid_input", /^Name a scene or a backend, not both/],
    [
      { scene: "impossible" },
      "invalid_config",
      /^No model of the scene impossible can do what it requires \(coding\)\. extractive\/extractive-1: Its profile has no score for coding\.$/,
    ],
  ])("nothing, with one sentence: %o", (choice, code, message) => {
    expect(() => pinRoute(DOCUMENT, 7, choice)).toThrow(
      expect.objectContaining({ code, message: expect.stringMatching(message) }),
    );
  });

  it("nothing when a provider has no model of its own and none is named", () => {
    const document: ConfigDocument = { providers: { box: { baseUrl: "http://127.0.0.1:1/v1" } } };
    expect(() => pinRoute(document, 1, { backend: "box" })).toThrow(
      'The backend "box" has no usual model; name one, or map a scene to box/MODEL.',
    );
    expect(() => pinRoute(document, 1, {})).toThrow(
      "The configuration names no model for extract: models.extract: the scene has no model, and there is no models.default to fall back to.",
    );
  });
});

it("scenes are the built-in ones, then the operator's, each once", () => {
  expect(sceneNames({ models: { extract: "mock/m", mine: "mock/m" } })).toEqual([
    "default",
    "extract",
    "supervisor",
    "planner",
    "summarizer",
    "mine",
  ]);
});
