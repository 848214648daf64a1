/** Runs one scenario with the real CLI and gives its recordings, generalised. */
import { mkdtemp, realpath, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import type { FixtureLine } from "@/server/testing/read-fixture";
import { startResponsesUpstream } from "@/server/testing/responses-upstream";
import { createGeneraliser } from "./generalise";
import { makeProfileHome } from "./profile-home";
import { type Scenario, unsupported } from "./scenario";
import { type Session, startSession } from "./session";

/** Looks like a key, so that a place that shows it is found. */
const KEY = "sk-recorded-0123456789abcdef";

const APP_SERVER = ["app-server", "--listen", "stdio://", "--strict-config"];

/** So often is a scenario tried that depends on who is faster. */
const TRIES = 20;

/** Recordings by name, of the first try that shows what it is to show. Throws when there is none, and as `tryOnce` does. */
export async function record(scenario: Scenario, program: string): Promise<Map<string, FixtureLine[]>> {
  for (let tries = 0; tries < TRIES; tries++) {
    const recordings = await tryOnce(scenario, program);
    if (recordings) return recordings;
  }
  throw new Error(`${scenario.name} did not show what it is about in ${TRIES} tries`);
}

/** Null when it does not show what it is to show. Throws when a step does not come about; no process and no folder is left either way. */
async function tryOnce(scenario: Scenario, program: string): Promise<Map<string, FixtureLine[]> | null> {
  const root = await realpath(await mkdtemp(path.join(os.tmpdir(), "switchyard-fixture-")));
  const upstream = await startResponsesUpstream();
  const sessions = new Map<string, Session>();
  try {
    const { profile } = scenario;
    const own = typeof profile === "function" ? await profile() : profile;
    const home = await makeProfileHome(root, { baseUrl: upstream.baseUrl, key: KEY, ...own });
    upstream.next(...(scenario.answers ?? []));
    const startedAt = Date.now();
    const started = performance.now();
    await scenario.run({
      upstream,
      home,
      start({ suffix, environment = home.environment, answerServer = unsupported } = {}) {
        const name = suffix === undefined ? scenario.name : `${scenario.name}-${suffix}`;
        const now = () => performance.now() - started;
        const session = startSession({ program, args: APP_SERVER, cwd: home.workspace, environment, now, answerServer });
        sessions.set(name, session);
        return session;
      },
    });
    for (const session of sessions.values()) if (scenario.shows?.(session) === false) return null;
    const baseUrl = own?.baseUrl ?? upstream.baseUrl;
    const generalise = createGeneraliser({
      startedAt,
      names: {
        [home.codexHome]: "<codex-home>",
        [home.workspace]: "<workspace>",
        [home.home]: "<home>",
        [home.temporary]: "<temporary>",
        [root]: "<root>",
        [program]: "<codex>",
        [new URL(baseUrl).host]: "<upstream>",
        [KEY]: "<key>",
      },
    });
    return new Map([...sessions].map(([name, session]) => [name, generalise(session.lines)]));
  } finally {
    for (const session of sessions.values()) {
      session.kill("SIGKILL");
      await session.ended;
    }
    await upstream.close();
    await rm(root, { recursive: true, force: true });
  }
}
