import { parseAsArrayOf, parseAsString, parseAsStringLiteral } from "nuqs";
import { isUsableSecret } from "@/server/config/config.rules";
import type { BackendProvider, BackendRow } from "@/server/runs/backend-view.schema";

export type BackendStatus = BackendRow["status"];

/** What needs a look first. */
export const BACKEND_STATUSES = [
  "unavailable",
  "secret_missing",
  "degraded",
  "unknown",
  "healthy",
  "not_configured",
] as const satisfies readonly BackendStatus[];

export interface BackendFilters {
  q: string;
  status: BackendStatus[];
}

/** The filters as they stand in the address. */
export const BACKEND_FILTER_PARSERS = {
  q: parseAsString.withDefault(""),
  status: parseAsArrayOf(parseAsStringLiteral(BACKEND_STATUSES)).withDefault([]),
};

/** Every word by which an operator may know a profile. */
function wordsOf({ profile, backendKind, protocol, transport, description, providers }: BackendRow): string {
  const ofProviders = providers.flatMap(({ name, baseUrl, models, scenes }) => [name, baseUrl ?? "", ...models, ...scenes]);
  return [profile, backendKind, protocol, transport, description, ...ofProviders].join("\n").toLowerCase();
}

export function matchesFilters(row: BackendRow, { q, status }: BackendFilters): boolean {
  return (status.length === 0 || status.includes(row.status)) && wordsOf(row).includes(q.trim().toLowerCase());
}

export interface BackendGroups {
  configured: BackendRow[];
  notConfigured: BackendRow[];
}

/** In the order of the server, which is that of the configuration: rows do not move when a state changes. */
export function groupBackends(rows: readonly BackendRow[]): BackendGroups {
  return {
    configured: rows.filter(({ status }) => status !== "not_configured"),
    notConfigured: rows.filter(({ status }) => status === "not_configured"),
  };
}

/** The server sums up a profile by its providers; each of them by the same rule. */
export function providerStatus({ secrets, cooldowns, health }: BackendProvider): BackendStatus {
  if (secrets.some(({ state }) => !isUsableSecret(state))) return "secret_missing";
  if (cooldowns.length > 0) return "degraded";
  return health?.state ?? "unknown";
}
