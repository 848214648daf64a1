/** From a provider's settings and access to a running app-server: the program, the home, the key, the environment of the child. */
import { BackendError } from "@/server/backends/backend";
import type { BackendHost } from "@/server/backends/backend-host";
import type { ProviderAccess } from "@/server/backends/provider-access";
import { usableKey } from "@/server/backends/usable-key";
import type { ProviderSettings } from "@/server/config/provider-settings.schema";
import { redactorOf } from "@/server/events/redactor-of";
import { systemClock } from "@/server/shared/clock";
import { linkSignals } from "@/server/shared/linked-signal";
import { AppServer, type AppServerLimits } from "./app-server";
import { type AppServerKey, type AppServerLease, AppServerPool } from "./app-server-pool";
import { baseUrlSetting, type CodexConfig, KEY_VARIABLE } from "./config-files";
import { findCodex } from "./find-codex";
import { type CodexHome, prepareHome, pruneLogs } from "./home";
import { startKeyRelay } from "./key-relay";

export type ProcessLease = AppServerLease & { home: CodexHome };

interface Bounds extends AppServerLimits {
  idleMs: number;
  /** How long a thread may be held by a process that is to end. */
  freeMs: number;
}

export class CodexProcesses {
  readonly #settings: ProviderSettings;
  readonly #host: BackendHost;
  readonly #bounds: Bounds;
  readonly #pool: AppServerPool;
  readonly #homes = new Map<string, Promise<CodexHome>>();

  constructor(settings: ProviderSettings, host: BackendHost, bounds: Bounds) {
    this.#settings = settings;
    this.#host = host;
    this.#bounds = bounds;
    this.#pool = new AppServerPool((key, signal) => this.#start(key, signal), bounds.idleMs);
  }

  /** What a process must have been started with to serve that. Throws `secret-unavailable` for a key that cannot be used. No other profile's key stands in. */
  keyOf({ baseUrl, secrets }: ProviderAccess, model: string): AppServerKey {
    const key = usableKey(this.#settings.name, secrets);
    if (baseUrl === null) throw new BackendError("backend-failed", `${this.#settings.name} has no base URL.`);
    return { baseUrl, model, key };
  }

  /**
   * A process that serves that model with that key. Throws as `keyOf` does before anything is started; `backend-spawn-failed` where
   * there is no program; and what the start throws.
   */
  async lease(access: ProviderAccess, model: string, signal: AbortSignal, onCondemned?: () => void): Promise<ProcessLease> {
    signal.throwIfAborted();
    const key = this.keyOf(access, model);
    const leasing = this.#pool.lease(key, onCondemned);
    const lease = await untilAborted(leasing, signal, (late) => late.release());
    return { ...lease, home: await this.home(key.baseUrl, model) };
  }

  /**
   * Codex locks a stored thread in the process that has loaded it, until that ends: whoever else has it ends, once nobody works in
   * it. Throws when others work in it for longer than `freeMs`.
   */
  async freeThread(threadId: string, besides: AppServer, signal: AbortSignal): Promise<void> {
    for (const server of this.running()) {
      if (server === besides || !server.loadedThreads.has(threadId)) continue;
      this.#pool.condemn(server);
      const limit = linkSignals(signal);
      const timer = setTimeout(() => limit.abort(this.#heldError(threadId)), this.#bounds.freeMs);
      try {
        await untilAborted(server.exited, limit.signal, () => undefined);
      } finally {
        clearTimeout(timer);
        limit.unlink();
      }
    }
  }

  #heldError(threadId: string): BackendError {
    return new BackendError(
      "backend-failed",
      `${this.#settings.name}: the thread ${threadId} is held by an older process in which other turns are under way. Order the turn again once they have ended.`,
    );
  }

  /** Processes that run now. */
  running(): AppServer[] {
    return this.#pool.running();
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  /** Made once a process; its files are written anew at each start. */
  home(baseUrl: string, model: string): Promise<CodexHome> {
    const key = `${model} ${baseUrl}`;
    let home = this.#homes.get(key);
    if (!home) {
      home = prepareHome(this.#host.homesFolder, this.#config(baseUrl, model));
      // A failed one is tried anew.
      home.catch(() => this.#homes.delete(key));
      this.#homes.set(key, home);
    }
    return home;
  }

  #config(baseUrl: string, model: string): Omit<CodexConfig, "catalogPath"> {
    return {
      providerName: this.#settings.name,
      baseUrl,
      model,
      streamIdleMs: this.#settings.idleMs,
      contextWindow: this.#settings.contextWindow ?? USUAL_CONTEXT_WINDOW,
    };
  }

  async #start({ baseUrl, model, key }: AppServerKey, signal: AbortSignal): Promise<AppServer> {
    const { childEnv, programs } = this.#host;
    const found = await findCodex(programs.codex, childEnv.PATH ?? "");
    if ("problem" in found) throw new BackendError("backend-spawn-failed", `${this.#settings.name}: ${found.problem}`);
    this.#homes.delete(`${model} ${baseUrl}`);
    const home = await this.home(baseUrl, model);
    if (this.#pool.running().length === 0) await pruneLogs(home);
    const relay = await startKeyRelay({ baseUrl, key }, childEnv);
    const redactor = redactorOf({ [key.label]: key });
    try {
      const server = await AppServer.start(
        {
          providerName: this.#settings.name,
          command: found.path,
          // Not in the home's file: two processes may share that, and each has a relay of its own.
          args: ["app-server", "--listen", "stdio://", "--strict-config", "-c", baseUrlSetting(relay.baseUrl)],
          env: {
            ...childEnv,
            ...withoutProxy(childEnv),
            HOME: home.path,
            CODEX_HOME: home.path,
            TMPDIR: home.temporary,
            [KEY_VARIABLE]: relay.password,
          },
          cwd: home.emptyWorkspace,
          readable: relay.readable,
          redact: (text) => redactor.text(text),
          limits: this.#bounds,
          clock: systemClock,
        },
        signal,
      );
      void server.exited.then(() => relay.close());
      return server;
    } catch (error) {
      relay.close();
      throw error;
    }
  }
}

/** The relay is on this machine: no proxy stands between it and Codex. */
function withoutProxy(environment: Readonly<Record<string, string>>): Record<string, string> {
  const besides = environment.no_proxy ?? environment.NO_PROXY;
  const list = besides === undefined ? "127.0.0.1" : `${besides},127.0.0.1`;
  return { NO_PROXY: list, no_proxy: list };
}

/** Tokens that a model of another provider is trusted with when its profile says nothing. */
const USUAL_CONTEXT_WINDOW = 128_000;

/** Does not wait for what comes after the abort: that is let go of when it comes. */
async function untilAborted<T>(work: Promise<T>, signal: AbortSignal, letGo: (late: T) => void): Promise<T> {
  let onAbort: (() => void) | undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    onAbort = () => {
      void work.then(letGo, () => undefined);
      reject(signal.reason);
    };
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    if (onAbort) signal.removeEventListener("abort", onAbort);
  }
}
