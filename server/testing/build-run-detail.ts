import { type RunDetail, type RunSummary, runDetailSchema, runSummarySchema } from "@/server/runs/run.schema";

type Part = Readonly<Record<string, unknown>>;

/** An incomplete run of four chunks, three of them failed. */
const SUMMARY = {
  id: "run_a",
  kind: "distill",
  name: "Day one",
  status: "incomplete",
  statusReason: null,
  sourceDate: "2026-04-19",
  scene: "extract",
  configRevision: 1,
  backend: "mock",
  model: "mock-1",
  candidates: ["mock/mock-1"],
  counts: { total: 4, queued: 0, running: 0, succeeded: 1, failed: 3, cancelled: 0 },
  retries: 0,
  tokens: { prompt: 100, completion: 20, cached: 0, cacheWrite: 0, reasoning: 0, estimated: false },
  insights: 0,
  turns: null,
  waitingFor: null,
  gapsAcceptedAt: null,
  createdAt: "2026-11-30T10:00:00.000Z",
  startedAt: "2026-11-30T10:00:01.000Z",
  endedAt: null,
  updatedAt: "2026-11-30T10:05:00.000Z",
  lastSeq: 5,
} as const;

/** For tests: a run as lists show it, checked against the schema; `part` says what is different. */
export function buildRunSummary(part: Part = {}): RunSummary {
  return runSummarySchema.parse({ ...SUMMARY, ...part });
}

/** For tests: the same run as its page shows it. */
export function buildRunDetail(part: Part = {}): RunDetail {
  return runDetailSchema.parse({
    ...SUMMARY,
    options: {
      maxAttempts: 3,
      concurrency: 1,
      backoffMs: 0,
      maxBackoffMs: 0,
      timeoutMs: 1_000,
      chunkTokens: 50,
      repairRounds: 0,
      maxTokens: 0,
    },
    prep: {
      documents: [],
      masked: [],
      dropped: [],
      cleanedCharacters: 40,
      tokens: 200,
      tokenizer: "o200k",
      tokensEstimated: false,
      chunkTokens: 50,
      chunks: 4,
    },
    promptVersion: "distill-1",
    errorGroups: [],
    waiting: { slot: 0, backoff: 0, batch: 0, nextDueAt: null, failures: [] },
    marks: { repaired: 0, truncated: 0 },
    cost: { known: [{ amount: 0, currency: "USD", about: false }], unknown: [], unknownAttempts: 0, revision: 1 },
    coverage: null,
    config: {
      newestRevision: 1,
      changedSince: false,
      today: ["mock/mock-1"],
      problem: null,
      routes: [
        {
          scene: "extract",
          mappedBy: "default",
          revision: 1,
          requires: [],
          strategy: "fallback_chain",
          candidates: [
            { reference: "mock/mock-1", provider: "mock", model: "mock-1", profile: "mock", kind: "mock", baseUrl: null },
          ],
        },
      ],
    },
    asked: [{ reference: "mock/mock-1", attempts: 4, succeeded: 1, served: [] }],
    ...part,
  });
}
