/** From a provider's settings and access to a running app-server: the program, the home, the key, the environment of the child. */
import { BackendError } from "@/server/backends/backend";
import type { BackendHost } from "@/server/backends/backend-host";
import type { ProviderAccess } from "@/server/backends/provider-access";
import type { ProviderSettings } from "@/server/config/provider-settings.schema";
import { redactorOf } from "@/server/events/redactor-of";
import { systemClock } from "@/server/shared/clock";
import { Secret } from "@/server/shared/secret";
import { AppServer, type AppServerLimits } from "./app-server";
import { type AppServerKey, type AppServerLease, AppServerPool } from "./app-server-pool";
import { type CodexConfig, KEY_VARIABLE } from "./config-files";
import { findCodex } from "./find-codex";
import { type CodexHome, prepareHome, pruneLogs } from "./home";

export type ProcessLease = AppServerLease & { home: CodexHome };

interface Bounds extends AppServerLimits {
  idleMs: number;
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

  /**
   * A process that serves that model with that key. Throws `secret-unavailable` for a key that cannot be used, before anything is
   * started; `backend-spawn-failed` where there is no program; and what the start throws. No other profile's key stands in.
   */
  async lease(access: ProviderAccess, model: string, signal: AbortSignal): Promise<ProcessLease> {
    signal.throwIfAborted();
    const key = usableKey(this.#settings.name, access);
    const { baseUrl } = access;
    if (baseUrl === null) throw new BackendError("backend-failed", `${this.#settings.name} has no base URL.`);
    const leasing = this.#pool.lease({ baseUrl, model, key });
    const lease = await untilAborted(leasing, signal, (late) => late.release());
    return { ...lease, home: await this.home(baseUrl, model) };
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
    const redactor = redactorOf({ [key.label]: key });
    return AppServer.start(
      {
        providerName: this.#settings.name,
        command: found.path,
        args: ["app-server", "--listen", "stdio://", "--strict-config"],
        env: {
          ...childEnv,
          HOME: home.path,
          CODEX_HOME: home.path,
          TMPDIR: home.temporary,
          [KEY_VARIABLE]: key.expose(),
        },
        cwd: home.emptyWorkspace,
        redact: (text) => redactor.text(text),
        limits: this.#bounds,
        clock: systemClock,
      },
      signal,
    );
  }
}

/** Tokens that a model of another provider is trusted with when its profile says nothing. */
const USUAL_CONTEXT_WINDOW = 128_000;

/** A key with a line break is sent as no key at all, and the turn would run unauthenticated. */
const UNSENDABLE = /\p{Cc}/u;

function usableKey(providerName: string, { secrets }: ProviderAccess): Secret {
  const { apiKey } = secrets;
  if (!apiKey) throw new BackendError("secret-unavailable", `${providerName} has no key: set providers.${providerName}.apiKey.`);
  const value = apiKey.expose().trim();
  if (value === "") throw new BackendError("secret-unavailable", `${providerName}: the key ${apiKey.label} is empty.`);
  if (UNSENDABLE.test(value)) {
    throw new BackendError(
      "secret-unavailable",
      `${providerName}: the key ${apiKey.label} holds a line break or another control character, and cannot be sent.`,
    );
  }
  return value === apiKey.expose() ? apiKey : new Secret(value, apiKey.label);
}

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
