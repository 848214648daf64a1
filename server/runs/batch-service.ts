import type { BatchJobView, SubmitBatchInput, SubmitBatchOutcome } from "./batch-job.schema";

/**
 * Requests of a run as jobs of a provider (X24-X26): submit, poll, collect. Unknown ids throw AppError `not_found`; what the state
 * forbids throws `conflict`.
 */
export interface BatchService {
  /**
   * Hands in open chunks: each is held by its job until its answer is there, so that nobody else asks for it. Resolves when every job
   * was taken or refused, or is kept back by trouble that passes (`problem`). `conflict` when nothing of it can be handed in.
   */
  submit(runId: string, order: SubmitBatchInput): Promise<SubmitBatchOutcome>;
  /** Newest first. */
  list(runId: string): Promise<BatchJobView[]>;
  /** Asks the provider now how the job stands, and takes its answers when it has ended. The clock does the same. */
  poll(jobId: string): Promise<BatchJobView>;
  /** What was answered until then is taken, what was not is open again as it was. */
  cancel(jobId: string, options?: { giveUp?: boolean | undefined }): Promise<BatchJobView>;
}
