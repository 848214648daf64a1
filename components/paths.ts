/** Every address of the console and of the REST downloads that pages link to. No other file spells one. */

export const RUN_TABS = ["summary", "timeline", "chunks", "events", "results"] as const;
export type RunTab = (typeof RUN_TABS)[number];

export const CONFIG_TABS = ["models", "providers", "prices", "limits", "yaml", "revisions"] as const;
export type ConfigTab = (typeof CONFIG_TABS)[number];

type Query = Record<string, string | number | undefined>;

function withQuery(path: string, query: Query | undefined): string {
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query ?? {})) if (value !== undefined) search.set(key, String(value));
  const text = search.toString();
  return text === "" ? path : `${path}?${text}`;
}

function runPath(id: string, tab: RunTab = "summary", query?: Query): string {
  const base = `/runs/${encodeURIComponent(id)}`;
  return withQuery(tab === "summary" ? base : `${base}/${tab}`, query);
}

export const paths = {
  home: () => "/",
  runs: (query?: { status?: string; backend?: string; q?: string }) => withQuery("/runs", query),
  newRun: () => "/runs/new",
  newAgentRun: () => "/runs/new/agent",
  run: runPath,
  /** `at` is `start-end`, offsets in the cleaned text: the passage to highlight. */
  chunk: (id: string, index: number, query?: { attempt?: number; at?: string }) =>
    withQuery(`/runs/${encodeURIComponent(id)}/chunks/${index}`, query),
  /** Runs side by side. */
  compare: (ids: readonly string[]) => withQuery("/runs/compare", ids.length === 0 ? undefined : { runs: ids.join(",") }),
  /** `line` and `column` (from 1) are a place in the YAML text. */
  config: (tab: ConfigTab = "models", query?: { line?: number; column?: number }) =>
    withQuery(tab === "models" ? "/config" : `/config/${tab}`, query),
  configMerge: () => "/config/merge",
  configRevision: (number: number, query?: { show?: "text" | "current" }) => withQuery(`/config/revisions/${number}`, query),
  backends: (query?: { q?: string; status?: string }) => withQuery("/backends", query),
  backend: (profile: string) => `/backends/${encodeURIComponent(profile)}`,
  api: {
    trpc: () => "/api/trpc",
    signIn: () => "/api/sign-in",
    signOut: () => "/api/sign-out",
    run: (id: string) => `/api/v1/runs/${encodeURIComponent(id)}`,
    /** Every event as a line of JSON. */
    eventLines: (id: string) => `/api/v1/runs/${encodeURIComponent(id)}/events.jsonl`,
    insights: (id: string) => `/api/v1/runs/${encodeURIComponent(id)}/insights`,
    stagedMarkdown: (id: string) => `/api/v1/runs/${encodeURIComponent(id)}/staged.md`,
    artifact: (id: string, artifactId: string) =>
      `/api/v1/runs/${encodeURIComponent(id)}/artifacts/${encodeURIComponent(artifactId)}`,
  },
} as const;
