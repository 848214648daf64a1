/** Which key, which folders and which variables a process gets, and where the key can be found afterwards: nowhere. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { describe, expect, it, vi } from "vitest";
import { Secret } from "@/server/shared/secret";
import { failureOf } from "@/server/testing/contract-chat-turn";
import { fakeClaude } from "@/server/testing/fake-claude-command";
import { makeFolder } from "@/server/testing/make-folder";
import { CLAUDE_KEY, claudeAccess, claudeTurn, openClaude, processFolders } from "@/server/testing/open-claude";
import { keepingSink } from "@/server/testing/open-codex";

// Each test starts processes, on a machine that may be busy.
vi.setConfig({ testTimeout: 60_000 });

const never = () => new AbortController().signal;

describe("a key that cannot be used is secret-unavailable before anything is started", () => {
  it.each<[string, Record<string, Secret>, string]>([
    ["missing", {}, "claude-code has no key: set providers.claude-code.apiKey."],
    ["blank", { apiKey: new Secret(" \t ", "env:K") }, "claude-code: the key env:K is empty."],
    [
      "of two lines",
      { apiKey: new Secret("sk-one\nsk-two", "env:K") },
      "claude-code: the key env:K holds a line break or another control character, and cannot be sent.",
    ],
  ])("%s", async (_what, secrets, message) => {
    vi.stubEnv("ANTHROPIC_API_KEY", "sk-another-key-of-the-process");
    const claude = openClaude();
    const error = await failureOf(claude.backend.runTurn(claudeTurn("x", { secrets }), keepingSink(), never()));
    vi.unstubAllEnvs();
    expect([error.failureKind, error.message]).toEqual(["secret-unavailable", message]);
    expect([claude.started(), existsSync(claude.homesFolder)]).toEqual([[], false]);
  });
});

it("the environment is the allow-listed one, the folders, the settings and the key; the key and the texts are in no argument", async () => {
  vi.stubEnv("SWITCHYARD_TOKEN", "must not be seen 1");
  vi.stubEnv("OPENAI_API_KEY", "must not be seen 2");
  vi.stubEnv("CLAUDE_CODE_USE_BEDROCK", "1");
  const claude = openClaude({ childEnv: { PATH: "/usr/bin:/bin", LANG: "C.UTF-8" } });
  const turn = claudeTurn("/help me with THE CHUNK", { system: "THE SYSTEM TEXT", ...claudeAccess(` ${CLAUDE_KEY}\n`) });
  await claude.backend.runTurn(turn, keepingSink(), never());
  vi.unstubAllEnvs();
  const seen = claude.seen();
  const base = path.join(claude.homesFolder, "claude-code-claude");
  expect(seen?.environment).toMatchObject({
    PATH: "/usr/bin:/bin",
    LANG: "C.UTF-8",
    HOME: path.join(base, "home"),
    CLAUDE_CONFIG_DIR: path.join(base, "config"),
    ANTHROPIC_API_KEY: CLAUDE_KEY,
    ANTHROPIC_BASE_URL: "http://127.0.0.1:1",
  });
  expect(Object.keys(seen?.environment ?? {}).filter((name) => /SWITCHYARD|OPENAI|BEDROCK/.test(name))).toEqual([]);
  expect(seen?.prompt).toBe("Input:\n/help me with THE CHUNK");
  expect(seen?.directory.startsWith(path.join(base, "processes", "process-"))).toBe(true);
  expect(seen?.arguments.join(" ")).not.toMatch(/canary|THE CHUNK|THE SYSTEM/);
});

it("homes are this user's alone, one a provider; what was a process's own is gone after it", async () => {
  const folder = makeFolder();
  const one = openClaude({ folder });
  const other = openClaude({ folder, settings: { name: "claude-two" } });
  await one.backend.runTurn(claudeTurn("x"), keepingSink(), never());
  await other.backend.runTurn(claudeTurn("x", claudeAccess("sk-canary-two")), keepingSink(), never());
  expect(readdirSync(one.homesFolder).sort()).toEqual(["claude-code-claude", "claude-two-claude"]);
  const folders = [one.homesFolder, ...readdirSync(one.homesFolder).map((name) => path.join(one.homesFolder, name))];
  for (const each of [...folders, path.join(folders[1] ?? "", "home"), path.join(folders[1] ?? "", "config")])
    expect(statSync(each).mode & 0o777).toBe(0o700);
  expect(processFolders(one.homesFolder)).toEqual([]);
  expect([one.seen()?.environment.ANTHROPIC_API_KEY, other.seen()?.environment.ANTHROPIC_API_KEY]).toEqual([
    CLAUDE_KEY,
    "sk-canary-two",
  ]);
});

it("a subscription's token goes its own way", async () => {
  const claude = openClaude();
  await claude.backend.runTurn(claudeTurn("x", claudeAccess("sk-ant-oat01-canary-9")), keepingSink(), never());
  const { ANTHROPIC_API_KEY: key, CLAUDE_CODE_OAUTH_TOKEN: token } = claude.seen()?.environment ?? {};
  expect([key, token, claude.seen()?.arguments.includes("--bare")]).toEqual([undefined, "sk-ant-oat01-canary-9", false]);
});

it("the key is in no event, error and file, whatever the process repeats", async () => {
  const claude = openClaude();
  const sink = keepingSink();
  const { text } = await claude.backend.runTurn(claudeTurn(`x ${fakeClaude("leaks-key")}`), sink, never());
  // The caller redacts what it stores; that the program leaked it at all shows that the look below finds something.
  expect(text).toContain(CLAUDE_KEY);
  const refused = await failureOf(
    claude.backend.runTurn(claudeTurn(`x ${fakeClaude("leaks-key", "status:401")}`), sink, never()),
  );
  const died = await failureOf(claude.backend.runTurn(claudeTurn(`x ${fakeClaude("leaks-key", "die")}`), sink, never()));
  expect(refused.message).toContain("[redacted env:CLAUDE_KEY]");
  const shown = JSON.stringify([
    sink.events,
    ...[refused, died].map(({ message, stack, partialText }) => [message, stack, partialText]),
  ]);
  expect(shown).not.toContain(CLAUDE_KEY);
  const files = readdirSync(claude.homesFolder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const holding = files.filter((file) => readFileSync(path.join(file.parentPath, file.name), "utf8").includes(CLAUDE_KEY));
  expect(holding).toEqual([]);
});
