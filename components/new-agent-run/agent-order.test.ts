import { describe, expect, it } from "vitest";
import { buildConfig, buildProviderRow } from "@/server/testing/build-config";
import { type AgentDraft, EMPTY_AGENT_DRAFT, loadAgentDraft, millisecondsOf, minutesOf, saveAgentDraft } from "./agent-draft";
import { agentOrder, agentProviders, chosenProvider, draftProblem } from "./agent-order";

const TURN = { min: 1_000, max: 86_400_000, usual: 1_800_000 } as const;
const agent = (name: string, more = {}) =>
  buildProviderRow({ name, profile: name, kind: "codex-app-server-stdio", defaultModel: `${name}-1`, ...more });
const RULES = {
  backends: null,
  workspaces: ["/srv/repos"],
  sandbox: "workspace-write",
  network: false,
  timeoutMs: 86_400_000,
} as const;

function config(
  agents: Partial<ReturnType<typeof buildConfig>["agents"]> = {},
  providers = [buildProviderRow(), agent("codex"), agent("deepseek")],
) {
  return buildConfig({ providers, agents: { ...RULES, workspaces: [...RULES.workspaces], ...agents } });
}
const draft = (part: Partial<AgentDraft> = {}): AgentDraft => ({ ...EMPTY_AGENT_DRAFT, prompt: "Mend the tests", ...part });

describe("providers for agent runs", () => {
  it("are those whose runtime works as one, as far as the configuration lets them", () => {
    const names = (of: ReturnType<typeof config>) =>
      agentProviders(of).map(({ provider, isAllowed }) => [provider.name, isAllowed]);
    expect(names(config())).toEqual([
      ["codex", true],
      ["deepseek", true],
    ]);
    expect(names(config({ backends: ["deepseek"] }))).toEqual([
      ["codex", false],
      ["deepseek", true],
    ]);
    expect(names(config({}, [buildProviderRow()]))).toEqual([]);
  });

  it("are chosen by name, else the first that may be used", () => {
    expect(chosenProvider(config(), draft({ provider: "deepseek" }))?.name).toBe("deepseek");
    expect(chosenProvider(config(), draft({ provider: "gone" }))?.name).toBe("codex");
    expect(chosenProvider(config({ backends: ["deepseek"] }), draft({ provider: "codex" }))?.name).toBe("deepseek");
    expect(chosenProvider(config({ backends: [] }), draft())).toBeNull();
  });
});

describe("an order", () => {
  it("names what was entered and leaves out what was not", () => {
    expect(agentOrder(config(), draft())).toEqual({
      kind: "thread",
      workflow: "agent",
      backend: "codex",
      prompt: "Mend the tests",
      executionPolicy: { sandbox: "read-only", network: false, approval: "never", timeoutMs: 1_800_000, approvalMs: 600_000 },
    });
    const entered = draft({
      provider: "deepseek",
      model: " m2 ",
      name: " Night shift ",
      workspace: " /srv/repos/a ",
      sandbox: "workspace-write",
      network: true,
      approval: "on-request",
      timeoutMinutes: "90",
      approvalMinutes: "0.5",
    });
    expect(agentOrder(config({ network: true }), entered)).toEqual({
      kind: "thread",
      workflow: "agent",
      backend: "deepseek",
      model: "m2",
      name: "Night shift",
      prompt: "Mend the tests",
      executionPolicy: {
        workspace: "/srv/repos/a",
        sandbox: "workspace-write",
        network: true,
        approval: "on-request",
        timeoutMs: 5_400_000,
        approvalMs: 30_000,
      },
    });
  });

  it("asks for nothing that the configuration has forbidden since the draft was written", () => {
    const wide = draft({ sandbox: "danger-full-access", network: true });
    expect(agentOrder(config({ timeoutMs: 60_000 }), wide)?.executionPolicy).toEqual({
      sandbox: "read-only",
      network: false,
      approval: "never",
      timeoutMs: 60_000,
      approvalMs: 600_000,
    });
  });

  it.each([
    ["noPrompt", { prompt: " \n " }],
    ["tooLong", { prompt: "a".repeat(200_001) }],
    ["workspace", { workspace: "srv/repos" }],
    ["minutes", { timeoutMinutes: "soon" }],
    ["minutes", { approvalMinutes: "0" }],
  ] as const)("is none because of %s", (problem, part) => {
    expect(draftProblem(config(), draft(part))).toBe(problem);
    expect(agentOrder(config(), draft(part))).toBeNull();
  });

  it("needs a model where the provider has no usual one", () => {
    const bare = config({}, [agent("codex", { defaultModel: null })]);
    expect(draftProblem(bare, draft())).toBe("model");
    expect(draftProblem(bare, draft({ model: "m" }))).toBeNull();
  });
});

describe("times", () => {
  it.each([
    ["", 1_800_000],
    [" 45 ", 2_700_000],
    ["0.1", 6_000],
    ["0.001", null],
    ["1441", null],
    ["-1", null],
    ["1e3", null],
  ])("%s minutes are %s ms", (entered, milliseconds) => {
    expect(millisecondsOf(entered, TURN, TURN.max)).toBe(milliseconds);
  });

  it("are within what the configuration allows", () => {
    expect([millisecondsOf("", TURN, 600_000), millisecondsOf("11", TURN, 600_000)]).toEqual([600_000, null]);
    expect(minutesOf(TURN, 600_000)).toEqual({ max: 10, usual: 10 });
    expect(minutesOf(TURN, TURN.max)).toEqual({ max: 1_440, usual: 30 });
  });
});

describe("the kept draft", () => {
  function storageOf(text: string | null) {
    let stored = text;
    return {
      getItem: () => stored,
      setItem: (_key: string, value: string) => {
        stored = value;
      },
      removeItem: () => {
        stored = null;
      },
    };
  }

  it("comes back as it was; what another version wrote does not", () => {
    const storage = storageOf(null);
    expect(loadAgentDraft(storage)).toEqual(EMPTY_AGENT_DRAFT);
    const kept = draft({ sandbox: "workspace-write", network: true });
    saveAgentDraft(storage, kept);
    expect(loadAgentDraft(storage)).toEqual(kept);
    expect(loadAgentDraft(storageOf("{"))).toEqual(EMPTY_AGENT_DRAFT);
    expect(loadAgentDraft(storageOf(JSON.stringify({ ...kept, sandbox: "wide-open" })))).toEqual(EMPTY_AGENT_DRAFT);
  });
});
