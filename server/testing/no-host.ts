import type { BackendHost } from "@/server/backends/backend-host";

/** For kinds that run inside this process or over HTTP: they ask nothing of the machine. */
export const NO_HOST: BackendHost = { homesFolder: "/nonexistent", programs: {}, childEnv: {} };
