import { describe, expect, it } from "vitest";
import { changeOf } from "./config-impact";

const PLAIN = { models: { default: "mock/x" } };

it("names the prices that are new, others or gone", () => {
  const price = { input: 1, output: 2 };
  const before = { ...PLAIN, prices: { "a/x": price, "a/y": price, "a/*": price } };
  const after = { ...PLAIN, prices: { "a/*": { ...price }, "a/y": { ...price, cachedInput: 0 }, "b/z": price } };
  expect(changeOf(before, after)).toMatchObject({
    scenes: [],
    providers: [],
    touchedScenes: [],
    prices: [
      { reference: "a/x", change: "removed" },
      { reference: "a/y", change: "changed" },
      { reference: "b/z", change: "added" },
    ],
  });
});

describe("what a save changes besides scenes and providers", () => {
  it("is every limit with its old and its new value, usual ones filled in", () => {
    const after = {
      ...PLAIN,
      maxRounds: 30,
      maxDepth: 1,
      supervisor: { enabled: true, interval: 5 },
      agents: { backends: ["codex"], workspaces: ["/srv/a"], sandbox: "read-only" as const, network: true, timeoutMs: 60_000 },
      workflows: { nightly: {} },
    };
    expect(changeOf(PLAIN, after)).toEqual({
      scenes: [],
      providers: [],
      prices: [],
      limits: [
        { path: "maxRounds", before: 20, after: 30 },
        { path: "maxDepth", before: 3, after: 1 },
        { path: "supervisor.enabled", before: false, after: true },
        { path: "supervisor.interval", before: 3, after: 5 },
        { path: "agents.backends", before: null, after: ["codex"] },
        { path: "agents.workspaces", before: [], after: ["/srv/a"] },
        { path: "agents.sandbox", before: "workspace-write", after: "read-only" },
        { path: "agents.network", before: false, after: true },
        { path: "agents.timeoutMs", before: 86_400_000, after: 60_000 },
        { path: "workflows", before: [], after: ["nightly"] },
      ],
      touchedScenes: [],
    });
  });

  it("is nothing when a usual value is only written down", () => {
    expect(changeOf(PLAIN, { ...PLAIN, maxRounds: 20, maxDepth: 3, supervisor: { interval: 3 } }).limits).toEqual([]);
  });
});
