import { projectProvider } from "@/server/config/secret-projection";
import { documentWithoutServer } from "@/server/container";
import { loadEnv } from "@/server/env";
import { redactorOf } from "@/server/events/redactor-of";
import { Cancellation } from "@/server/inference/cancellation";
import { ProviderPool } from "@/server/inference/provider-pool";
import { type ExecOutcome, execJob, planExec } from "@/server/runs/exec-requests";
import { pinRoute } from "@/server/runs/pin-route";
import { RUN_OPTION_DEFAULTS } from "@/server/runs/run.rules";
import { AppError } from "@/server/shared/app-error";
import { systemClock } from "@/server/shared/clock";
import { parseArguments } from "../arguments";
import { bar, resolvePath, type Terminal } from "../terminal";

const FLAGS = {
  scene: "text",
  backend: "text",
  model: "text",
  config: "text",
  out: "text",
  concurrency: "count",
  "max-attempts": "count",
  "timeout-ms": "count",
  json: "switch",
  force: "switch",
} as const;

export const EXEC_USAGE =
  "exec PATH [--scene S | --backend B] [--model M] [--config FILE] [--out DIR] [--concurrency N] [--max-attempts N] [--timeout-ms N] [--force] [--json]";

/** Runs request files with any backend; nothing is written to the database. Exit 0 all ok, 1 some failed, 2 bad use or input, 130 interrupted. */
export async function exec(argv: readonly string[], terminal: Terminal): Promise<number> {
  const args = parseArguments(argv, FLAGS);
  const [given, ...more] = args.positionals;
  if (!given || more.length > 0) throw new AppError("invalid_input", `Name one request file or folder: ${EXEC_USAGE}`);
  const file = args.text("config");
  const { document, revision } = await documentWithoutServer(
    loadEnv(),
    file === undefined ? undefined : { name: file, path: resolvePath(terminal, file) },
  );
  const choice = { scene: args.text("scene"), backend: args.text("backend"), model: args.text("model") };
  // Files have no trace that could tell of a second model: the first one listed is asked, and no other.
  const [first] = pinRoute(document, revision, choice).candidates;
  if (!first) throw new Error("a pinned route without a candidate");
  const { settings, model } = first;
  const providers = new ProviderPool(systemClock);
  const provider = providers.of(settings);
  const out = args.text("out");
  const jobs = await planExec(resolvePath(terminal, given), out === undefined ? undefined : resolvePath(terminal, out));

  const stop = new AbortController();
  const onInterrupt = () => stop.abort(new Cancellation("user_requested"));
  // Ctrl-C may have come while the files were read.
  if (terminal.interrupted.aborted) onInterrupt();
  else terminal.interrupted.addEventListener("abort", onInterrupt, { once: true });
  const outcomes: ExecOutcome[] = [];
  let next = 0;
  const lane = async () => {
    while (next < jobs.length && !stop.signal.aborted) {
      const job = jobs[next++];
      if (!job) return;
      outcomes.push(
        await execJob(job, {
          provider,
          model,
          access: () => projectProvider(settings),
          redactor: redactorOf,
          clock: systemClock,
          random: Math.random,
          options: {
            ...RUN_OPTION_DEFAULTS,
            maxAttempts: args.count("max-attempts") ?? RUN_OPTION_DEFAULTS.maxAttempts,
            timeoutMs: args.count("timeout-ms") ?? RUN_OPTION_DEFAULTS.timeoutMs,
          },
          force: args.on("force"),
          signal: stop.signal,
        }),
      );
      terminal.progress(`${bar(outcomes.length, jobs.length)} ${outcomes.length}/${jobs.length} requests`);
    }
  };
  // Never more than the provider allows, and after a fault (a result that cannot be written) none goes on alone.
  const wanted = args.count("concurrency") ?? RUN_OPTION_DEFAULTS.concurrency;
  const lanes = Array.from({ length: Math.min(jobs.length, wanted, settings.concurrency) }, () =>
    lane().catch((error: unknown) => {
      onInterrupt();
      throw error;
    }),
  );
  try {
    const broken = (await Promise.allSettled(lanes)).find((settled) => settled.status === "rejected");
    if (broken) throw broken.reason;
  } finally {
    await providers.close();
  }
  return summarise(outcomes, jobs.length, args.on("json"), terminal);
}

function summarise(outcomes: readonly ExecOutcome[], total: number, json: boolean, terminal: Terminal): number {
  const kept = outcomes.filter((outcome) => outcome.kept).length;
  const failures = outcomes.flatMap((outcome) =>
    !outcome.kept && !outcome.result.ok ? [{ file: outcome.job.target, error: outcome.result.error }] : [],
  );
  const succeeded = outcomes.length - kept - failures.length;
  if (json)
    terminal.out(
      JSON.stringify({
        total,
        succeeded,
        kept,
        failed: failures.length,
        failures: failures.map(({ file, error }) => ({ file, type: error.type, message: error.message })),
      }),
    );
  else {
    terminal.out(`${succeeded} done, ${kept} kept (already ok), ${failures.length} failed, of ${total}`);
    for (const { file, error } of failures) terminal.err(`${file}: ${error.type}: ${error.message}`);
  }
  if (terminal.interrupted.aborted) return 130;
  return failures.length > 0 ? 1 : 0;
}
