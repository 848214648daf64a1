/** Which secret, which home and which variables a process gets: the chosen profile's, and nobody else's. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createBackend } from "@/server/backends/adapter-table";
import type { BackendError } from "@/server/backends/backend";
import { BUILT_IN_PROFILES } from "@/server/config/profile-table";
import { settingsOfProvider } from "@/server/config/provider-settings";
import { Secret } from "@/server/shared/secret";
import { buildSettings } from "@/server/testing/build-settings";
import { jsonAnswer, startLoopbackUpstream } from "@/server/testing/loopback-upstream";
import { makeFolder } from "@/server/testing/make-folder";
import { NO_HOST } from "@/server/testing/no-host";
import { codexAccess, codexTurn, keepingSink, openCodex } from "@/server/testing/open-codex";
import { KEY_VARIABLE } from "./config-files";

// Each test starts processes, on a machine that may be busy.
vi.setConfig({ testTimeout: 60_000 });

const never = () => new AbortController().signal;

interface Seen {
  environment: Record<string, string>;
  arguments: string[];
  directory: string;
}

/** What the process of that provider was started with, and with what its requests come to the provider. */
async function openWatched(name: string, folder: string, childEnv?: Record<string, string>) {
  const upstream = await startLoopbackUpstream();
  onTestFinished(() => upstream.close());
  upstream.otherwise(jsonAnswer(200, {}));
  const to = path.join(folder, `${name}.environment.json`);
  const codex = openCodex({
    behaviours: ["prints-environment", "asks-upstream"],
    fake: { to },
    folder,
    settings: { name, baseUrl: upstream.baseUrl, secretRefs: { apiKey: `env:${name}` } },
    ...(childEnv === undefined ? {} : { childEnv }),
  });
  // What the fake wrote.
  const seen = () => (existsSync(to) ? (JSON.parse(readFileSync(to, "utf8")) as Seen) : null);
  const access = (key: string) => ({ ...codexAccess(key), baseUrl: upstream.baseUrl });
  const keys = () => upstream.requests.map(({ headers }) => headers.authorization);
  return { ...codex, seen, access, keys, baseUrl: upstream.baseUrl };
}

describe("a key that cannot be used is secret-unavailable before anything is started", () => {
  it.each<[string, Record<string, Secret>, string]>([
    ["missing", {}, "codex has no key: set providers.codex.apiKey."],
    ["empty", { apiKey: new Secret("", "env:K") }, "codex: the key env:K is empty."],
    ["blank", { apiKey: new Secret(" \t ", "env:K") }, "codex: the key env:K is empty."],
    [
      "of two lines",
      { apiKey: new Secret("sk-one\nsk-two", "env:K") },
      "codex: the key env:K holds a line break or another control character, and cannot be sent.",
    ],
    [
      "with a carriage return",
      { apiKey: new Secret("sk-one\rX-Evil: 1", "env:K") },
      "codex: the key env:K holds a line break or another control character, and cannot be sent.",
    ],
  ])("%s", async (_what, secrets, message) => {
    vi.stubEnv("OPENAI_API_KEY", "sk-another-key-of-the-process");
    vi.stubEnv("CODEX_API_KEY", "sk-another-key-of-the-process");
    const codex = await openWatched("codex", makeFolder());
    const failure = await codex.backend
      .runTurn(codexTurn("x", { secrets }), keepingSink(), never())
      .catch((thrown: unknown) => thrown);
    vi.unstubAllEnvs();
    const { failureKind, message: told } = failure as BackendError; // anything else fails the next line
    expect([failureKind, told]).toEqual(["secret-unavailable", message]);
    expect([codex.seen(), codex.heard(), existsSync(codex.homesFolder)]).toEqual([null, [], false]);
  });
});

it("blanks around a key are not part of it", async () => {
  const codex = await openWatched("codex", makeFolder());
  await codex.backend.runTurn(codexTurn("x", codex.access("  sk-canary-key-1 \n")), keepingSink(), never());
  await codex.backend.runTurn(codexTurn("x", codex.access("sk-canary-key-1")), keepingSink(), never());
  expect(codex.keys()).toEqual(Array(2).fill("Bearer sk-canary-key-1"));
  expect(codex.pids()).toHaveLength(1);
});

it("the environment of the process is the allow-listed one, its folders and the password of its relay, and nothing else", async () => {
  vi.stubEnv("SWITCHYARD_TOKEN", "must not be seen 1");
  vi.stubEnv("OPENAI_API_KEY", "must not be seen 2");
  const codex = await openWatched("codex", makeFolder(), { PATH: "/usr/bin:/bin", LANG: "C.UTF-8" });
  await codex.backend.runTurn(codexTurn("x", codex.access("sk-canary-key-1")), keepingSink(), never());
  vi.unstubAllEnvs();
  const [homeName = ""] = readdirSync(codex.homesFolder);
  const base = path.join(codex.homesFolder, homeName);
  expect(codex.seen()).toEqual({
    environment: {
      PATH: "/usr/bin:/bin",
      LANG: "C.UTF-8",
      HOME: path.join(base, "home"),
      CODEX_HOME: path.join(base, "home"),
      TMPDIR: path.join(base, "tmp"),
      NO_PROXY: "127.0.0.1",
      no_proxy: "127.0.0.1",
      [KEY_VARIABLE]: expect.stringMatching(/^[0-9a-f]{64}$/),
    },
    arguments: [
      "prints-environment+asks-upstream",
      expect.stringMatching(/^--log=/),
      expect.stringMatching(/^--to=/),
      "app-server",
      "--listen",
      "stdio://",
      "--strict-config",
      "-c",
      expect.stringMatching(/^model_providers\.profile\.base_url="http:\/\/127\.0\.0\.1:\d+\/v1"$/),
    ],
    directory: path.join(base, "empty"),
  });
});

it("a rotated key is another process, and the old one is not asked any more", async () => {
  const codex = await openWatched("codex", makeFolder());
  for (const key of ["sk-canary-old", "sk-canary-new", "sk-canary-new"])
    expect((await codex.backend.runTurn(codexTurn(key, codex.access(key)), keepingSink(), never())).text).toBe(`Reply to ${key}`);
  const turns = codex.heard().filter(({ method }) => method === "turn/start");
  expect(new Set(turns.map(({ pid }) => pid)).size).toBe(2);
  expect(turns[1]?.pid).toBe(turns[2]?.pid);
  expect(codex.keys()).toEqual(["Bearer sk-canary-old", "Bearer sk-canary-new", "Bearer sk-canary-new"]);
});

describe("T4: several profiles with secrets of their own", () => {
  const KEYS = { codex: "sk-canary-AAA-1111", deepseek: "sk-canary-BBB-2222", "minimax-m3": "sk-canary-CCC-3333" };

  it("each process sees its own key, model and home only", async () => {
    const folder = makeFolder();
    const opened = await Promise.all(
      Object.entries(KEYS).map(async ([name, key]) => ({ name, key, codex: await openWatched(name, folder) })),
    );
    await Promise.all(
      opened.flatMap(({ name, key, codex }) =>
        [1, 2, 3].map((at) =>
          codex.backend.runTurn(codexTurn(`${name} ${at}`, { ...codex.access(key), model: `m-${name}` }), keepingSink(), never()),
        ),
      ),
    );
    const homes = new Set<string>();
    for (const { name, key, codex } of opened) {
      const { environment = {} } = codex.seen() ?? {};
      expect(codex.keys()).toEqual(Array(3).fill(`Bearer ${key}`));
      expect(Object.values(KEYS).filter((each) => JSON.stringify(codex.seen()).includes(each))).toEqual([]);
      expect(path.basename(path.dirname(environment.CODEX_HOME ?? ""))).toMatch(new RegExp(`^${name}-[0-9a-f]{12}$`));
      homes.add(environment.CODEX_HOME ?? "");
      expect(codex.requests("thread/start").map(({ model }) => model)).toEqual(Array(3).fill(`m-${name}`));
      const texts = codex.requests("turn/start").map(({ input }) => JSON.stringify(input));
      expect(texts).toHaveLength(3);
      expect(texts.every((text) => text.includes(`${name} `))).toBe(true);
      expect(codex.pids()).toHaveLength(1);
    }
    expect(homes.size).toBe(3);
    const written = readdirSync(path.join(folder, "agents"), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(path.join(entry.parentPath, entry.name), "utf8"));
    expect(written.length).toBeGreaterThan(5);
    expect(written.filter((text) => Object.values(KEYS).some((key) => text.includes(key)))).toEqual([]);
  });

  it.each(["deepseek", "minimax-m3"])(
    "a missing key of %s is secret-unavailable, and codex is not asked instead",
    async (name) => {
      const folder = makeFolder();
      const codex = await openWatched("codex", folder);
      const other = await openWatched(name, folder);
      await codex.backend.runTurn(codexTurn("mine", codex.access(KEYS.codex)), keepingSink(), never());
      const before = codex.heard().length;
      await expect(other.backend.runTurn(codexTurn("x", { secrets: {} }), keepingSink(), never())).rejects.toMatchObject({
        failureKind: "secret-unavailable",
        message: `${name} has no key: set providers.${name}.apiKey.`,
      });
      const run = {
        runId: "run_1",
        image: { kind: "codex-app-server-stdio" as const, command: null },
        profile: { profile: name },
        model: "m",
        policy: {
          workspace: folder,
          network: false,
          approval: "never" as const,
          sandbox: "read-only" as const,
          timeoutMs: 60_000,
          approvalMs: 60_000,
          secretScope: { providerCredentials: [] },
        },
        workspace: folder,
        threadId: null,
      };
      const hooks = {
        ask: async () => "decline" as const,
        progress: () => undefined,
        late: () => undefined,
        processEnded: () => undefined,
      };
      const access = { ...codex.access("x"), secrets: {} };
      await expect(
        other.backend.agent.prepare(run, { commandId: "cmd_1", prompt: "x" }, access, hooks, never()),
      ).rejects.toMatchObject({ failureKind: "secret-unavailable" });
      expect([other.seen(), other.heard()]).toEqual([null, []]);
      expect(codex.heard()).toHaveLength(before);
    },
  );
});

describe("contradiction 1: the profile minimax-m3 is never the provider kind minimax-api, nor the other way", () => {
  const documentOf = (name: string, more: object = {}) => ({
    providers: { [name]: { baseUrl: "https://api.minimax.io/v1", apiKey: "env:MINIMAX_KEY", ...more } },
  });

  it("by name, whatever their common address says", () => {
    expect(settingsOfProvider(documentOf("minimax-m3"), "minimax-m3")).toMatchObject({
      name: "minimax-m3",
      profile: "minimax-m3",
      kind: "codex-app-server-stdio",
    });
    expect(settingsOfProvider(documentOf("minimax-api"), "minimax-api")).toMatchObject({
      profile: "minimax-api",
      kind: "openai-chat",
    });
    expect(settingsOfProvider(documentOf("minimax-api"), "minimax-m3")).toBeNull();
    expect(settingsOfProvider(documentOf("minimax-m3"), "minimax-api")).toBeNull();
  });

  it("by address: a provider of another name at MiniMax is the API, and no agent", () => {
    expect(settingsOfProvider(documentOf("mine"), "mine")).toMatchObject({ profile: "minimax-api", kind: "openai-chat" });
    expect(settingsOfProvider(documentOf("mine", { profile: "minimax-m3" }), "mine")).toMatchObject({
      profile: "minimax-m3",
      kind: "codex-app-server-stdio",
    });
  });

  it("as backends: one is an agent and resolves itself alone, the other is none", () => {
    const agentic = createBackend(buildSettings("minimax-m3"), NO_HOST);
    const plain = createBackend(buildSettings("minimax-api"), NO_HOST);
    expect([agentic.kind, plain.kind, plain.agent]).toEqual(["codex-app-server-stdio", "openai-chat", undefined]);
    expect(agentic.agent?.resolveProfile("minimax-m3").profile).toBe("minimax-m3");
    for (const other of ["minimax-api", "codex", "deepseek", "minimax", ""]) {
      expect(() => agentic.agent?.resolveProfile(other)).toThrow(`minimax-m3 is not the profile ${other}.`);
    }
  });

  it("and no host leads to a profile that works as an agent", () => {
    const agentic = BUILT_IN_PROFILES.filter(({ kind }) => kind === "codex-app-server-stdio");
    expect(agentic.map(({ name, hosts }) => [name, hosts])).toEqual([
      ["codex", []],
      ["deepseek", []],
      ["minimax-m3", []],
    ]);
  });
});
