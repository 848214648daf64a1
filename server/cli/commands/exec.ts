import { defaultProfileName } from "@/server/config/profiles";
import { projectSecrets } from "@/server/config/secret-projection";
import { buildProviders } from "@/server/container";
import { loadEnv } from "@/server/env";
import { redactorOf } from "@/server/events/redactor-of";
import { Cancellation } from "@/server/inference/cancellation";
import { type ExecOutcome, execJob, planExec } from "@/server/runs/exec-requests";
import { RUN_OPTION_DEFAULTS } from "@/server/runs/run.rules";
import { AppError } from "@/server/shared/app-error";
import { systemClock } from "@/server/shared/clock";
import { parseArguments } from "../arguments";
import { bar, resolvePath, type Terminal } from "../terminal";

const FLAGS = {
  backend: "text",
  model: "text",
  out: "text",
  concurrency: "count",
  "max-attempts": "count",
  "timeout-ms": "count",
  json: "switch",
  force: "switch",
} as const;

export const EXEC_USAGE =
  "exec PATH --backend B [--model M] [--out DIR] [--concurrency N] [--max-attempts N] [--timeout-ms N] [--force] [--json]";

/** Runs request files with any backend; no database. Exit 0 all ok, 1 some failed, 2 bad use or input, 130 interrupted. */
export async function exec(argv: readonly string[], terminal: Terminal): Promise<number> {
  const args = parseArguments(argv, FLAGS);
  const [given, ...more] = args.positionals;
  if (!given || more.length > 0) throw new AppError("invalid_input", `Name one request file or folder: ${EXEC_USAGE}`);
  const env = loadEnv();
  const providers = buildProviders(env);
  const name = args.text("backend") ?? defaultProfileName(env);
  const provider = providers.get(name);
  if (!provider)
    throw new AppError("unknown_backend", `There is no backend "${name}"; there are: ${[...providers.keys()].join(", ")}.`);
  const out = args.text("out");
  const jobs = await planExec(resolvePath(terminal, given), out === undefined ? undefined : resolvePath(terminal, out));
  const { profile } = provider.backend;

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
          model: args.text("model") ?? profile.defaultModel,
          secrets: () => projectSecrets(profile),
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
  // Never more than the profile allows, and after a fault (a result that cannot be written) none goes on alone.
  const wanted = args.count("concurrency") ?? RUN_OPTION_DEFAULTS.concurrency;
  const lanes = Array.from({ length: Math.min(jobs.length, wanted, profile.concurrency) }, () =>
    lane().catch((error: unknown) => {
      onInterrupt();
      throw error;
    }),
  );
  try {
    const broken = (await Promise.allSettled(lanes)).find((settled) => settled.status === "rejected");
    if (broken) throw broken.reason;
  } finally {
    await Promise.all([...providers.values()].map((each) => each.backend.close()));
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
