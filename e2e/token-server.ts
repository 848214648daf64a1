/** A second server, as one that other machines reach: on every address, with a token, under a name of its own. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect } from "@playwright/test";

const port = Number(process.env.E2E_TOKEN_PORT ?? 4398);

export const TOKEN = "e2e-token-0123456789abcdef";
/** Not this machine's name, and plain http: browsers keep back what they give to secure pages only. */
export const NAMED_HOST = "console.test";
export const NAMED_URL = `http://${NAMED_HOST}:${port}`;
/** The same server for programs of this machine, which cannot look that name up. */
export const OWN_URL = `http://127.0.0.1:${port}`;

/** Resolves when the server answers, with what ends it. */
export async function startTokenServer(): Promise<() => Promise<void>> {
  const dataDir = mkdtempSync(path.join(tmpdir(), "switchyard-e2e-token-"));
  const server = spawn(process.execPath, ["scripts/launch/start.mjs"], {
    env: {
      ...process.env,
      PORT: String(port),
      HOST: "0.0.0.0",
      SWITCHYARD_TOKEN: TOKEN,
      SWITCHYARD_URL: NAMED_URL,
      SWITCHYARD_DATA_DIR: dataDir,
      LLM_API_URL: "",
      LLM_API_KEY: "",
      // Refused sign-ins are what these tests make.
      LOG_LEVEL: "error",
    },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const ended = once(server, "exit");
  await expect
    .poll(
      () =>
        fetch(`${OWN_URL}/api/health`).then(
          ({ status }) => status,
          () => server.exitCode ?? "not yet",
        ),
      {
        timeout: 120_000,
      },
    )
    .toBe(200);
  return async () => {
    server.kill("SIGTERM");
    await ended;
    rmSync(dataDir, { recursive: true, force: true });
  };
}
