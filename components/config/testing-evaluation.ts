/** For tests of these pages only: a document of three scenes and two providers as the server sees it. */
import type { ConfigEvaluation, ProviderRow, RevisionView, SceneRow } from "@/server/runs/config-view.schema";

const DEFAULT_CANDIDATE = { reference: "openai/gpt-4o-mini", provider: "openai", model: "gpt-4o-mini", problem: null };

export function buildSceneRow(part: Partial<SceneRow> = {}): SceneRow {
  return {
    scene: "default",
    builtIn: true,
    own: "openai/gpt-4o-mini",
    inherited: false,
    requires: [],
    strategy: "fallback_chain",
    candidates: [DEFAULT_CANDIDATE],
    problem: null,
    ...part,
  };
}

export function buildProviderRow(part: Partial<ProviderRow> = {}): ProviderRow {
  return {
    name: "openai",
    declared: true,
    profile: "openai",
    kind: "openai-chat",
    description: "OpenAI's own API.",
    baseUrl: "https://api.openai.com/v1",
    apiKey: "env:OPENAI_API_KEY",
    keyState: "set",
    needsKey: true,
    concurrency: 64,
    timeouts: { requestMs: 120_000, idleMs: 60_000, connectMs: 10_000 },
    scores: { general: 0.9 },
    defaultModel: "gpt-4o-mini",
    scenes: ["default"],
    ...part,
  };
}

export function buildEvaluation(part: Partial<ConfigEvaluation> = {}): ConfigEvaluation {
  return {
    problems: [],
    usable: true,
    scenes: [
      buildSceneRow(),
      buildSceneRow({
        scene: "extract",
        own: "mock/mock-1",
        candidates: [{ reference: "mock/mock-1", provider: "mock", model: "mock-1", problem: null }],
      }),
      buildSceneRow({ scene: "planner", own: null, inherited: true }),
    ],
    providers: [
      buildProviderRow(),
      buildProviderRow({
        name: "mock",
        declared: false,
        profile: "mock",
        kind: "mock",
        description: "Answers from a script.",
        baseUrl: null,
        apiKey: null,
        keyState: null,
        needsKey: false,
        defaultModel: "mock-1",
        scenes: ["extract"],
      }),
    ],
    profiles: [
      {
        name: "openai",
        kind: "openai-chat",
        description: "OpenAI's own API.",
        baseUrl: "https://api.openai.com/v1",
        defaultModel: "gpt-4o-mini",
        needsKey: true,
        needsBaseUrl: true,
      },
      {
        name: "openai-chat",
        kind: "openai-chat",
        description: "Any server that speaks OpenAI's chat completions.",
        baseUrl: null,
        defaultModel: null,
        needsKey: false,
        needsBaseUrl: true,
      },
      {
        name: "codex",
        kind: "codex-app-server-stdio",
        description: "The Codex agent with its main model.",
        baseUrl: null,
        defaultModel: null,
        needsKey: true,
        needsBaseUrl: false,
      },
    ],
    prices: [],
    unpriced: [],
    limits: { supervisor: { enabled: true, interval: 3 }, maxRounds: 20, maxDepth: 3, workflows: ["review"] },
    agents: { backends: null, workspaces: [], sandbox: "workspace-write", network: false, timeoutMs: 86_400_000 },
    ...part,
  };
}

export const DOCUMENT_TEXT = `# Which model does which job.
providers:
  openai:
    apiKey: env:OPENAI_API_KEY
models:
  default: openai/gpt-4o-mini
  extract: mock/mock-1
`;

export function buildRevision(part: Partial<RevisionView> = {}): RevisionView {
  return {
    number: 8,
    author: "Ann",
    comment: "Extract on the mock",
    source: "console",
    rolledBackTo: null,
    createdAt: "2026-11-30T10:00:00.000Z",
    sha256: "0".repeat(64),
    bytes: 120,
    text: DOCUMENT_TEXT,
    ...part,
  };
}
