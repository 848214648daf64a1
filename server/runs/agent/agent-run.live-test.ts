/**
 * Real services, asked through the whole product: the shortest turn with each profile, and switching between them. Only what the
 * environment gives a key for is run (docs/testing.md names the variables); the rest says by name that it was not.
 */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it, vi } from "vitest";
import { readSecretVariable } from "@/server/env";
import { usualModel } from "@/server/testing/build-settings";
import { makeFolder } from "@/server/testing/make-folder";
import { pathToRealCodex } from "@/server/testing/real-codex";
import { openContainer, type TestContainer, untilRun, wholeTrace } from "@/server/testing/test-container";

/** Milliseconds for one real turn. */
const TURN_MS = 300_000;

const PROFILES = { codex: "CODEX", deepseek: "DEEPSEEK", "minimax-m3": "MINIMAX" } as const;
type Profile = keyof typeof PROFILES;

const variable = (profile: Profile, what: "KEY" | "BASE_URL" | "MODEL") => `SWITCHYARD_LIVE_${PROFILES[profile]}_${what}`;
const given = (name: string) => readSecretVariable(name)?.trim() ?? "";

/** " (not run: why)" when one of them has no key, else "". */
function notRun(profiles: readonly Profile[]): string {
  const missing = [...new Set(profiles)].map((profile) => variable(profile, "KEY")).filter((name) => given(name) === "");
  return missing.length === 0 ? "" : ` (not run: ${missing.join(", ")} not set)`;
}

const keys = () =>
  (Object.keys(PROFILES) as Profile[]).map((profile) => given(variable(profile, "KEY"))).filter((key) => key !== "");

const modelOf = (profile: Profile) => given(variable(profile, "MODEL")) || usualModel(profile);

/** A Switchyard with the providers that these profiles need, under the names of the profiles. */
async function openProduct(profiles: readonly Profile[]): Promise<TestContainer> {
  const providers = [...new Set(profiles)].map((profile) => {
    const baseUrl = given(variable(profile, "BASE_URL"));
    const address = baseUrl === "" ? "" : `, baseUrl: ${JSON.stringify(baseUrl)}`;
    return `  ${profile}: { apiKey: "env:${variable(profile, "KEY")}"${address} }\n`;
  });
  vi.stubEnv("PATH", await pathToRealCodex());
  const container = await openContainer({
    dataDir: makeFolder(),
    config: { text: `providers:\n${providers.join("")}`, variables: {} },
  });
  container.agentExecutor.start();
  return container;
}

async function firstTurn(container: TestContainer, profile: Profile, prompt: string) {
  const { id } = await container.agents.create({
    kind: "thread",
    workflow: "agent",
    backend: profile,
    prompt,
    model: modelOf(profile),
  });
  return turnOf(container, id, 1);
}

/** The run once it rests from so many turns. */
async function turnOf(container: TestContainer, id: string, turns: number) {
  await untilRun(container, id, `${turns} turns are over`, ({ status }) => status !== "queued" && status !== "running", TURN_MS);
  const run = await container.agents.get(id);
  const trace = await wholeTrace(container, id);
  expect(run.commands.map(({ status, message }) => message ?? status)).toEqual(Array.from({ length: turns }, () => "completed"));
  return { run, trace };
}

type Turn = Awaited<ReturnType<typeof turnOf>>;

/** The events that the backend contract names, with the summary of the profile; and no key, in the trace or on disk. */
function expectRealEvents(container: TestContainer, profile: Profile, { run, trace }: Turn): void {
  const begun = trace.filter(({ payload }) => String(payload.phase).startsWith("thread-"));
  expect(begun.length).toBe(run.commands.length);
  for (const { type, payload } of begun) {
    expect(type).toBe("backend_status");
    expect(payload).toMatchObject({
      backend: profile,
      profile,
      backendKind: "codex-app-server-stdio",
      protocol: "codex-app-server-jsonrpc-stdio",
      model: modelOf(profile),
    });
  }
  const said = trace.filter(({ type, payload }) => type === "assistant_message" && payload.final === true);
  expect(said.at(-1)?.payload.text).toBe(run.reply);
  expect(trace.findLast(({ type }) => type === "terminal_status")?.payload).toMatchObject({ status: "completed" });
  for (const key of keys()) {
    expect(JSON.stringify([run, trace]).includes(key)).toBe(false);
    expect(container.logLines.some((line) => line.includes(key))).toBe(false);
    const files = readdirSync(container.dataDir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    expect(
      files.filter((file) => readFileSync(path.join(file.parentPath, file.name)).includes(key)).map(({ name }) => name),
    ).toEqual([]);
  }
}

for (const profile of Object.keys(PROFILES) as Profile[]) {
  const missing = notRun([profile]);
  it.skipIf(missing !== "")(`T3 ${profile}: a real shortest turn${missing}`, async () => {
    const container = await openProduct([profile]);
    const turn = await firstTurn(container, profile, "Reply with the single word OK. Use no tool.");
    expect(turn.run.reply).toMatch(/\bok\b/i);
    expectRealEvents(container, profile, turn);
  });
}

const SWITCHES: Profile[][] = [
  ["codex", "deepseek", "codex"],
  ["codex", "deepseek", "minimax-m3", "codex"],
];

for (const profiles of SWITCHES) {
  const missing = notRun(profiles);
  it.skipIf(missing !== "")(`T8 ${profiles.join(" -> ")}: real switching${missing}`, async () => {
    const container = await openProduct(profiles);
    const [first = "codex", ...between] = profiles.slice(0, -1);
    const begun = await firstTurn(container, first, "The number is 4711. Reply with the single word OK. Use no tool.");
    expectRealEvents(container, first, begun);
    for (const profile of between) {
      const turn = await firstTurn(container, profile, "Reply with the single word OK. Use no tool.");
      expect(turn.run.reply).toMatch(/\bok\b/i);
      expectRealEvents(container, profile, turn);
    }
    // Back to the first one: its thread goes on where it was.
    const { id } = begun.run;
    await container.agents.command(id, { type: "turn", prompt: "Which number did I give you? Reply with the number alone." });
    const back = await turnOf(container, id, 2);
    expect(back.run.reply).toContain("4711");
    expectRealEvents(container, first, back);
  });
}
