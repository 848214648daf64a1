import type { StoredEvent } from "@/server/events/event.schema";
import type { AdoptOutcome, MadeAnswer } from "./adopt-answers.schema";
import type { AnswerMark } from "./run.rules";
import type {
  ArtifactView,
  ChunkDetail,
  ChunkSummary,
  CreateRunBody,
  DistillOrder,
  InsightsView,
  Preview,
  RerunInput,
  RetryInput,
  RetryOutcome,
  RunDetail,
  RunSummary,
} from "./run.schema";
import type { RunComparisons } from "./run-comparisons";
import type { ChunkStatus, RunStatus } from "./run-state.rules";

export interface RunListQuery {
  /** Opaque; from `nextCursor`. */
  cursor?: string | undefined;
  limit: number;
  status?: readonly RunStatus[] | undefined;
  backend?: string | undefined;
  /** Part of the name or of the id, case-insensitive. */
  search?: string | undefined;
}

export interface EventQuery {
  /** Events with a larger sequence, ascending. */
  afterSeq?: number | undefined;
  /** Events with a smaller sequence; the page is the last `limit` before it, ascending. */
  beforeSeq?: number | undefined;
  limit: number;
  types?: readonly StoredEvent["type"][] | undefined;
  chunk?: number | undefined;
  attempt?: number | undefined;
}

export interface EventPage {
  items: StoredEvent[];
  /** Pass on as `afterSeq`. */
  nextAfterSeq: number;
  hasMore: boolean;
  /** The run's newest sequence when the page was read. */
  lastSeq: number;
}

/** One line of the change feed: the run as a list shows it, and the cursor that names the change. */
export interface RunChange {
  change: number;
  run: RunSummary;
}

/**
 * Everything a caller may do with runs; tRPC, REST and the command line are thin wires to this one service.
 * Unknown ids throw AppError `not_found`; an action that the state forbids throws `conflict` with a sentence.
 */
export interface RunService extends RunComparisons {
  /** What a start would do: counts, tokens, masked secrets, dropped lines; nothing is stored. */
  preview(order: DistillOrder): Promise<Preview>;
  /** One run a date. Prep is done, and everything stored in one transaction, when this resolves; nothing is inferred here. */
  start(order: DistillOrder): Promise<RunSummary[]>;
  /** The REST shape of `start`: one text, one run. */
  create(body: CreateRunBody): Promise<RunSummary>;
  /** A bundled day of notes on the mock backend: success, retry, invalid output, a failure to retry. */
  startSample(): Promise<RunSummary>;
  list(query: RunListQuery): Promise<{ items: RunSummary[]; nextCursor: string | null }>;
  /** As lists show it. */
  summary(id: string): Promise<RunSummary>;
  get(id: string): Promise<RunDetail>;
  chunks(
    id: string,
    query: {
      afterIndex?: number | undefined;
      limit: number;
      status?: readonly ChunkStatus[] | undefined;
      /** Of the newest answer; one of them is enough. */
      mark?: readonly AnswerMark[] | undefined;
    },
  ): Promise<{ items: ChunkSummary[]; nextAfterIndex: number | null }>;
  chunk(id: string, index: number): Promise<ChunkDetail>;
  events(id: string, query: EventQuery): Promise<EventPage>;
  /** Events by type, from the rollups. */
  eventCounts(id: string): Promise<{ type: StoredEvent["type"]; count: number }[]>;
  insights(id: string): Promise<InsightsView>;
  /** The staged insights as reviewable Markdown; null before consolidation. */
  stagedMarkdown(id: string): Promise<string | null>;
  artifact(id: string, artifactId: string): Promise<ArtifactView & { kind: string }>;
  /** With `with`, under another scene, provider or model, or with another output limit; the chunks keep that for later attempts. */
  retry(id: string, order?: RetryInput): Promise<RetryOutcome>;
  /** A new run of the same text, cut the same way, with other models or the same. */
  rerun(id: string, order?: RerunInput): Promise<RunSummary>;
  /** From now on the answer of that attempt of the chunk counts; one that failed fails the chunk. A run that had ended settles anew. */
  choose(id: string, index: number, attempt: number): Promise<ChunkDetail>;
  /** Takes answers that were made elsewhere; at most `MOST_ANSWERS`. `conflict` for a run that was cancelled. */
  adopt(id: string, answers: readonly MadeAnswer[]): Promise<AdoptOutcome>;
  cancel(id: string, reason?: string): Promise<RunSummary>;
  pause(id: string, reason?: string): Promise<RunSummary>;
  resume(id: string, reason?: string): Promise<RunSummary>;
  /** Accept the gaps: consolidate what is there and complete. */
  finish(id: string, reason?: string): Promise<RunSummary>;
  /** Runs changed since the cursor, oldest change first, each with its own; a negative cursor asks for the newest only. */
  changes(afterChange: number): Promise<{ cursor: number; runs: RunChange[] }>;
}
