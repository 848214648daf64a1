/**
 * The process of a real OpenClaw gateway: in a home of its own, without channels, plugins, clock work and a way out of this machine; asked
 * until it is ready, and ended with everything it has started.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { endGroup } from "@/server/backends/transport/process-group";
import { onLinux, processesOf } from "./real-processes";
import { waitFor } from "./wait-for";

export interface GatewayProcessOptions {
  /** Node and the program's own file. */
  program: { node: string; entry: string };
  /** Its own, which exists: everything it writes stands there. */
  folder: string;
  /** What it reads at start, but for its port and its log. */
  config: Readonly<Record<string, unknown>>;
  /** Where it listens; a free port by default. */
  port?: number;
}

export interface GatewayProcess {
  /** `http://127.0.0.1:<port>` */
  readonly baseUrl: string;
  readonly pid: number;
  /** Ends it without a warning, with everything it has started. */
  kill(): Promise<void>;
  /** Asks it to end, and kills what is still there after a few seconds. Throws when something is left. */
  end(): Promise<void>;
}

/** A start takes 10 s of an idle machine, and several times that of a busy one. */
const READY_MS = 120_000;
/** With a retry that waits it would take five minutes over its end. */
const GRACE_MS = 5_000;

/** Starts it and waits until it is ready; once more when it dies over it, which it does on a busy machine. Throws its last words. */
export async function startGatewayProcess(options: GatewayProcessOptions): Promise<GatewayProcess> {
  try {
    return await start(options);
  } catch (error) {
    if (!(error instanceof DiedInStart)) throw error;
    return await start(options);
  }
}

function loopbackOnly(record: string): string {
  const url = pathToFileURL(path.join(import.meta.dirname, "loopback-only.mjs"));
  url.searchParams.set("record", record);
  return url.href;
}

function outgoingFile(folder: string): string {
  return path.join(folder, "outgoing.txt");
}

/** Hosts of elsewhere that the gateway of that folder wanted to reach, and did not. */
export function outgoingOf(folder: string): string[] {
  return existsSync(outgoingFile(folder)) ? readFileSync(outgoingFile(folder), "utf8").trimEnd().split("\n") : [];
}

class DiedInStart extends Error {
  override name = "DiedInStart";
}

async function start(options: GatewayProcessOptions): Promise<GatewayProcess> {
  const { program, folder, config, port = await freePort() } = options;
  const at = (name: string) => path.join(folder, name);
  for (const name of ["home", "state", "tmp", "empty"]) mkdirSync(at(name), { recursive: true });
  const gateway = { ...(config.gateway as object | undefined), port };
  writeFileSync(at("config.json"), JSON.stringify({ ...config, gateway, logging: { file: at("gateway.log") } }), { mode: 0o600 });
  const child = spawn(program.node, [program.entry, "gateway", "run"], {
    cwd: at("empty"),
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      NODE_ENV: "production",
      PATH: `${path.dirname(program.node)}:/usr/bin:/bin`,
      HOME: at("home"),
      TMPDIR: at("tmp"),
      OPENCLAW_STATE_DIR: at("state"),
      OPENCLAW_CONFIG_PATH: at("config.json"),
      OPENCLAW_NO_AUTO_UPDATE: "1",
      OPENCLAW_NO_RESPAWN: "1",
      OPENCLAW_OFFLINE: "1",
      OPENCLAW_TRAJECTORY: "0",
      OPENCLAW_SKIP_CHANNELS: "1",
      OPENCLAW_SKIP_CRON: "1",
      OPENCLAW_SKIP_GMAIL_WATCHER: "1",
      OPENCLAW_SKIP_CANVAS_HOST: "1",
      OPENCLAW_SKIP_BROWSER_CONTROL_SERVER: "1",
      OPENCLAW_DISABLE_BONJOUR: "1",
      OPENCLAW_DISABLE_BUNDLED_PLUGINS: "1",
      NODE_OPTIONS: `--import=${loopbackOnly(outgoingFile(folder))}`,
    },
  });
  await once(child, "spawn");
  // A process that has been spawned has an id.
  const pid = child.pid as number;
  const exited = once(child, "exit");
  let isOver = false;
  void exited.then(() => {
    isOver = true;
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (piece: Buffer) => {
      said = `${said}${piece.toString()}`.slice(-2_000);
    });
  const baseUrl = `http://127.0.0.1:${port}`;

  async function kill(): Promise<void> {
    await endGroup(pid);
    await exited;
    // What it has started carries the folder in its environment, or belongs to its group.
    if (onLinux) await waitFor("no process of the gateway is left", () => processesOf(folder).length === 0);
  }

  try {
    const isReady = await waitFor(
      "the gateway is ready",
      async () => (isOver ? "died" : (await isReadyAt(baseUrl)) && "ready"),
      READY_MS,
    );
    if (isReady === "died") throw new DiedInStart(`the OpenClaw gateway ended while it started; its last words:\n${said}`);
  } catch (error) {
    await kill();
    throw error;
  }
  return {
    baseUrl,
    pid,
    kill,
    async end() {
      child.kill("SIGTERM");
      const grace = new AbortController();
      const timer = setTimeout(() => grace.abort(), GRACE_MS);
      await Promise.race([exited, once(grace.signal, "abort")]);
      clearTimeout(timer);
      await kill();
    },
  };
}

async function isReadyAt(baseUrl: string): Promise<boolean> {
  try {
    const response = await fetch(`${baseUrl}/readyz`);
    await response.body?.cancel();
    return response.ok;
  } catch {
    // It does not listen yet.
    return false;
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("a listening TCP server has a port");
  return address.port;
}
