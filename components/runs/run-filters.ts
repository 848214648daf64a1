import { parseAsArrayOf, parseAsString, parseAsStringLiteral } from "nuqs";
import type { RunSummary } from "@/server/runs/run.schema";
import { RUN_STATUSES, type RunStatus } from "@/server/runs/run-state.rules";

export interface RunFilters {
  status: RunStatus[];
  backend: string;
  q: string;
}

/** The filters as they stand in the address; what is empty is left out of it. */
export const RUN_FILTER_PARSERS = {
  status: parseAsArrayOf(parseAsStringLiteral(RUN_STATUSES)).withDefault([]),
  backend: parseAsString.withDefault(""),
  q: parseAsString.withDefault(""),
};

export function hasFilters(filters: RunFilters): boolean {
  return filters.status.length > 0 || filters.backend !== "" || filters.q.trim() !== "";
}

/** The filters as the API takes them. Without a set filter its key is absent. */
export function listInput(filters: RunFilters): { status?: RunStatus[]; backend?: string; search?: string } {
  const search = filters.q.trim();
  return {
    ...(filters.status.length > 0 ? { status: filters.status } : {}),
    ...(filters.backend === "" ? {} : { backend: filters.backend }),
    ...(search === "" ? {} : { search }),
  };
}

/** The server's filter once more, for runs that arrive by the live feed. */
export function matchesFilters(run: RunSummary, filters: RunFilters): boolean {
  const search = filters.q.trim().toLowerCase();
  return (
    (filters.status.length === 0 || filters.status.includes(run.status)) &&
    (filters.backend === "" || run.backend === filters.backend) &&
    (search === "" ||
      run.name.toLowerCase().includes(search) ||
      run.id.toLowerCase().includes(search) ||
      run.sourceDate.includes(search))
  );
}
