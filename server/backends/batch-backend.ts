/**
 * The second interface of a backend (X24-X26): many requests are handed in as one job, the job is asked how it goes, and its answers
 * are fetched when they are there, by whichever process comes then. `runTurn` stays one request with one answer: a job may take a day.
 */
import type { FailureKind } from "@/server/artifacts/failure-kind.rules";
import type { TokenUsage } from "@/server/artifacts/result-artifact.schema";
import type { ProviderAccess } from "./provider-access";

/** One request of a job. */
export interface BatchRequest {
  /** Comes back with its answer; letters, digits, `_` and `-`, at most 64 of them. */
  id: string;
  /** The rest is as in a turn. */
  model: string;
  system: string;
  user: string;
  expect: { format: "json"; schema: Record<string, unknown> };
}

/** A finished answer, as a turn would have given it. */
export interface BatchResult {
  text: string;
  finishReason: "stop" | "length" | "content_filter" | "unknown";
  usage?: TokenUsage;
  servedModel?: string;
  servedProvider?: string;
}

export interface BatchOrder {
  /** What the caller calls the job. The provider keeps it where it can, so that the job is found again by it. */
  mark: string;
  /** Whether the id of a request is one of this job: the way to find a job at a provider that keeps no marks. */
  owns(requestId: string): boolean;
  /** How many requests there are. */
  count: number;
  /** All of them from the first one, the same each time. Read piece by piece, never held whole. */
  requests(): AsyncIterable<BatchRequest>;
}

/** What one job may hold at most. */
export interface BatchLimits {
  requests: number;
  /** Of the requests as they are sent. */
  bytes: number;
}

export type BatchOutcome = "completed" | "failed" | "expired" | "cancelled";

/** How a job stands. Counts are null where the provider told none. */
export interface BatchProgress {
  /** Null while it goes on. */
  outcome: BatchOutcome | null;
  /** The provider's own word for where it stands. */
  nativeState: string;
  counts: { total: number; succeeded: number; failed: number } | null;
  /** Why it failed, in the provider's words without secrets; empty otherwise. */
  reason: string;
}

/** What became of one request. `line` is its place in the provider's file, from 1, for people. */
export type BatchAnswer = { id: string; line: number } & (
  | { kind: "answered"; result: BatchResult }
  | { kind: "failed"; failureKind: FailureKind; message: string; partialText?: string }
  /** It never had its turn, and nothing was asked for it. */
  | { kind: "expired" | "cancelled" }
);

/** A line that says nothing that can be used, with the reason. */
export interface BatchProblem {
  line: number;
  problem: string;
}

export type FoundBatch =
  | { state: "found"; nativeId: string }
  /** No job that could be it is there. */
  | { state: "absent" }
  /** So many jobs may be it, and which one shows only when they have ended. */
  | { state: "unsure"; candidates: number };

/** Every call is one exchange or a few, with the bounds of the backend; each throws a `BackendError`, or the reason of the signal. */
export interface BatchBackend {
  readonly limits: BatchLimits;

  /** UTF-8 bytes that the request takes up in a job. */
  sizeOf(request: BatchRequest, access: ProviderAccess): number;

  /** Hands over what a job will name (a file). Costs nothing by itself, so it may be done again; null where there is no such thing. */
  upload(order: BatchOrder, access: ProviderAccess, signal: AbortSignal): Promise<string | null>;

  /**
   * Hands the job in: from here on it is paid for. `fileId` is what `upload` gave. Returns the provider's id of it. An error with a
   * 4xx status other than 408 says that it was not taken; after any other one nobody knows, and `find` tells.
   */
  submit(order: BatchOrder, fileId: string | null, access: ProviderAccess, signal: AbortSignal): Promise<string>;

  /** Looks for a job that was handed in at or after `since` (epoch milliseconds), leaving out those that are known to be others. */
  find(
    order: Pick<BatchOrder, "mark" | "owns" | "count">,
    since: number,
    others: ReadonlySet<string>,
    access: ProviderAccess,
    signal: AbortSignal,
  ): Promise<FoundBatch>;

  poll(nativeId: string, access: ProviderAccess, signal: AbortSignal): Promise<BatchProgress>;

  /**
   * Fetches what a job that has ended has, partial results of an expired or cancelled one too. Answers are handed on one by one, in
   * the order of the provider's file; the next one is not read until `take` has resolved. Nothing is changed at the provider, so it
   * may be done again.
   */
  collect(
    nativeId: string,
    take: (answer: BatchAnswer | BatchProblem) => Promise<void>,
    access: ProviderAccess,
    signal: AbortSignal,
  ): Promise<void>;

  /** Asks the provider to stop; what has been answered by then is still there to be collected. A job that has ended is left as it is. */
  cancelJob(nativeId: string, access: ProviderAccess, signal: AbortSignal): Promise<void>;
}
