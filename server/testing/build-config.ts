/** What `config.overview` answers, for tests of pages: an empty configuration, changed where a test needs it. */
import type { ConfigEvaluation, ProviderRow, SceneRow } from "@/server/runs/config-view.schema";

export function buildConfig(more: Partial<ConfigEvaluation> = {}): ConfigEvaluation {
  return {
    problems: [],
    usable: true,
    scenes: [],
    providers: [],
    profiles: [],
    prices: [],
    unpriced: [],
    limits: { supervisor: { enabled: false, interval: 3 }, maxRounds: 20, maxDepth: 3, workflows: [] },
    agents: { backends: null, workspaces: [], sandbox: "workspace-write", network: false, timeoutMs: 86_400_000 },
    ...more,
  };
}

export function buildProviderRow(more: Partial<ProviderRow> = {}): ProviderRow {
  return {
    name: "mock",
    declared: false,
    profile: "mock",
    kind: "mock",
    description: "Answers from a script.",
    baseUrl: null,
    apiKey: null,
    keyState: null,
    needsKey: false,
    concurrency: 8,
    timeouts: { requestMs: 60_000, idleMs: 60_000, connectMs: 10_000 },
    scores: { general: 0.5 },
    defaultModel: "mock-1",
    scenes: [],
    ...more,
  };
}

/** `candidates` as `provider/model`. */
export function buildSceneRow({
  candidates = [],
  ...more
}: Partial<Omit<SceneRow, "candidates">> & { candidates?: string[] } = {}): SceneRow {
  return {
    scene: "extract",
    builtIn: true,
    own: candidates[0] ?? null,
    inherited: false,
    requires: [],
    strategy: "fallback_chain",
    candidates: candidates.map((reference) => {
      const [provider = "", model = ""] = reference.split("/");
      return { reference, provider, model, problem: null };
    }),
    problem: null,
    ...more,
  };
}
