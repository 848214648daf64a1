/** The threads of agent runs that are loaded: each in a process, kept for a while after a turn, and found again in another one. */
import type { AgentRun } from "@/server/backends/agent-backend";
import { BackendError } from "@/server/backends/backend";
import type { ProviderAccess } from "@/server/backends/provider-access";
import type { ProviderSettings } from "@/server/config/provider-settings.schema";
import type { NewEvent } from "@/server/events/event.schema";
import { redactorOf } from "@/server/events/redactor-of";
import type { Secret } from "@/server/shared/secret";
import type { AppServerKey } from "./app-server-pool";
import { CodexThread } from "./codex-thread";
import { makeShellHome, removeShellHome, shellHomeOf } from "./home";
import type { CodexProcesses, ProcessLease } from "./processes";
import { threadResultSchema } from "./protocol.schema";

export interface SessionLimits {
  interruptMs: number;
  /** How long a thread stays loaded after a turn: the next one starts at once, and commands that outlive a turn are heard. */
  sessionIdleMs: number;
  silenceMarginMs: number;
}

/** One run's thread in a process. */
export interface Session {
  readonly lease: ProcessLease;
  readonly thread: CodexThread;
  /** HOME of the run's commands; there for as long as the session. */
  readonly shellHome: string;
  /** What its process was started with. A rotated key is served by another one. */
  readonly key: AppServerKey;
  readonly secrets: Readonly<Record<string, Secret>>;
  /** Set while no turn is under way. */
  idle: NodeJS.Timeout | null;
  /** The process is not to be used any more. */
  isCondemned: boolean;
  /** Gets what comes between turns. */
  late(event: NewEvent): void;
}

/** How a turn came to its thread. */
export type Opening = "started" | "resumed" | "continued";

export class AgentSessions {
  readonly #settings: ProviderSettings;
  readonly #processes: CodexProcesses;
  readonly #limits: SessionLimits;
  readonly #sessions = new Map<string, Session>();
  /** Sessions that are being let go of: the next one of the run waits for it, or its thread would be let go of as well. */
  readonly #ending = new Map<string, Promise<void>>();

  constructor(settings: ProviderSettings, processes: CodexProcesses, limits: SessionLimits) {
    this.#settings = settings;
    this.#processes = processes;
    this.#limits = limits;
  }

  /** Milliseconds without a word after which a turn is given up. */
  get silenceMs(): number {
    return this.#settings.idleMs + this.#limits.silenceMarginMs;
  }

  /** The run's thread: as it is loaded, else resumed, else a new one. Throws a `BackendError`, or the signal's reason. */
  async open(run: AgentRun, access: ProviderAccess, signal: AbortSignal): Promise<[Session, Opening]> {
    // Before all else: without its key a run gets nothing, not even a thread that is still there.
    const key = this.#processes.keyOf(access, run.model);
    await this.#ending.get(run.runId);
    const known = this.#sessions.get(run.runId);
    if (known && !known.isCondemned && known.lease.server.isTrusted && isSameKey(known.key, key)) {
      if (known.idle) clearTimeout(known.idle);
      known.idle = null;
      return [known, "continued"];
    }
    if (known) await this.end(run.runId);
    let isCondemned = false;
    const lease = await this.#processes.lease(access, run.model, signal, () => {
      isCondemned = true;
      this.#condemned(run.runId, key);
    });
    try {
      if (run.threadId !== null) await this.#processes.freeThread(run.threadId, lease.server, signal);
      const shellHome = shellHomeOf(lease.home, run.runId);
      await makeShellHome(shellHome);
      const thread = await this.#openThread(run, lease, shellHome, access.secrets, signal);
      const session: Session = {
        lease,
        thread,
        shellHome,
        key,
        secrets: access.secrets,
        idle: null,
        isCondemned,
        late: () => undefined,
      };
      this.#sessions.set(run.runId, session);
      return [session, run.threadId === null ? "started" : "resumed"];
    } catch (error) {
      lease.release();
      throw error;
    }
  }

  /** After a turn: the thread stays for a while, unless its process is done for. */
  rest(runId: string): void {
    const session = this.#sessions.get(runId);
    if (!session) return;
    if (session.isCondemned || !session.lease.server.isTrusted) {
      void this.end(runId);
      return;
    }
    session.idle = setTimeout(() => void this.end(runId), this.#limits.sessionIdleMs);
    session.idle.unref();
  }

  /** Ends what turns of the run left running; how many commands that were. A turn under way is interrupted instead. */
  async endCommands(runId: string): Promise<number> {
    const session = this.#sessions.get(runId);
    return session?.idle ? session.thread.endCommands() : 0;
  }

  /** Secrets of the sessions. */
  secrets(): Secret[] {
    return [...this.#sessions.values()].flatMap(({ secrets }) => Object.values(secrets));
  }

  end(runId: string): Promise<void> {
    const session = this.#sessions.get(runId);
    if (!session) return this.#ending.get(runId) ?? Promise.resolve();
    this.#sessions.delete(runId);
    if (session.idle) clearTimeout(session.idle);
    const ending = session.thread
      .close()
      // A command of a process that does not let go may write there still: the next session of the run clears it.
      .then(() => removeShellHome(session.shellHome).catch(() => undefined))
      .finally(() => {
        session.lease.release();
        this.#ending.delete(runId);
      });
    this.#ending.set(runId, ending);
    return ending;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#sessions.keys()].map((runId) => this.end(runId)));
    await Promise.all(this.#ending.values());
  }

  /** `key` is the object that the session was opened with: a later one of the run is not meant. */
  #condemned(runId: string, key: AppServerKey): void {
    const session = this.#sessions.get(runId);
    if (session?.key !== key) return;
    session.isCondemned = true;
    // One that only rests keeps nobody from anything.
    if (session.idle) void this.end(runId);
  }

  async #openThread(
    run: AgentRun,
    lease: ProcessLease,
    shellHome: string,
    secrets: Readonly<Record<string, Secret>>,
    signal: AbortSignal,
  ): Promise<CodexThread> {
    const redactor = redactorOf(secrets);
    const params = {
      model: run.model,
      cwd: run.workspace,
      approvalPolicy: run.policy.approval,
      sandbox: run.policy.sandbox,
      config: {
        "shell_environment_policy.set": { HOME: shellHome },
        // A folder that nobody has judged is trusted as soon as a turn may write there: its own config, MCP servers and rules would
        // be loaded, which run outside the sandbox and widen the policy.
        projects: { [run.workspace]: { trust_level: "untrusted" } },
      },
    };
    const result = threadResultSchema.safeParse(
      run.threadId === null
        ? await lease.server.request("thread/start", { ...params, ephemeral: false }, { signal })
        : await lease.server.request("thread/resume", { ...params, threadId: run.threadId, excludeTurns: true }, { signal }),
    );
    if (!result.success) throw new BackendError("backend-response-invalid", `${this.#settings.name}: no thread came back.`);
    const { id } = result.data.thread;
    lease.server.load(id);
    return new CodexThread(lease.server, id, {
      providerName: this.#settings.name,
      redact: (text) => redactor.text(text),
      silenceMs: Math.min(this.silenceMs, run.policy.timeoutMs),
      interruptMs: this.#limits.interruptMs,
      condemn: () => lease.condemn(),
    });
  }
}

function isSameKey(one: AppServerKey, other: AppServerKey): boolean {
  return one.baseUrl === other.baseUrl && one.model === other.model && one.key.expose() === other.key.expose();
}
