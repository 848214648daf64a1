import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { BackendHost } from "@/server/backends/backend-host";
import { childEnvironment } from "@/server/env";

/** A host of its own for each call; `more` names programs or variables. The folder is the system's temporary one, removed by whoever made it. */
export function testHost(more: Partial<BackendHost> = {}): BackendHost {
  return {
    homesFolder: path.join(mkdtempSync(path.join(tmpdir(), "switchyard-host-")), "agents"),
    programs: {},
    childEnv: childEnvironment(),
    ...more,
  };
}

/** For kinds that run inside this process or over HTTP: they ask nothing of the machine. */
export const NO_HOST: BackendHost = { homesFolder: "/nonexistent", programs: {}, childEnv: {} };
