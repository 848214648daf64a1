/** What `backends.list` answers, for tests of pages. Checked against the schema; a test says what is different. */
import {
  type BackendProvider,
  type BackendRow,
  backendProviderSchema,
  backendRowSchema,
} from "@/server/runs/backend-view.schema";

const UNSEEN = { checked: null, lastSeen: null };

/** Never checked, never asked. */
export function buildBackendProvider(more: Partial<BackendProvider> = {}): BackendProvider {
  return backendProviderSchema.parse({
    name: "mock",
    declared: false,
    baseUrl: null,
    secrets: [],
    scenes: [],
    models: [],
    health: null,
    cooldowns: [],
    inFlight: 0,
    limit: 8,
    latency: { p50: null, p95: null, firstTokenP50: null, sample: 0 },
    outcomes: { succeeded: 0, failed: 0 },
    lastSeen: null,
    evidence: {
      streaming: { declared: true, ...UNSEEN },
      usage: { declared: true, ...UNSEEN },
      structuredOutput: { declared: false, ...UNSEEN },
      cancel: { declared: true, ...UNSEEN },
    },
    capabilityChecks: [],
    ...more,
  });
}

export function buildBackendRow(more: Partial<BackendRow> = {}): BackendRow {
  return backendRowSchema.parse({
    profile: "mock",
    backendKind: "mock",
    protocol: "none",
    transport: "in-process",
    command: null,
    description: "Answers from a script.",
    origin: "built_in",
    requiredSecretKeys: [],
    isolation: "Runs inside this server; knows no key and opens no connection.",
    capabilities: { streaming: true, structuredOutput: false, usage: true, cancel: true, scores: { general: 0.5 } },
    tokenizer: { id: "mock-4-chars", estimate: false },
    status: "unknown",
    reason: "mock was never checked.",
    defaultModel: "mock-1",
    providers: [buildBackendProvider()],
    ...more,
  });
}
