/** Three profiles, each with its own key, model, upstream and home: side by side, one after another, and one without its key. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openRealCodex, type RealCodex } from "@/server/testing/real-codex";
import { agentTurn, chunkTurn, type EndedTurn } from "@/server/testing/real-codex-turns";
import { reply } from "@/server/testing/responses-answers";

const MODELS = { codex: "gpt-6.2-sol", deepseek: "deepseek-flash", "minimax-m3": "MiniMax-M3" } as const;
type Profile = keyof typeof MODELS;
// The keys of the literal above.
const PROFILES = Object.keys(MODELS) as Profile[];

let opened: Record<Profile, RealCodex>;

beforeAll(async () => {
  const [codex, deepseek, minimax] = await Promise.all(PROFILES.map((profile) => openRealCodex({ profile })));
  // As many as there are profiles, in their order.
  opened = { codex, deepseek, "minimax-m3": minimax } as Record<Profile, RealCodex>;
});
afterAll(async () => {
  for (const one of Object.values(opened)) await one.close();
});

/** Every file of its homes, for a look at what is in none of them. */
function homeTexts({ homesFolder }: RealCodex): string[] {
  return readdirSync(homesFolder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(path.join(entry.parentPath, entry.name), "latin1"));
}

it("side by side, each upstream sees its own key and its own model, and nothing of the others", async () => {
  const turns = PROFILES.flatMap((profile) => {
    const one = opened[profile];
    const chunks = [1, 2, 3].map(async (number) => {
      const { result } = await chunkTurn(one, [reply(`${profile} chunk ${number}`)]);
      return result?.text;
    });
    const agent = agentTurn(one, [reply(`${profile} agent`)]).then(({ outcome }) => outcome.reply);
    return [...chunks, agent];
  });
  expect(await Promise.all(turns)).toEqual(
    PROFILES.flatMap((profile) => [1, 2, 3].map((number) => `${profile} chunk ${number}`).concat(`${profile} agent`)),
  );
  for (const profile of PROFILES) {
    const { upstream, key, backend } = opened[profile];
    expect(upstream.requests).toHaveLength(4);
    expect(new Set(upstream.requests.map(({ authorization }) => authorization))).toEqual(new Set([`Bearer ${key}`]));
    expect(new Set(upstream.requests.map(({ model }) => model))).toEqual(new Set([MODELS[profile]]));
    expect(backend.running()).toHaveLength(1);
    const others = PROFILES.filter((other) => other !== profile);
    const texts = homeTexts(opened[profile]);
    expect(texts.some((text) => text.includes(`${profile} agent`))).toBe(true);
    for (const other of others) {
      expect(texts.some((text) => text.includes(opened[other].key) || text.includes(opened[other].upstream.baseUrl))).toBe(false);
    }
  }
});

it("codex, deepseek, minimax-m3, codex: each turn is told with its own profile, and codex goes on in its own thread", async () => {
  const runId = "switching";
  const turn = (profile: Profile, text: string, before?: EndedTurn) =>
    agentTurn(opened[profile], [reply(text)], { runId: `${runId}-${profile}`, threadId: before?.threadId ?? null });
  const first = await turn("codex", "one");
  const second = await turn("deepseek", "two");
  const third = await turn("minimax-m3", "three");
  const fourth = await turn("codex", "four", first);
  expect([first, second, third, fourth].map(({ outcome }) => [outcome.status, outcome.reply])).toEqual([
    ["completed", "one"],
    ["completed", "two"],
    ["completed", "three"],
    ["completed", "four"],
  ]);
  const summary = (profile: Profile, phase: string) => ({
    phase,
    backend: profile,
    profile,
    backendKind: "codex-app-server-stdio",
    protocol: "codex-app-server-jsonrpc-stdio",
    model: MODELS[profile],
  });
  expect([first, second, third, fourth].map(({ events }) => events[0]?.payload)).toMatchObject([
    summary("codex", "thread-started"),
    summary("deepseek", "thread-started"),
    summary("minimax-m3", "thread-started"),
    summary("codex", "thread-continued"),
  ]);
  expect(new Set([first.threadId, second.threadId, third.threadId]).size).toBe(3);
  expect(fourth.threadId).toBe(first.threadId);
  expect(fourth.process.pid).toBe(first.process.pid);
  for (const { events } of [first, second, third, fourth]) {
    for (const { key } of Object.values(opened)) expect(JSON.stringify(events)).not.toContain(key);
  }
});

it.each(["deepseek", "minimax-m3"] as const)(
  "%s without its key fails as such, and no other profile stands in",
  async (profile) => {
    const asked = () => PROFILES.map((each) => opened[each].upstream.requests.length);
    const before = asked();
    const via = opened[profile].another({ profile, key: null });
    const { error } = await chunkTurn(opened[profile], [reply("never said")], { via });
    expect(error).toMatchObject({
      failureKind: "secret-unavailable",
      message: `${profile} has no key: set providers.${profile}.apiKey.`,
    });
    expect(asked()).toEqual(before);
    expect(via.backend.running()).toEqual([]);
  },
);

it("a run of one profile is not taken by another", async () => {
  const { backend } = opened.codex;
  expect(() => backend.agent.resolveProfile("deepseek")).toThrow("codex is not the profile deepseek.");
  expect(backend.agent.resolveProfile("codex")).toEqual({
    profile: "codex",
    backendKind: "codex-app-server-stdio",
    protocol: "codex-app-server-jsonrpc-stdio",
    transport: "stdio",
    command: "codex app-server --listen stdio://",
    requiredSecretKeys: ["apiKey"],
    isolation: "Secrets of the chosen profile only, and a home folder of its own for each profile.",
  });
});
