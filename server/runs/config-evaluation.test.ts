import { describe, expect, it } from "vitest";
import { parseConfigText } from "@/server/config/config-yaml";
import { evaluateDocument } from "./config-evaluation";

function evaluate(text: string) {
  const { partial, problems } = parseConfigText(text);
  return evaluateDocument(partial, problems, () => []);
}

describe("a document with errors", () => {
  it("still shows the scenes and providers that could be read, so that it can be mended there", () => {
    const { usable, problems, scenes, providers } = evaluate(
      "models:\n  default: mock/mock-1\n  extract: gone/model\n  planner: 7\nproviders:\n  spare:\n    profile: nowhere\n",
    );
    expect(usable).toBe(false);
    expect(problems.filter(({ severity }) => severity === "error").map(({ code, line }) => [code, line])).toEqual([
      ["unknown_provider", 3],
      ["wrong_type", 4],
      ["unknown_profile", 7],
    ]);
    expect(scenes.find(({ scene }) => scene === "extract")).toMatchObject({
      own: "gone/model",
      candidates: [{ reference: "gone/model", problem: expect.stringContaining('there is no provider "gone"') }],
    });
    expect(scenes.find(({ scene }) => scene === "default")).toMatchObject({ own: "mock/mock-1", problem: null });
    expect(providers.map(({ name }) => name)).toEqual(["extractive", "mock"]);
  });

  it("shows only its problems when it cannot be read at all", () => {
    const { usable, scenes, providers, problems } = evaluate("models: [");
    expect({ usable, scenes, providers }).toEqual({ usable: false, scenes: [], providers: [] });
    expect(problems.map(({ code }) => code)).toEqual(["not_yaml"]);
  });
});

describe("what agent runs may do", () => {
  it("is the narrowest where the document says nothing, but for the sandbox", () => {
    expect(evaluate("").agents).toEqual({
      backends: null,
      workspaces: [],
      sandbox: "workspace-write",
      network: false,
      timeoutMs: 86_400_000,
    });
  });

  it("is what the document says", () => {
    const text =
      "agents:\n  backends: [codex]\n  workspaces: [/srv/repos]\n  sandbox: read-only\n  network: true\n  timeoutMs: 60000\n";
    expect(evaluate(text).agents).toEqual({
      backends: ["codex"],
      workspaces: ["/srv/repos"],
      sandbox: "read-only",
      network: true,
      timeoutMs: 60_000,
    });
  });
});
