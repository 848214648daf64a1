/** A whole container over a data folder of its own, set as the process's container, as API and command tests need it. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { vi } from "vitest";
import { createAccess } from "@/server/api/access";
import { type Container, createContainer } from "@/server/container";
import { loadEnv } from "@/server/env";
import type { RunDetail } from "@/server/runs/run.schema";
import { isResting } from "@/server/runs/run-state.rules";
import type { Clock } from "@/server/shared/clock";

const KEY = Symbol.for("switchyard.container");
const ACCESS_KEY = Symbol.for("switchyard.access");
/** Far beyond what any test run takes; only a defect waits that long. */
const DEADLINE_MS = 60_000;

export interface ApiContainer {
  container: Container;
  dataDir: string;
  /** Closes the container and deletes its folder. */
  close(): Promise<void>;
}

/**
 * `env` is what the operator would have set (secrets must stand in the process's environment too); the data folder is new. The
 * executor is not started. The clock is that of sessions and of the limit of wrong tokens.
 */
export async function openApiContainer(env: Readonly<Record<string, string>> = {}, clock?: Clock): Promise<ApiContainer> {
  const dataDir = await mkdtemp(path.join(tmpdir(), "switchyard-api-"));
  const container = await createContainer({ env: loadEnv({ LOG_LEVEL: "silent", ...env, SWITCHYARD_DATA_DIR: dataDir }) });
  const access = createAccess({ env: container.env, logger: container.logger, ...(clock ? { clock } : {}) });
  Object.assign(globalThis, { [KEY]: Promise.resolve(container), [ACCESS_KEY]: access });
  return {
    container,
    dataDir,
    async close() {
      await container.close(0);
      Reflect.deleteProperty(globalThis, KEY);
      Reflect.deleteProperty(globalThis, ACCESS_KEY);
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** The run once nothing will happen to it by itself any more. */
export function untilRunRests(container: Container, id: string): Promise<RunDetail> {
  return vi.waitFor(
    async () => {
      const run = await container.runs.get(id);
      if (!isResting(run.status)) throw new Error(`run ${id} is ${run.status} still`);
      return run;
    },
    { timeout: DEADLINE_MS, interval: 20 },
  );
}

/** A request as this server gets it; `body` that is no string is sent as JSON. */
export function apiRequest(
  method: string,
  target: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Request {
  const content =
    body === undefined
      ? {}
      : { body: typeof body === "string" || body instanceof Uint8Array ? (body as BodyInit) : JSON.stringify(body) };
  const type: Record<string, string> = body === undefined ? {} : { "content-type": "application/json" };
  return new Request(`http://127.0.0.1:4310${target}`, {
    method,
    headers: { host: "127.0.0.1:4310", ...type, ...headers },
    ...content,
  });
}
