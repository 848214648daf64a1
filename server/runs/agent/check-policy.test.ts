import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import type { AgentRules } from "@/server/config/config-document.schema";
import type { ExecutionPolicy } from "@/server/config/execution-policy.schema";
import { buildSettings } from "@/server/testing/build-settings";
import { makeFolder } from "@/server/testing/make-folder";
import { policyProblems, resolveWorkspace } from "./check-policy";

const SETTINGS = buildSettings("deepseek", { secretRefs: { apiKey: "env:DEEPSEEK_KEY" } });

function policyOf(more: Partial<ExecutionPolicy> = {}): ExecutionPolicy {
  return {
    workspace: "/w",
    network: false,
    approval: "never",
    sandbox: "read-only",
    timeoutMs: 60_000,
    approvalMs: 60_000,
    secretScope: { providerCredentials: [{ profile: "deepseek", secretRef: "env:DEEPSEEK_KEY" }] },
    ...more,
  };
}

describe("a policy within what is allowed has no problem", () => {
  it.each<[string, Partial<ExecutionPolicy>, AgentRules]>([
    ["the narrowest, without any rules", {}, {}],
    ["writing in the workspace, which is usual", { sandbox: "workspace-write" }, {}],
    [
      "everything, where everything is allowed",
      { sandbox: "danger-full-access", network: true },
      { sandbox: "danger-full-access", network: true },
    ],
    ["a provider that is listed", {}, { backends: ["codex", "deepseek"] }],
    ["the longest time", { timeoutMs: 90_000 }, { timeoutMs: 90_000 }],
    ["people who are asked", { approval: "untrusted" }, {}],
  ])("%s", (_what, policy, rules) => {
    expect(policyProblems(policyOf(policy), rules, SETTINGS)).toEqual([]);
  });
});

describe("a policy is refused", () => {
  it.each<[string, Partial<ExecutionPolicy>, AgentRules, string]>([
    [
      "for a provider that is not listed",
      {},
      { backends: ["codex", "minimax-m3"] },
      "deepseek may not be used for agent runs: agents.backends of the configuration lists codex, minimax-m3.",
    ],
    [
      "where nobody is listed",
      {},
      { backends: [] },
      "deepseek may not be used for agent runs: agents.backends of the configuration lists nobody.",
    ],
    [
      "for more than writing in the workspace, unless it is said",
      { sandbox: "danger-full-access" },
      {},
      "The sandbox danger-full-access is wider than workspace-write, the most that agents.sandbox of the configuration allows.",
    ],
    [
      "for writing where only reading is allowed",
      { sandbox: "workspace-write" },
      { sandbox: "read-only" },
      "The sandbox workspace-write is wider than read-only, the most that agents.sandbox of the configuration allows.",
    ],
    [
      "for the network, unless it is said",
      { network: true },
      {},
      "Network access is not allowed: set agents.network to true in the configuration first.",
    ],
    [
      "for the network where it is forbidden",
      { network: true },
      { network: false },
      "Network access is not allowed: set agents.network to true in the configuration first.",
    ],
    [
      "for too much time",
      { timeoutMs: 90_001 },
      { timeoutMs: 90_000 },
      "The time limit of 90001 ms is above 90000 ms, the most that agents.timeoutMs allows.",
    ],
    [
      "without a credential of the provider",
      { secretScope: { providerCredentials: [{ profile: "codex", secretRef: "env:DEEPSEEK_KEY" }] } },
      {},
      "The secret scope names no credential for deepseek: add it to executionPolicy.secretScope.",
    ],
    [
      "with another secret than the configured one",
      { secretScope: { providerCredentials: [{ profile: "deepseek", secretRef: "env:OTHER_KEY" }] } },
      {},
      "The secret scope names another secret for deepseek than providers.deepseek.apiKey does; use the configured reference.",
    ],
  ])("%s", (_what, policy, rules, problem) => {
    expect(policyProblems(policyOf(policy), rules, SETTINGS)).toEqual([problem]);
  });

  it("for a provider that is no agent", () => {
    const settings = buildSettings("minimax-api", { secretRefs: { apiKey: "env:K" } });
    const secretScope = { providerCredentials: [{ profile: "minimax-api", secretRef: "env:K" }] };
    expect(policyProblems(policyOf({ secretScope }), {}, settings)).toEqual([
      "minimax-api is no agent: its kind is openai-chat.",
    ]);
  });

  it("with every reason at once", () => {
    const policy = policyOf({
      sandbox: "danger-full-access",
      network: true,
      timeoutMs: 2_000,
      secretScope: { providerCredentials: [] },
    });
    const rules: AgentRules = { backends: ["codex"], sandbox: "read-only", timeoutMs: 1_000 };
    expect(policyProblems(policy, rules, SETTINGS)).toHaveLength(5);
  });
});

describe("a workspace", () => {
  function folders() {
    const base = makeFolder();
    const ownFolder = path.join(base, "data", "workspaces");
    const allowed = path.join(base, "repos");
    mkdirSync(path.join(allowed, "one", "deep"), { recursive: true });
    mkdirSync(path.join(base, "repos-of-others"), { recursive: true });
    writeFileSync(path.join(allowed, "file"), "x");
    return { base, ownFolder, allowed, rules: { ownFolder, allowed: [allowed] } };
  }

  it("of the run's own is made, for this user alone", async () => {
    const { ownFolder, rules } = folders();
    const workspace = path.join(ownFolder, "run_1");
    expect(await resolveWorkspace(workspace, rules)).toEqual({ ok: true, value: workspace });
    expect(readdirSync(ownFolder)).toEqual(["run_1"]);
    expect(await resolveWorkspace(workspace, rules)).toEqual({ ok: true, value: workspace });
  });

  it("is not made where it is only looked at", async () => {
    const { ownFolder, rules } = folders();
    const workspace = path.join(ownFolder, "run_1");
    expect(await resolveWorkspace(workspace, { ...rules, mayMake: false })).toEqual({ ok: true, value: workspace });
    expect(existsSync(ownFolder)).toBe(false);
  });

  it("below an allowed folder, or that folder itself, is allowed", async () => {
    const { allowed, rules } = folders();
    for (const workspace of [allowed, path.join(allowed, "one"), path.join(allowed, "one", "deep"), `${allowed}/one/../one/`])
      expect((await resolveWorkspace(workspace, rules)).ok, workspace).toBe(true);
  });

  it("behind a link is where the link leads, which must be allowed", async () => {
    const { base, allowed, rules } = folders();
    symlinkSync(path.join(allowed, "one"), path.join(base, "good-link"));
    expect(await resolveWorkspace(path.join(base, "good-link"), rules)).toEqual({ ok: true, value: path.join(allowed, "one") });
    symlinkSync(path.join(base, "repos-of-others"), path.join(allowed, "bad-link"));
    expect(await resolveWorkspace(path.join(allowed, "bad-link"), rules)).toEqual({
      ok: false,
      error: `The workspace ${path.join(allowed, "bad-link")} lies in none of the folders that agents.workspaces allows (${allowed}).`,
    });
  });

  it("is allowed through an allowed folder that is a link itself", async () => {
    const { base, allowed, ownFolder } = folders();
    const link = path.join(base, "link-to-repos");
    symlinkSync(allowed, link);
    expect(await resolveWorkspace(path.join(link, "one"), { ownFolder, allowed: [link] })).toEqual({
      ok: true,
      value: path.join(allowed, "one"),
    });
  });

  it("of another run's making cannot lead out of the server's folder, and nothing is made behind a link", async () => {
    const { base, ownFolder, rules } = folders();
    mkdirSync(path.join(ownFolder, "run_1"), { recursive: true });
    symlinkSync(base, path.join(ownFolder, "run_1", "out"));
    symlinkSync(base, path.join(ownFolder, "run_2"));
    for (const workspace of [
      path.join(ownFolder, "run_1", "out"),
      path.join(ownFolder, "run_2"),
      path.join(ownFolder, "run_1", "out", "new"),
    ])
      expect((await resolveWorkspace(workspace, rules)).ok, workspace).toBe(false);
    expect(existsSync(path.join(base, "new"))).toBe(false);
  });

  it("of another run may be used again, all of them together may not", async () => {
    const { ownFolder, rules } = folders();
    mkdirSync(path.join(ownFolder, "run_1", "deep"), { recursive: true });
    expect((await resolveWorkspace(path.join(ownFolder, "run_1", "deep"), rules)).ok).toBe(true);
    expect((await resolveWorkspace(ownFolder, rules)).ok).toBe(false);
    expect((await resolveWorkspace(path.join(ownFolder, "run_1", ".."), rules)).ok).toBe(false);
  });

  it.each<[string, (base: string) => string, (base: string) => string]>([
    ["relative", () => "repos/one", () => 'The workspace must be an absolute path, not "repos/one".'],
    ["of the home by a sign", () => "~/one", () => 'The workspace must be an absolute path, not "~/one".'],
    [
      "not there",
      (base) => `${base}/repos/two`,
      (base) => `The workspace ${base}/repos/two is not there, or cannot be read by this server.`,
    ],
    ["a file", (base) => `${base}/repos/file`, (base) => `The workspace ${base}/repos/file is no folder.`],
    [
      "beside an allowed one, with a name that begins like it",
      (base) => `${base}/repos-of-others`,
      (base) =>
        `The workspace ${base}/repos-of-others lies in none of the folders that agents.workspaces allows (${base}/repos).`,
    ],
    [
      "outside and not there",
      (base) => `${base}/elsewhere/secret`,
      (base) =>
        `The workspace ${base}/elsewhere/secret lies in none of the folders that agents.workspaces allows (${base}/repos).`,
    ],
    [
      "outside and a file",
      () => process.execPath,
      (base) => `The workspace ${process.execPath} lies in none of the folders that agents.workspaces allows (${base}/repos).`,
    ],
    [
      "above an allowed one",
      (base) => `${base}/repos/..`,
      (base) => `The workspace ${base}/repos/.. lies in none of the folders that agents.workspaces allows (${base}/repos).`,
    ],
  ])("is refused that is %s", async (_what, workspaceOf, error) => {
    const { base, rules } = folders();
    expect(await resolveWorkspace(workspaceOf(base), rules)).toEqual({ ok: false, error: error(base) });
  });

  it("where none is allowed says how to allow it", async () => {
    const { allowed, ownFolder } = folders();
    expect(await resolveWorkspace(allowed, { ownFolder, allowed: [] })).toEqual({
      ok: false,
      error: `The workspace ${allowed} is not allowed: name its folder in agents.workspaces of the configuration first.`,
    });
  });

  it("whose own place is taken by a file is none", async () => {
    const { ownFolder, rules } = folders();
    mkdirSync(ownFolder, { recursive: true });
    writeFileSync(path.join(ownFolder, "run_1"), "x");
    expect(await resolveWorkspace(path.join(ownFolder, "run_1"), rules)).toMatchObject({ ok: false });
  });
});
