import { constants, copyFile, mkdir, readdir, stat } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import {
  holdsRequest,
  type RequestFile,
  readRequestFile,
  readResultFile,
  writeFileWhole,
} from "@/server/artifacts/artifact-files";
import { artifactText } from "@/server/artifacts/artifact-text";
import type { ResultArtifact } from "@/server/artifacts/result-artifact.schema";
import type { InferenceProvider } from "@/server/inference/inference-provider";
import { AppError } from "@/server/shared/app-error";
import { newId } from "@/server/shared/ids";
import { type ExecuteOrder, executeRequest } from "./execute-request";
import { decideRetry } from "./retry-policy";
import type { RunOptions } from "./run.rules";

export interface ExecJob extends RequestFile {
  /** Where its result goes. */
  target: string;
}

/** The request files of a path: a file, a folder of them, or a folder that has a `requests/` folder. Checked before anything runs. */
export async function planExec(given: string, out: string | undefined): Promise<ExecJob[]> {
  const files = await requestFiles(given);
  const jobs: ExecJob[] = [];
  for (const file of files) {
    const read = await readRequestFile(file);
    const folder = path.dirname(file);
    const results =
      out ?? (path.basename(folder) === "requests" ? path.join(path.dirname(folder), "results") : path.join(folder, "results"));
    jobs.push({ ...read, target: path.join(results, path.basename(file)) });
  }
  // Looked at by content: the target may be a request of another folder, or a link to one.
  for (const { file, target } of jobs) {
    if (!(await holdsRequest(target))) continue;
    throw new AppError(
      "invalid_input",
      `The result of ${file} would be written over a request file; choose another --out folder.`,
    );
  }
  return jobs;
}

async function requestFiles(given: string): Promise<string[]> {
  const kind = await stat(given).catch((error) => {
    throw new AppError("not_found", `${given} cannot be read: ${error instanceof Error ? error.message : String(error)}.`, {
      cause: error,
    });
  });
  if (kind.isFile()) return [given];
  const names = await readdir(given);
  if (names.includes("requests")) return requestFiles(path.join(given, "requests"));
  const files = names.filter((name) => name.endsWith(".json")).sort();
  if (files.length === 0) throw new AppError("invalid_input", `${given} holds no request files (*.json).`);
  return files.map((name) => path.join(given, name));
}

export interface ExecDeps extends Pick<ExecuteOrder, "provider" | "access" | "redactor" | "clock"> {
  provider: InferenceProvider;
  model: string;
  options: Pick<RunOptions, "maxAttempts" | "backoffMs" | "maxBackoffMs" | "timeoutMs">;
  random(): number;
  /** Run again although an ok result is there. */
  force: boolean;
  signal: AbortSignal;
}

export type ExecOutcome = { job: ExecJob; kept: true } | { job: ExecJob; kept: false; result: ResultArtifact };

/**
 * Runs one request file and writes its result, retrying as the executor does. An ok result that is there already is kept; a result
 * that is replaced goes to `attempts/` beside it.
 */
export async function execJob(job: ExecJob, deps: ExecDeps): Promise<ExecOutcome> {
  let previous = await readResultFile(job.target);
  if (previous?.ok && !deps.force) return { job, kept: true };
  const first = (previous?.attempt ?? (previous ? 1 : 0)) + 1;
  for (let attempt = first; ; attempt += 1) {
    const executed = await executeRequest({
      request: job.request,
      requestSha256: job.sha256,
      requestId: newId("req", deps.clock.now()),
      sessionId: path.basename(job.file, ".json"),
      attempt,
      model: deps.model,
      timeoutMs: deps.options.timeoutMs,
      provider: deps.provider,
      access: deps.access,
      redactor: deps.redactor,
      clock: deps.clock,
      signal: deps.signal,
      emit: () => undefined,
    });
    const failure = executed.failure;
    // Called off: there is no answer that could replace one.
    if (previous && deps.signal.aborted && failure?.kind === "cancelled") return { job, kept: false, result: executed.result };
    if (previous) await setAside(job.target, previous.attempt ?? attempt - 1);
    await writeFileWhole(job.target, artifactText(executed.result).body);
    previous = executed.result;
    if (!failure || deps.signal.aborted) return { job, kept: false, result: executed.result };
    const decision = decideRetry(
      { failureKind: failure.kind, retryable: failure.retryable, retryAfterMs: failure.retryAfterMs },
      attempt - first + 1,
      deps.options,
      deps.random(),
    );
    if (!decision.retry) return { job, kept: false, result: executed.result };
    await delay(decision.delayMs, undefined, { signal: deps.signal }).catch(() => undefined);
    if (deps.signal.aborted) return { job, kept: false, result: executed.result };
  }
}

/** The earlier result goes to `attempts/` with its very bytes. A file of that name is another program's: it is left alone. */
async function setAside(target: string, attempt: number): Promise<void> {
  const { dir, name } = path.parse(target);
  const stem = path.join(dir, "attempts", `${name}.attempt-${String(attempt).padStart(2, "0")}`);
  await mkdir(path.dirname(stem), { recursive: true });
  for (let copy = 1; ; copy += 1) {
    const isNew = await copyFile(target, copy === 1 ? `${stem}.json` : `${stem}.${copy}.json`, constants.COPYFILE_EXCL).then(
      () => true,
      (error: unknown) => {
        if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
        throw error;
      },
    );
    if (isNew) return;
  }
}
