/** `batch submit|status|collect|cancel`: requests of a run as jobs of a provider. */
import { setTimeout as delay } from "node:timers/promises";
import type { Container } from "@/server/container";
import { isOpenBatch } from "@/server/runs/batch-job.rules";
import type { BatchJobView, SubmitBatchInput } from "@/server/runs/batch-job.schema";
import { AppError } from "@/server/shared/app-error";
import { type Arguments, parseArguments } from "../arguments";
import { chunksOf } from "../chunk-list";
import type { Terminal } from "../terminal";

export const BATCH_JOBS_USAGE = [
  "batch submit RUN [--backend P] [--model M] [--chunks 1,2,3] [--wait] [--json]   open requests as a job of the provider",
  "batch status RUN [--json]                     how the jobs of a run stood when they were last asked for",
  "batch collect RUN [--wait] [--json]           ask the providers now, and take the answers of jobs that have ended",
  "batch cancel JOB [--give-up] [--json]         what was answered is taken, the rest is open again; --give-up waits for nobody",
] as const;

/** Between two looks while a command waits: a server may be at the same jobs. */
const SHORTEST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 60_000;

/** Exit 0 all well, 1 when something failed or is left open, 2 for bad use, 130 when it was interrupted. */
export type JobCommand = (argv: readonly string[], terminal: Terminal, container: Container) => Promise<number>;

const submit: JobCommand = async (argv, terminal, container) => {
  const args = parseArguments(argv, { backend: "text", model: "text", chunks: "text", wait: "switch", json: "switch" });
  const runId = onlyName(args, 0);
  const [backend, model, chunks] = [args.text("backend"), args.text("model"), chunksOf(args.text("chunks"))];
  const order: SubmitBatchInput = {
    ...(backend === undefined ? {} : { backend }),
    ...(model === undefined ? {} : { model }),
    ...(chunks === undefined ? {} : { chunks }),
  };
  const { jobs, skipped } = await container.batches.submit(runId, order);
  for (const { chunk, reason } of skipped) terminal.err(`Chunk ${chunk} was left out: ${reason}.`);
  const ids = new Set(jobs.map(({ id }) => id));
  if (!args.on("wait")) return report(jobs, args, terminal);
  return waitFor(runId, (job) => ids.has(job.id), args, terminal, container);
};

const status: JobCommand = async (argv, terminal, container) => {
  const args = parseArguments(argv, { json: "switch" });
  const jobs = await container.batches.list(onlyName(args, 1));
  tell(jobs, args, terminal);
  return 0;
};

const collect: JobCommand = async (argv, terminal, container) => {
  const args = parseArguments(argv, { wait: "switch", json: "switch" });
  const runId = onlyName(args, 2);
  const open = (await container.batches.list(runId)).filter(({ state }) => isOpenBatch(state));
  const ids = new Set(open.map(({ id }) => id));
  if (args.on("wait")) return waitFor(runId, (job) => ids.has(job.id), args, terminal, container);
  const jobs: BatchJobView[] = [];
  for (const { id } of open) {
    if (terminal.interrupted.aborted) return 130;
    jobs.push(await container.batches.poll(id));
  }
  return report(jobs, args, terminal);
};

const cancel: JobCommand = async (argv, terminal, container) => {
  const args = parseArguments(argv, { "give-up": "switch", json: "switch" });
  const job = await container.batches.cancel(onlyName(args, 3), { giveUp: args.on("give-up") });
  tell([job], args, terminal);
  if (isOpenBatch(job.state) && !args.on("json"))
    terminal.err(
      `Its answers are taken when it has ended; a server does that, or: npm run -s switchyard -- batch collect ${job.runId} --wait`,
    );
  return 0;
};

export const JOB_COMMANDS: Readonly<Record<string, JobCommand>> = { submit, status, collect, cancel };

function onlyName(args: Arguments, usage: 0 | 1 | 2 | 3): string {
  const [name, ...more] = args.positionals;
  if (!name || more.length > 0)
    throw new AppError("invalid_input", `Name one ${usage === 3 ? "job" : "run"}: ${BATCH_JOBS_USAGE[usage]}`);
  return name;
}

/** Submit, poll and collect in one: polls when the time of each job has come, until all of them have ended. */
async function waitFor(
  runId: string,
  isMeant: (job: BatchJobView) => boolean,
  args: Arguments,
  terminal: Terminal,
  container: Container,
): Promise<number> {
  for (let due = Number.POSITIVE_INFINITY; ; due = Date.now()) {
    // Asked at once the first time, since a person wants to know; then when the time of each job has come.
    for (const { id, state, nextPollAt } of (await container.batches.list(runId)).filter(isMeant)) {
      const isDue = isOpenBatch(state) && Date.parse(nextPollAt ?? "") <= due;
      if (isDue && !terminal.interrupted.aborted) await container.batches.poll(id);
    }
    const jobs = (await container.batches.list(runId)).filter(isMeant);
    const open = jobs.filter(({ state }) => isOpenBatch(state));
    if (open.length === 0) return report(jobs, args, terminal);
    const done = jobs.reduce((sum, { counts }) => sum + (counts ? counts.succeeded + counts.failed : 0), 0);
    const requests = jobs.reduce((sum, job) => sum + job.requests, 0);
    const problem = open.find((job) => job.problem !== null)?.problem ?? null;
    terminal.progress(`${done}/${requests} requests answered${problem === null ? "" : ` · ${problem}`}`);
    const next = Math.min(...open.map(({ nextPollAt }) => Date.parse(nextPollAt ?? "")));
    const wait = Math.min(LONGEST_WAIT_MS, Math.max(SHORTEST_WAIT_MS, next - Date.now()));
    await delay(wait, undefined, { signal: terminal.interrupted }).catch(() => undefined);
    if (!terminal.interrupted.aborted) continue;
    terminal.err(
      `Interrupted. The jobs go on at their provider; go on with: npm run -s switchyard -- batch collect ${runId} --wait`,
    );
    return 130;
  }
}

/** 0 when every job goes on or has ended well with nothing that failed. */
function report(jobs: readonly BatchJobView[], args: Arguments, terminal: Terminal): number {
  tell(jobs, args, terminal);
  const isWell = ({ state, taken, problem }: BatchJobView) =>
    isOpenBatch(state) ? problem === null : state === "completed" && taken?.unusable === 0;
  return jobs.every(isWell) ? 0 : 1;
}

function tell(jobs: readonly BatchJobView[], args: Arguments, terminal: Terminal): void {
  if (args.on("json")) terminal.out(JSON.stringify({ jobs }));
  else if (jobs.length === 0) terminal.out("No batch.");
  else for (const line of jobs.flatMap(linesOf)) terminal.out(line);
}

function linesOf({ id, state, backend, model, requests, counts, taken, nativeId, problem, message }: BatchJobView): string[] {
  const progress = taken
    ? `${taken.adopted} accepted, ${taken.unusable} not usable, ${taken.returned} given back`
    : counts
      ? `${counts.succeeded + counts.failed}/${counts.total} answered`
      : `${requests} requests`;
  return [
    `${id}  ${state}  ${backend}/${model}  ${progress}${nativeId === null ? "" : `  ${nativeId}`}`,
    ...[problem, message].flatMap((sentence) => (sentence === null ? [] : [`  ${sentence}`])),
  ];
}
