import { describe, expect, it } from "vitest";
import { buildConfig, buildProviderRow, buildSceneRow } from "@/server/testing/build-config";
import { askedBy, knownModels, type ModelChoice, retryWith, usualModel } from "./model-choice";

const CONFIG = buildConfig({
  scenes: [
    buildSceneRow({ scene: "default", candidates: ["loop/first"], inherited: false }),
    buildSceneRow({ scene: "extract", candidates: ["loop/fast", "mock/mock-1"], strategy: "best_score", inherited: true }),
    buildSceneRow({ scene: "planner", candidates: ["gone/x"], problem: "There is no provider gone." }),
  ],
  providers: [
    buildProviderRow({ name: "loop", defaultModel: "usual" }),
    buildProviderRow({ name: "mock", defaultModel: "mock-1" }),
    buildProviderRow({ name: "gone", defaultModel: "usual" }),
    buildProviderRow({ name: "bare", defaultModel: null }),
  ],
});
const scene = (name: string, model = ""): ModelChoice => ({ by: "scene", scene: name, model });
const provider = (name: string, model = ""): ModelChoice => ({ by: "provider", provider: name, model });

describe("what a choice asks", () => {
  it.each<[ModelChoice, string[]]>([
    [scene("extract"), ["loop/fast", "mock/mock-1"]],
    [scene("extract", " fine "), ["loop/fine"]],
    [provider("loop"), ["loop/fast"]],
    [provider("loop", "fine"), ["loop/fine"]],
    [provider("mock"), ["mock/mock-1"]],
    // The scene that names it cannot be used, so its profile's model counts.
    [provider("gone"), ["gone/usual"]],
    [provider("bare", "one"), ["bare/one"]],
  ])("%o", (choice, references) => {
    expect(askedBy(CONFIG, choice)).toMatchObject({ references, problem: null });
  });

  it("is said with the scene's strategy, and whether the entry is its own", () => {
    expect(askedBy(CONFIG, scene("extract"))).toMatchObject({ strategy: "best_score", inherited: true });
    expect(askedBy(CONFIG, scene("default"))).toMatchObject({ strategy: "fallback_chain", inherited: false });
  });

  it("is nothing for a provider without a usual model, and the server's problem for a broken scene", () => {
    expect(askedBy(CONFIG, provider("bare"))).toMatchObject({
      references: [],
      problem: { kind: "model_needed", provider: "bare" },
    });
    expect(askedBy(CONFIG, scene("planner"))?.problem).toEqual({ kind: "server", message: "There is no provider gone." });
  });

  it("is not known for what stays as it was, nor for a scene that is gone", () => {
    expect(askedBy(CONFIG, { by: "before" })).toBeNull();
    expect(askedBy(CONFIG, scene("nowhere"))).toBeNull();
  });
});

it("knows the models that the configuration speaks of", () => {
  expect(knownModels(CONFIG, "loop")).toEqual(["first", "fast", "usual"]);
  expect(usualModel(CONFIG, "bare")).toBeNull();
});

it.each<[ModelChoice, ReturnType<typeof retryWith>]>([
  [{ by: "before" }, undefined],
  [scene("extract"), { scene: "extract" }],
  [scene("extract", " fine "), { scene: "extract", model: "fine" }],
  [provider("loop"), { backend: "loop" }],
  [provider("loop", "fine"), { backend: "loop", model: "fine" }],
])("%o is sent as %o", (choice, sent) => {
  expect(retryWith(choice)).toEqual(sent);
});
