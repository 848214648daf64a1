/** The composition root: the one file that sees everything. Builds the store, the providers, the executor and the service. */
import path from "node:path";
import { createBackend } from "./backends/adapter-table";
import { builtInProfiles, defaultProfileName, profileProblems } from "./config/profiles";
import { projectSecrets, secretStates } from "./config/secret-projection";
import { isSecretUnavailableError } from "./config/secret-reference";
import { type Database, databaseFile, ensureDataDir, openDatabase } from "./db/client";
import { migrate } from "./db/migrate";
import { Writer } from "./db/writer";
import { type Env, loadEnv } from "./env";
import { prepareEvent } from "./events/event-writes.store";
import type { Redactor } from "./events/redact";
import { redactorOf } from "./events/redactor-of";
import { createInferenceProvider, type InferenceProvider } from "./inference/inference-provider";
import { tokenizerOf } from "./inference/tokenizer";
import { closePrepPool, consolidateOffThread, planOffThread, previewOffThread } from "./pipeline/prep-pool";
import { ChunksStore } from "./runs/chunks.store";
import { Executor } from "./runs/executor";
import { createLocalRunService } from "./runs/local-run-service";
import type { BackendView } from "./runs/run.schema";
import { pauseRun } from "./runs/run-actions.store";
import type { RunService } from "./runs/run-service";
import { RunsStore } from "./runs/runs.store";
import { type SettleDeps, settleRun } from "./runs/settle-run";
import { type Clock, systemClock } from "./shared/clock";
import { createLogger, type Logger } from "./shared/logger";
import { projectRoot } from "./shared/project-root";
import type { Secret } from "./shared/secret";

export interface Container {
  env: Env;
  logger: Logger;
  database: Database;
  writer: Writer;
  providers: ReadonlyMap<string, InferenceProvider>;
  secrets(profile: string): Readonly<Record<string, Secret>>;
  redactor(secrets: Readonly<Record<string, Secret>>): Redactor;
  runs: RunService;
  executor: Executor;
  shutdown: AbortSignal;
  /** Stops the executor (in-flight turns get `graceMs`), ends streams, flushes, closes. May be called twice. */
  close(graceMs: number): Promise<void>;
}

export interface ContainerOptions {
  env?: Env;
  clock?: Clock;
  random?: () => number;
  /** Serve these runs only. */
  only?: ReadonlySet<string>;
  logger?: Logger;
}

/** Opens the data folder (made and migrated when needed) and builds everything; nothing runs until `executor.start()`. */
export async function createContainer(options: ContainerOptions = {}): Promise<Container> {
  const env = options.env ?? loadEnv();
  const clock = options.clock ?? systemClock;
  const dataDir = path.resolve(/* turbopackIgnore: true */ projectRoot(), env.SWITCHYARD_DATA_DIR);
  const providers = buildProviders(env);
  const secretsOf = (name: string) => {
    const provider = providers.get(name);
    return provider ? projectSecrets(provider.backend.profile) : {};
  };
  // What is said outside a turn (logs, reasons, names) is cleared of every secret this process can know.
  const everything: Redactor = {
    ...redactorOf({}),
    text: (value) => redactorOf(allSecrets(providers)).text(value),
    json: (value) => redactorOf(allSecrets(providers)).json(value),
  };
  const logger = options.logger ?? createLogger(env.LOG_LEVEL, (text) => everything.text(text));

  ensureDataDir(dataDir);
  const file = databaseFile(dataDir);
  const applied = migrate(file, path.join(/* turbopackIgnore: true */ projectRoot(), "prisma", "migrations", "sqlite"));
  if (applied.length > 0) logger.info({ applied }, "database migrated");
  const database = await openDatabase(file);
  const writer = new Writer(file);
  const stop = new AbortController();

  const runs = new RunsStore(database);
  const chunks = new ChunksStore(database);
  const settle: SettleDeps = { writer, runs, chunks, consolidate: consolidateOffThread, redactor: everything, clock };
  const executor = new Executor({
    writer,
    runs,
    providers,
    secrets: secretsOf,
    redactor: redactorOf,
    settle: (id) => settleRun(settle, id),
    pause: async (id, reason) => {
      await pauseRun(writer, id, reason, clock.now(), [
        prepareEvent({ type: "run_paused", payload: { reason } }, { ts: clock.now() }, everything),
      ]);
    },
    clock,
    random: options.random ?? Math.random,
    logger,
    ...(options.only ? { only: options.only } : {}),
  });
  const service = createLocalRunService({
    database,
    writer,
    providers,
    defaultBackend: defaultProfileName(env),
    knownSecrets: () => Object.values(allSecrets(providers)).map((secret) => secret.expose()),
    preview: previewOffThread,
    plan: planOffThread,
    redactor: everything,
    clock,
    settle,
    backends: () => backendViews(providers, defaultProfileName(env)),
    kick: () => executor.kick(),
  });
  for (const problem of profileProblems(env)) logger.warn(problem);

  let closing: Promise<void> | null = null;
  return {
    env,
    logger,
    database,
    writer,
    providers,
    secrets: secretsOf,
    redactor: redactorOf,
    runs: service,
    executor,
    shutdown: stop.signal,
    close(graceMs) {
      closing ??= (async () => {
        stop.abort();
        await executor.stop(graceMs);
        await writer.close();
        await Promise.all([...providers.values()].map((provider) => provider.backend.close()));
        await closePrepPool();
        await database.$disconnect();
      })();
      return closing;
    },
  };
}

export function buildProviders(env: Env): Map<string, InferenceProvider> {
  return new Map(
    builtInProfiles(env).map((profile) => [
      profile.name,
      createInferenceProvider(createBackend(profile), tokenizerOf(profile.tokenizer)),
    ]),
  );
}

/** Every secret that can be read now; an unreadable one is no secret to hide. */
function allSecrets(providers: ReadonlyMap<string, InferenceProvider>): Record<string, Secret> {
  const all: Record<string, Secret> = {};
  for (const provider of providers.values()) {
    try {
      for (const [name, secret] of Object.entries(projectSecrets(provider.backend.profile)))
        all[`${provider.id}.${name}`] = secret;
    } catch (error) {
      if (!isSecretUnavailableError(error)) throw error;
    }
  }
  return all;
}

function backendViews(providers: ReadonlyMap<string, InferenceProvider>, defaultName: string): BackendView[] {
  return [...providers.values()].map(({ backend }) => {
    const { profile, capabilities } = backend;
    const { streaming, structuredOutput, usage, cancel } = capabilities;
    return {
      name: profile.name,
      kind: profile.kind,
      description: profile.description,
      defaultModel: profile.defaultModel,
      isDefault: profile.name === defaultName,
      baseUrl: profile.baseUrl ?? null,
      concurrency: profile.concurrency,
      capabilities: { streaming, structuredOutput, usage, cancel },
      secrets: secretStates(profile),
    };
  });
}
