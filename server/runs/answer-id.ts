/** The names under which chunks leave for elsewhere and come back. Pure. */
import { chunkStem } from "@/server/artifacts/artifact-paths";
import { isSourceDate } from "@/server/artifacts/source-date.rules";

/** `memory_distill_extract/2026-04-19/chunk-0001`: what a batch calls a request. */
export function chunkName(task: string, sourceDate: string, index: number): string {
  return `${task}/${sourceDate}/${chunkStem(index)}`;
}

/**
 * `run_01h…-chunk-0001`, for services that take letters, digits, `_` and `-` and at most 64 of them. It says the run instead of
 * task and date, so it is read back without a table.
 */
export function plainChunkName(runId: string, index: number): string {
  return `${runId}-${chunkStem(index)}`;
}

/** The same for a request of a batch job, whose tail it ends with: still at most 64 characters, and read back as the one above. */
export function batchRequestName(runId: string, index: number, jobId: string): string {
  return `${plainChunkName(runId, index)}-${tailOf(jobId)}`;
}

/** Whether a request bears the name of a request of that job. */
export function isRequestOf(requestId: string, runId: string, jobId: string): boolean {
  return PLAIN.test(requestId) && requestId.startsWith(`${runId}-`) && requestId.endsWith(`-${tailOf(jobId)}`);
}

/** The part of an id that no other one has. */
function tailOf(jobId: string): string {
  return jobId.slice(-TAIL);
}

/** What an answer says it belongs to. */
export type AnswerPlace =
  | { kind: "name"; task: string; sourceDate: string; index: number }
  | { kind: "run"; runId: string; index: number };

const INDEX = "(?<index>[0-9]{1,9})";
const NAME = new RegExp(`^(?<task>.+)/(?<date>[^/]+)/chunk-${INDEX}$`, "s");
const TAIL = 16;
const PLAIN = new RegExp(`^(?<run>run_[0-9a-z]{26})-chunk-${INDEX}(?:-[0-9a-z]{${TAIL}})?$`);
/** As attempts name their requests: run, chunk, attempt. */
const REQUEST = new RegExp(`^req_(?<run>[0-9a-z]{26})\\.${INDEX}\\.[0-9]{1,9}$`);

/** Null when it is none of the three. */
export function readAnswerId(id: string): AnswerPlace | null {
  const request = REQUEST.exec(id)?.groups;
  if (request) return placeInRun(`run_${request.run}`, request.index);
  const plain = PLAIN.exec(id)?.groups;
  if (plain) return placeInRun(plain.run ?? "", plain.index);
  const { task, date, index } = NAME.exec(id)?.groups ?? {};
  if (task === undefined || date === undefined || !isSourceDate(date) || Number(index) < 1) return null;
  return { kind: "name", task, sourceDate: date, index: Number(index) };
}

function placeInRun(runId: string, index: string | undefined): AnswerPlace | null {
  return Number(index) < 1 ? null : { kind: "run", runId, index: Number(index) };
}
