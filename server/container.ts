/** The composition root: the one file that sees everything. Builds the store, the configuration, the executor and the services. */
import { existsSync } from "node:fs";
import path from "node:path";
import { ACCESS_TOKEN_REFERENCE, accessToken } from "./access-token";
import type { BackendHost } from "./backends/backend-host";
import type { ProviderAccess } from "./backends/provider-access";
import type { ConfigDocument } from "./config/config-document.schema";
import { ConfigRevisionsStore, newestRevision } from "./config/config-revisions.store";
import { parseConfigText } from "./config/config-yaml";
import { CurrentConfig, type ParseConfig } from "./config/current-config";
import { firstDocumentText } from "./config/first-document";
import { KnownSecrets } from "./config/known-secrets";
import { providerNames, settingsOfProvider } from "./config/provider-settings";
import type { ProviderSettings } from "./config/provider-settings.schema";
import { projectProvider, secretStates } from "./config/secret-projection";
import { usableDocument } from "./config/usable-document";
import { type Database, databaseFile, ensureDataDir, openDatabase } from "./db/client";
import { migrate } from "./db/migrate";
import { Writer } from "./db/writer";
import { childEnvironment, type Env, invocationFolder, loadEnv } from "./env";
import { prepareEvent } from "./events/event-writes.store";
import { keysInText } from "./events/keys-in-text";
import type { Redactor } from "./events/redact";
import { redactorOf, redactorOfNow } from "./events/redactor-of";
import { ProviderPool } from "./inference/provider-pool";
import { ProviderState } from "./inference/provider-state";
import { closePrepPool, consolidateOffThread, planOffThread, previewOffThread } from "./pipeline/prep-pool";
import { AgentExecutor } from "./runs/agent/agent-executor";
import { AgentReads } from "./runs/agent/agent-reads.store";
import { policyProblems, resolveWorkspace } from "./runs/agent/check-policy";
import type { AgentRunService } from "./runs/agent-run-service";
import type { BackendService } from "./runs/backend-service";
import { BatchWorker } from "./runs/batch/batch-worker";
import type { JobDeps } from "./runs/batch/job-deps";
import { JobsStore } from "./runs/batch/jobs.store";
import type { BatchService } from "./runs/batch-service";
import { CapabilityChecksStore } from "./runs/capability-checks.store";
import { ChunksStore } from "./runs/chunks.store";
import { type ConfigFileDeps, importConfigFile, readConfigText } from "./runs/config-file";
import type { ConfigService } from "./runs/config-service";
import { Executor } from "./runs/executor";
import { startConfiguration } from "./runs/first-revision";
import { HealthProber } from "./runs/health-prober";
import { createLocalAgentRunService } from "./runs/local-agent-run-service";
import { createLocalBackendService } from "./runs/local-backend-service";
import { createLocalBatchService } from "./runs/local-batch-service";
import { createLocalConfigService } from "./runs/local-config-service";
import { createLocalRunService } from "./runs/local-run-service";
import { pinRoute } from "./runs/pin-route";
import { ProviderStateStore } from "./runs/provider-state.store";
import { ProviderStatsStore } from "./runs/provider-stats.store";
import { pauseRun } from "./runs/run-actions.store";
import { runConfigOf } from "./runs/run-config";
import { type RoutingDeps, snapshotOf } from "./runs/run-routes";
import type { RunService } from "./runs/run-service";
import { RunsStore } from "./runs/runs.store";
import { type SettleDeps, settleRun } from "./runs/settle-run";
import { createStateLearner } from "./runs/state-learner";
import { AppError } from "./shared/app-error";
import { type Clock, systemClock } from "./shared/clock";
import { createLogger, type Logger } from "./shared/logger";
import { projectRoot } from "./shared/project-root";
import type { Secret } from "./shared/secret";

export interface Container {
  env: Env;
  /** Where everything is kept, as an absolute path. */
  dataDir: string;
  logger: Logger;
  database: Database;
  writer: Writer;
  providers: ProviderPool;
  redactor(secrets: Readonly<Record<string, Secret>>): Redactor;
  runs: RunService;
  agents: AgentRunService;
  config: ConfigService;
  backends: BackendService;
  batches: BatchService;
  /** Asks providers how batch jobs stand, by the clock once it was started. */
  batchWorker: BatchWorker;
  executor: Executor;
  /** Runs the turns of agent runs. */
  agentExecutor: AgentExecutor;
  prober: HealthProber;
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
  const secrets = new KnownSecrets();
  secrets.addReference("env:LLM_API_KEY");
  const token = accessToken(env);
  if (token !== null) secrets.addReference(ACCESS_TOKEN_REFERENCE);
  // Inside a turn: the secrets of its provider, and the token, which no answer may repeat either.
  const turnRedactor = (given: Readonly<Record<string, Secret>>) =>
    redactorOf(token === null ? given : { ...given, [ACCESS_TOKEN_REFERENCE]: token });
  // What is said outside a turn (logs, reasons, names) is cleared of every secret this process can know.
  const everything: Redactor = redactorOfNow(() => secrets.all());
  const redact = (text: string) => everything.text(text);
  const logger = options.logger ?? createLogger(env.LOG_LEVEL, redact);

  ensureDataDir(dataDir);
  const file = databaseFile(dataDir);
  const applied = migrate(file, path.join(/* turbopackIgnore: true */ projectRoot(), "prisma", "migrations", "sqlite"));
  if (applied.length > 0) logger.info({ applied }, "database migrated");
  const database = await openDatabase(file);
  const writer = new Writer(file);
  const stop = new AbortController();

  const runs = new RunsStore(database);
  const chunks = new ChunksStore(database);
  const revisions = new ConfigRevisionsStore(database, writer);
  const stateStore = new ProviderStateStore(database, writer);
  const capabilityChecks = new CapabilityChecksStore(database, writer);
  const stats = new ProviderStatsStore(database);
  const providers = new ProviderPool(clock, backendHostOf(env));
  const state = new ProviderState(clock);

  const parse: ParseConfig = (text) =>
    parseConfigText(text, { findKeys: (whole) => keysInText(whole, redactorOf(secrets.all())) });
  const config = new CurrentConfig(revisions, parse, ({ document }) => {
    for (const name of providerNames(document)) {
      const settings = settingsOfProvider(document, name);
      if (settings) secrets.add(settings);
    }
  });
  const access = (settings: ProviderSettings): ProviderAccess => {
    secrets.add(settings);
    return projectProvider(settings);
  };
  const configFile: ConfigFileDeps | null =
    env.SWITCHYARD_CONFIG === undefined
      ? null
      : {
          store: revisions,
          parse,
          clock,
          file: {
            name: env.SWITCHYARD_CONFIG,
            path: path.resolve(/* turbopackIgnore: true */ invocationFolder(), env.SWITCHYARD_CONFIG),
          },
        };
  for (const problem of await startConfiguration({ store: revisions, first: firstDocumentText(env), clock }))
    logger.warn(problem);
  if (configFile) {
    const { imported, problem } = await importConfigFile(configFile);
    if (imported !== null) logger.info({ revision: imported, file: configFile.file.name }, "configuration imported");
    if (problem !== null) logger.error(problem);
  }
  /** What an operator types as a model is stored and shown: never the value of a key. */
  const refuseSecret = (model: string | undefined) => {
    if (model !== undefined && secrets.isPartOf(model))
      throw new AppError(
        "invalid_input",
        "The name of the model holds the value of a key, so it was neither asked for nor kept; write the name of a model.",
      );
  };
  const pin = async (choice: Parameters<typeof pinRoute>[2]) => {
    refuseSecret(choice.model);
    const { document, revision } = await config.newest();
    return pinRoute(document, revision.number, choice);
  };
  for (const { backend, model } of await runs.unpinned()) {
    const route = await pin({ backend, model }).catch(() => null);
    // Its provider is not set up here any more: the run pauses and says so.
    if (route) await writer.commit([{ sql: "pinOldRuns", args: [JSON.stringify(route), route.revision, backend, model] }]);
  }

  const prices = async () => {
    const { document, revision } = await config.newest();
    return { document, revision: revision.number };
  };

  const learnState = createStateLearner(state, stateStore, clock);
  const routing: RoutingDeps = { providers, state, keyProblem: (settings) => secrets.problemOf(settings), clock };
  const settle: SettleDeps = { writer, runs, chunks, consolidate: consolidateOffThread, redactor: everything, clock };
  const executor = new Executor({
    ...routing,
    writer,
    runs,
    access,
    redactor: turnRedactor,
    keepState: (changes) =>
      void stateStore.keep(changes).catch((error: unknown) => logger.error({ error }, "a cooldown could not be written")),
    learnState,
    settle: (id) => settleRun(settle, id),
    pause: async (id, reason) => {
      await pauseRun(writer, id, reason, clock.now(), [
        prepareEvent({ type: "run_paused", payload: { reason } }, { ts: clock.now() }, everything),
      ]);
    },
    random: options.random ?? Math.random,
    logger,
    ...(options.only ? { only: options.only } : {}),
  });
  const kick = () => executor.kick();
  const agentReads = new AgentReads(database);
  const workspacesFolder = path.join(dataDir, "workspaces");
  const agentExecutor = new AgentExecutor({
    writer,
    reads: agentReads,
    providers,
    access,
    redactor: turnRedactor,
    check: async ({ policy, workspace, candidate }) => {
      const rules = (await config.newest()).document.agents ?? {};
      const [problem] = policyProblems(policy, rules, candidate.settings);
      return problem === undefined
        ? resolveWorkspace(workspace, { allowed: rules.workspaces ?? [], ownFolder: workspacesFolder })
        : { ok: false, error: problem };
    },
    clock,
    logger,
    ...(options.only ? { only: options.only } : {}),
  });
  const agents = createLocalAgentRunService({
    writer,
    runs,
    reads: agentReads,
    config,
    pin,
    configOf: (run) => runConfigOf(config, run),
    prices,
    redactor: everything,
    workspacesFolder,
    clock,
    kick: () => agentExecutor.kick(),
    writing: (id) => agentExecutor.writing(id),
    endCommands: (id) => agentExecutor.endCommands(id),
  });
  const jobDeps: JobDeps = { jobs: new JobsStore(database), adopt: { database, settle }, providers, access, kick };
  const batchWorker = new BatchWorker(jobDeps, logger, options.only);
  const prober = new HealthProber({
    config,
    providers,
    state,
    store: stateStore,
    capabilityChecks,
    stats,
    access,
    everyMs: env.SWITCHYARD_CHECK_MINUTES * 60_000,
    redact,
    refuseSecret,
    clock,
    logger,
  });
  const service = createLocalRunService({
    database,
    writer,
    pin,
    configOf: (run) => runConfigOf(config, run),
    prices,
    knownSecrets: () => Object.values(secrets.all()).map((secret) => secret.expose()),
    preview: previewOffThread,
    plan: planOffThread,
    redactor: everything,
    clock,
    settle,
    kick,
    cancelAgentRun: (id, reason) => agents.cancel(id, reason),
  });

  let closing: Promise<void> | null = null;
  return {
    env,
    dataDir,
    logger,
    database,
    writer,
    providers,
    redactor: turnRedactor,
    runs: service,
    agents,
    agentExecutor,
    config: createLocalConfigService({
      store: revisions,
      config,
      parse,
      keyStates: secretStates,
      // For people: a choice itself does not read keys anew.
      snapshot: (settings, model) => ({ ...snapshotOf(routing, settings, model), keyNote: secrets.noteOf(settings) }),
      learnState,
      providers,
      access,
      runs,
      file: configFile,
      redact,
      clock,
    }),
    backends: createLocalBackendService({
      config,
      state,
      store: stateStore,
      capabilityChecks,
      stats,
      prober,
      keyStates: secretStates,
      clock,
      kick,
    }),
    batches: createLocalBatchService({ ...jobDeps, pin, worker: batchWorker }),
    batchWorker,
    executor,
    prober,
    shutdown: stop.signal,
    close(graceMs) {
      closing ??= (async () => {
        stop.abort();
        await Promise.all([prober.close(), batchWorker.close()]);
        await Promise.all([executor.stop(graceMs), agentExecutor.stop(graceMs)]);
        // Before the writer: what ends with a process may have something to tell.
        await providers.close();
        await agentExecutor.leave();
        await writer.close();
        await closePrepPool();
        await database.$disconnect();
      })();
      return closing;
    },
  };
}

/** What adapters may know of this machine. Homes of profiles lie in the data folder, so that a backup of it has their sessions. */
export function backendHostOf(env: Env): BackendHost {
  const { SWITCHYARD_CODEX_BIN: codex, SWITCHYARD_CLAUDE_BIN: claude, SWITCHYARD_DATA_DIR: dataDir } = env;
  return {
    homesFolder: path.resolve(/* turbopackIgnore: true */ projectRoot(), dataDir, "agents"),
    programs: { ...(codex === undefined ? {} : { codex }), ...(claude === undefined ? {} : { claude }) },
    childEnv: childEnvironment(),
  };
}

/** The rules of the server for a text, without a server: what looks like a key is found by its form. */
export const parseAlone: ParseConfig = (text) =>
  parseConfigText(text, { findKeys: (whole) => keysInText(whole, redactorOf({})) });

/**
 * The document for a command that writes nothing: a file, the one SWITCHYARD_CONFIG names, the newest revision where there is a
 * database, else what the environment alone gives (revision 1 for all but a stored one).
 */
export async function documentWithoutServer(
  env: Env,
  given?: { name: string; path: string },
): Promise<{ document: ConfigDocument; revision: number }> {
  const named = env.SWITCHYARD_CONFIG;
  const file = given ?? (named === undefined ? null : { name: named, path: path.resolve(invocationFolder(), named) });
  if (file) return { document: usableDocument(parseAlone, readConfigText(file), { file: file.name }), revision: 1 };
  const stored = await storedRevision(databaseFile(path.resolve(projectRoot(), env.SWITCHYARD_DATA_DIR)));
  const document = usableDocument(parseAlone, stored?.text ?? firstDocumentText(env).text);
  return { document, revision: stored?.number ?? 1 };
}

async function storedRevision(file: string): Promise<{ number: number; text: string } | null> {
  if (!existsSync(/* turbopackIgnore: true */ file)) return null;
  const database = await openDatabase(file);
  try {
    return await newestRevision(database);
  } finally {
    await database.$disconnect();
  }
}
