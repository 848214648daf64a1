/** A server on the built app, as `npm start` starts it, with a data folder of its own. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect } from "@playwright/test";

export interface ConsoleServer {
  url: string;
  /** Ends when the process has ended and its folder is gone. */
  stop(): Promise<void>;
}

/** What the shell of whoever runs the tests may have set, and no test means. */
const UNSET = {
  HOST: "",
  SWITCHYARD_TOKEN: "",
  SWITCHYARD_URL: "",
  SWITCHYARD_CONFIG: "",
  SWITCHYARD_SECRETS_DIR: "",
  LLM_API_URL: "",
  LLM_API_KEY: "",
  LOG_LEVEL: "warn",
};

/** Resolves when the server answers. `port` 0: any that is free. */
export async function startConsoleServer({
  port = 0,
  env = {},
}: {
  port?: number;
  env?: Record<string, string>;
} = {}): Promise<ConsoleServer> {
  const dataDir = mkdtempSync(path.join(tmpdir(), "switchyard-e2e-"));
  const own = port === 0 ? await freePort() : port;
  const server = spawn(process.execPath, ["scripts/launch/start.mjs"], {
    env: { ...process.env, ...UNSET, SWITCHYARD_DATA_DIR: dataDir, ...env, PORT: String(own) },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const ended = once(server, "exit");
  const url = `http://127.0.0.1:${own}`;
  await expect.poll(() => answerOf(url, server), { timeout: 120_000 }).toBe(200);
  return {
    url,
    async stop() {
      server.kill("SIGTERM");
      await ended;
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Its status; a server that ended says with what, instead of being asked until the time is up. */
async function answerOf(url: string, server: ChildProcess): Promise<number | string> {
  try {
    return (await fetch(`${url}/api/health`)).status;
  } catch {
    if (server.exitCode !== null) throw new Error(`The server ended with ${server.exitCode} before it answered.`);
    return "not yet";
  }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo; // Listening on TCP: never a path.
  probe.close();
  await once(probe, "close");
  return port;
}
