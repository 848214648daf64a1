import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { onTestFinished } from "vitest";
import { projectRoot } from "@/server/shared/project-root";

export interface ServerProcess {
  signal(name: NodeJS.Signals): void;
  /** Resolves with the exit code, or the signal that ended the process. */
  exited: Promise<number | NodeJS.Signals>;
  stderr(): string;
}

/** A real Switchyard process over the folder; resolves when its executors have started. Killed at the end of the test. */
export async function spawnServer(
  dataDir: string,
  graceMs = 1_500,
  more: Readonly<Record<string, string>> = {},
): Promise<ServerProcess> {
  const script = path.join("server", "testing", "server-process.ts");
  const child: ChildProcess = spawn(process.execPath, ["--import", "tsx", script, String(graceMs)], {
    cwd: projectRoot(),
    env: { NODE_ENV: "test", PATH: "/usr/bin:/bin", SWITCHYARD_DATA_DIR: dataDir, LOG_LEVEL: "warn", ...more },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let errors = "";
  child.stderr?.on("data", (piece) => {
    errors += String(piece);
  });
  const exited = once(child, "exit").then(([code, signal]) => (code ?? signal) as number | NodeJS.Signals);
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await exited;
  });
  const ready = child.stdout ? once(child.stdout, "data") : Promise.reject(new Error("no stdout"));
  const first = await Promise.race([ready, exited.then((how) => `ended with ${how}: ${errors}`)]);
  if (typeof first === "string") throw new Error(first);
  return { signal: (name) => void child.kill(name), exited, stderr: () => errors };
}
