import { KnownSecrets } from "@/server/config/known-secrets";
import { projectProvider } from "@/server/config/secret-projection";
import { backendHostOf, documentWithoutServer } from "@/server/container";
import { loadEnv } from "@/server/env";
import { redactorOf } from "@/server/events/redactor-of";
import { Cancellation } from "@/server/inference/cancellation";
import { ProviderPool } from "@/server/inference/provider-pool";
import { ProviderState } from "@/server/inference/provider-state";
import { type ExecOutcome, execJob, planExec } from "@/server/runs/exec-requests";
import { ExecRoutes } from "@/server/runs/exec-routes";
import { pinRoute } from "@/server/runs/pin-route";
import { RUN_OPTION_DEFAULTS } from "@/server/runs/run.rules";
import { AppError } from "@/server/shared/app-error";
import { systemClock } from "@/server/shared/clock";
import { parseArguments } from "../arguments";
import { bar, resolvePath, type Terminal } from "../terminal";
import { ExecReport } from "./exec-report";

const FLAGS = {
  scene: "text",
  backend: "text",
  model: "text",
  config: "text",
  out: "text",
  concurrency: "count",
  "max-attempts": "count",
  "timeout-ms": "count",
  "max-tokens": "count",
  json: "switch",
  force: "switch",
} as const;

export const EXEC_USAGE =
  "exec PATH [--scene S | --backend B] [--model M] [--config FILE] [--out DIR] [--concurrency N] [--max-attempts N] [--timeout-ms N] [--max-tokens N] [--force] [--json]";

/** Runs request files with the models of a scene, or with any backend; nothing is written to the database. Exit 0 all ok, 1 some failed, 2 bad use or input, 130 interrupted. */
export async function exec(argv: readonly string[], terminal: Terminal): Promise<number> {
  const args = parseArguments(argv, FLAGS);
  const [given, ...more] = args.positionals;
  if (!given || more.length > 0) throw new AppError("invalid_input", `Name one request file or folder: ${EXEC_USAGE}`);
  const file = args.text("config");
  const { document, revision } = await documentWithoutServer(
    loadEnv(),
    file === undefined ? undefined : { name: file, path: resolvePath(terminal, file) },
  );
  const maxTokens = args.count("max-tokens");
  const choice = { scene: args.text("scene"), backend: args.text("backend"), model: args.text("model"), maxTokens };
  const route = pinRoute(document, revision, choice);
  const providers = new ProviderPool(systemClock, backendHostOf(loadEnv()));
  const secrets = new KnownSecrets();
  const routes = new ExecRoutes(
    {
      providers,
      state: new ProviderState(systemClock),
      keyProblem: (settings) => secrets.problemOf(settings),
      clock: systemClock,
    },
    route,
  );
  const report = new ExecReport(terminal, args.on("json"));
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
          routes,
          access: (settings) => projectProvider(settings),
          tell: (news) => report.tell(news),
          redactor: redactorOf,
          clock: systemClock,
          random: Math.random,
          options: {
            ...RUN_OPTION_DEFAULTS,
            maxAttempts: args.count("max-attempts") ?? RUN_OPTION_DEFAULTS.maxAttempts,
            timeoutMs: args.count("timeout-ms") ?? RUN_OPTION_DEFAULTS.timeoutMs,
            maxTokens: maxTokens ?? RUN_OPTION_DEFAULTS.maxTokens,
          },
          force: args.on("force"),
          signal: stop.signal,
        }),
      );
      terminal.progress(`${bar(outcomes.length, jobs.length)} ${outcomes.length}/${jobs.length} requests`);
    }
  };
  // After a fault (a result that cannot be written) none goes on alone.
  const wanted = args.count("concurrency") ?? RUN_OPTION_DEFAULTS.concurrency;
  const lanes = Array.from({ length: Math.min(jobs.length, wanted) }, () =>
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
  return report.end(outcomes, jobs.length);
}
