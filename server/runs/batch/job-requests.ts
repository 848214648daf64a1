/** The requests of a job, and how those of a run are parted into jobs. */
import { type RequestArtifact, requestArtifactSchema } from "@/server/artifacts/request-artifact.schema";
import type { BatchLimits, BatchOrder, BatchRequest } from "@/server/backends/batch-backend";
import { AppError } from "@/server/shared/app-error";
import { batchRequestName, isRequestOf } from "../answer-id";
import type { JobsStore, OpenJob } from "./jobs.store";

/** Room that a protocol may need around the requests. */
const AROUND_BYTES = 8_192;

export function requestOf(body: string, id: string, model: string): BatchRequest {
  const { input, expect }: RequestArtifact = requestArtifactSchema.parse(JSON.parse(body));
  return { id, model, system: input.system, user: input.user, expect: { format: expect.format, schema: expect.schema } };
}

/** What is handed in for a job. The same each time: the chunks that it covers do not change, nor do their request artifacts. */
export function orderOf(jobs: JobsStore, job: Pick<OpenJob, "id" | "runId" | "model" | "requests">): BatchOrder {
  return {
    mark: job.id,
    owns: (requestId) => isRequestOf(requestId, job.runId, job.id),
    count: job.requests,
    async *requests() {
      for await (const { index, body } of jobs.requests(job.id))
        yield requestOf(body, batchRequestName(job.runId, index, job.id), job.model);
    },
  };
}

/** Parts chunks into jobs, in order, each within the limits. Throws AppError `conflict` for a request that fits into none. */
export async function partIntoJobs(
  chunks: AsyncIterable<{ index: number; bytes: number }>,
  limits: BatchLimits,
): Promise<number[][]> {
  const parts: number[][] = [];
  let part: number[] = [];
  let size = 0;
  for await (const { index, bytes } of chunks) {
    if (bytes > limits.bytes - AROUND_BYTES)
      throw new AppError(
        "conflict",
        `Chunk ${index} alone is larger than a batch of this provider may be (${limits.bytes} bytes).`,
      );
    if (part.length > 0 && (part.length >= limits.requests || size + bytes > limits.bytes - AROUND_BYTES)) {
      parts.push(part);
      part = [];
      size = 0;
    }
    part.push(index);
    size += bytes;
  }
  return part.length === 0 ? parts : [...parts, part];
}
