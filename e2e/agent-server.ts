/** A third server, whose agents are fake: what a turn does is marked in its prompt, `[[fake:BEHAVIOUR]]`. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fakeAppServer } from "@/server/testing/fake-app-server-command";
import { startConsoleServer } from "./console-server";

const port = Number(process.env.E2E_AGENT_PORT ?? 4397);

export const AGENT_URL = `http://127.0.0.1:${port}`;
/** Does as prompts say. */
export const WORKER = "worker";
/** Plays one recording: a change of files that a person is asked about. */
export const PAINTER = "painter";

const quoted = (words: readonly string[]) => words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");

/** One program for all providers, as the server is told of one; the home tells them apart. */
function writeCodex(folder: string): string {
  const worker = fakeAppServer("ok");
  const painter = fakeAppServer("replay", { recording: "filechange-accept" });
  const file = path.join(folder, "codex");
  const lines = [
    "#!/bin/sh",
    'case "$CODEX_HOME" in',
    `*/${PAINTER}-*) exec ${quoted([painter.program, ...painter.args])} ;;`,
    `*) exec ${quoted([worker.program, ...worker.args])} ;;`,
    "esac",
  ];
  writeFileSync(file, `${lines.join("\n")}\n`);
  chmodSync(file, 0o755);
  return file;
}

/** Resolves when the server answers, with the folder that runs may work in, and what ends it. */
export async function startAgentServer(): Promise<{ workspace: string; stop: () => Promise<void> }> {
  const folder = mkdtempSync(path.join(tmpdir(), "switchyard-e2e-agents-"));
  const workspace = path.join(folder, "repository");
  mkdirSync(workspace);
  const config = path.join(folder, "config.yaml");
  const provider = (name: string) => `  ${name}:\n    profile: codex\n    apiKey: env:E2E_AGENT_KEY\n`;
  writeFileSync(config, `providers:\n${provider(WORKER)}${provider(PAINTER)}agents:\n  workspaces: [${workspace}]\n`);
  const server = await startConsoleServer({
    port,
    env: { SWITCHYARD_CONFIG: config, SWITCHYARD_CODEX_BIN: writeCodex(folder), E2E_AGENT_KEY: "key-e2e-0123456789" },
  });
  return {
    workspace,
    async stop() {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
