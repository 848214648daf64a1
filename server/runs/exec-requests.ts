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
import type { ProviderAccess } from "@/server/backends/provider-access";
import type { ProviderSettings } from "@/server/config/provider-settings.schema";
import type { RoutedModel } from "@/server/inference/inference-router";
import { AppError } from "@/server/shared/app-error";
import { newId } from "@/server/shared/ids";
import type { ExecRoutes } from "./exec-routes";
import { type ExecuteOrder, executeRequest } from "./execute-request";
import type { RunOptions } from "./run.rules";
import { judgeTurn } from "./turn-end";

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

/** What happened on the way to a result, for who looks on. */
export type ExecNews =
  | { kind: "asked"; job: ExecJob; routed: RoutedModel }
  | { kind: "answered"; job: ExecJob; routed: RoutedModel }
  | {
      kind: "failed";
      job: ExecJob;
      routed: RoutedModel;
      message: string;
      /** What follows; `another_model` takes over at once. */
      next: "another_model" | "retry" | "none";
    };

export interface ExecDeps extends Pick<ExecuteOrder, "redactor" | "clock"> {
  routes: ExecRoutes;
  access(settings: ProviderSettings): ProviderAccess;
  tell(news: ExecNews): void;
  options: Pick<RunOptions, "maxAttempts" | "backoffMs" | "maxBackoffMs" | "timeoutMs" | "maxTokens">;
  random(): number;
  /** Run again although an ok result is there. */
  force: boolean;
  signal: AbortSignal;
}

export type ExecOutcome = { job: ExecJob; kept: true } | { job: ExecJob; kept: false; result: ResultArtifact };

/**
 * Runs one request file and writes its result, passed on and retried as the executor does. An ok result that is there already is kept; a result
 * that is replaced goes to `attempts/` beside it.
 */
export async function execJob(job: ExecJob, deps: ExecDeps): Promise<ExecOutcome> {
  let previous = await readResultFile(job.target);
  if (previous?.ok && !deps.force) return { job, kept: true };
  const first = (previous?.attempt ?? (previous ? 1 : 0)) + 1;
  const file = { id: job.file, route: 0 };
  let failures = 0;
  for (let attempt = first; ; attempt += 1) {
    const { routed, executed, outlook } = await deps.routes.ask(file, deps.signal, (model) => {
      deps.tell({ kind: "asked", job, routed: model });
      return executeRequest({
        request: job.request,
        requestSha256: job.sha256,
        requestId: newId("req", deps.clock.now()),
        sessionId: path.basename(job.file, ".json"),
        attempt,
        model: model.model,
        timeoutMs: deps.options.timeoutMs,
        maxTokens: deps.options.maxTokens || undefined,
        provider: model.provider,
        access: () => deps.access(model.provider.backend.settings),
        redactor: deps.redactor,
        clock: deps.clock,
        signal: deps.signal,
        emit: () => undefined,
      });
    });
    const failure = executed.failure;
    // Called off: there is no answer that could replace one.
    if (previous && deps.signal.aborted && failure?.kind === "cancelled") return { job, kept: false, result: executed.result };
    if (previous) await setAside(job.target, previous.attempt ?? attempt - 1);
    await writeFileWhole(job.target, artifactText(executed.result).body);
    previous = executed.result;
    const now = deps.clock.now();
    const end = judgeTurn(executed, deps.signal.aborted, { failures }, deps.options, now, deps.random(), outlook);
    if (end.status === "succeeded") deps.tell({ kind: "answered", job, routed });
    if (end.status !== "failed" || deps.signal.aborted) return { job, kept: false, result: executed.result };
    const isPassedOn = outlook.elsewhere && !end.isCounted;
    if (!isPassedOn) failures += 1;
    const dueAt = failures < deps.options.maxAttempts ? end.dueAt : null;
    const next = dueAt === null ? "none" : isPassedOn ? "another_model" : "retry";
    deps.tell({ kind: "failed", job, routed, message: end.message, next });
    if (dueAt === null) return { job, kept: false, result: executed.result };
    await delay(dueAt - now, undefined, { signal: deps.signal }).catch(() => undefined);
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
