/** The processes of one provider: one a model and key, shared by many threads, ended when idle, replaced when dead. */
import { createHash } from "node:crypto";
import type { Secret } from "@/server/shared/secret";
import type { AppServer } from "./app-server";

/** What a process is started for. A key that was rotated, or another address, is another process. */
export interface AppServerKey {
  baseUrl: string;
  model: string;
  key: Secret;
}

export interface AppServerLease {
  readonly server: AppServer;
  /** The process did not do what it was told: nobody gets it any more, and it ends once the last who has it lets go. */
  condemn(): void;
  release(): void;
}

interface Entry {
  starting: Promise<AppServer>;
  server: AppServer | null;
  users: number;
  condemned: boolean;
  idle: NodeJS.Timeout | null;
}

export class AppServerPool {
  readonly #start: (key: AppServerKey, signal: AbortSignal) => Promise<AppServer>;
  readonly #idleMs: number;
  readonly #entries = new Map<string, Entry>();
  /** Processes that end: waited for when the pool is closed. */
  readonly #ending = new Set<Promise<unknown>>();
  readonly #closing = new AbortController();

  constructor(start: (key: AppServerKey, signal: AbortSignal) => Promise<AppServer>, idleMs: number) {
    this.#start = start;
    this.#idleMs = idleMs;
  }

  /** The running process for that key, started when there is none. Throws what the start threw; a start that failed is tried anew by the next. */
  async lease(key: AppServerKey): Promise<AppServerLease> {
    this.#closing.signal.throwIfAborted();
    const id = idOf(key);
    let entry = this.#entries.get(id);
    if (entry?.server?.isGone) {
      this.#drop(id, entry);
      entry = undefined;
    }
    if (!entry) {
      const begun: Entry = {
        starting: this.#start(key, this.#closing.signal),
        server: null,
        users: 0,
        condemned: false,
        idle: null,
      };
      entry = begun;
      this.#entries.set(id, begun);
    }
    const leased = entry;
    leased.users += 1;
    if (leased.idle) clearTimeout(leased.idle);
    leased.idle = null;
    try {
      leased.server = await leased.starting;
    } catch (error) {
      leased.users -= 1;
      this.#drop(id, leased);
      throw error;
    }
    let released = false;
    return {
      server: leased.server,
      condemn: () => {
        leased.condemned = true;
        this.#drop(id, leased);
      },
      release: () => {
        if (released) return;
        released = true;
        this.#released(id, leased);
      },
    };
  }

  /** Those that run now. */
  running(): AppServer[] {
    return [...this.#entries.values()].flatMap(({ server }) => (server && !server.isGone ? [server] : []));
  }

  /** Ends every process, whoever uses it. May be called twice. */
  async close(): Promise<void> {
    this.#closing.abort(new Error("the pool of app-servers is closed"));
    const entries = [...this.#entries.values()];
    this.#entries.clear();
    await Promise.all(
      entries.map(async (entry) => {
        if (entry.idle) clearTimeout(entry.idle);
        const server = await entry.starting.catch(() => null);
        await server?.end();
      }),
    );
    await Promise.all(this.#ending);
  }

  #released(id: string, entry: Entry): void {
    entry.users -= 1;
    if (entry.users > 0 || !entry.server) return;
    if (entry.condemned || entry.server.isGone || this.#entries.get(id) !== entry) {
      this.#end(entry.server);
      return;
    }
    const { server } = entry;
    entry.idle = setTimeout(() => {
      this.#drop(id, entry);
      this.#end(server);
    }, this.#idleMs);
    // An idle process must not keep the server from ending.
    entry.idle.unref();
  }

  #drop(id: string, entry: Entry): void {
    if (this.#entries.get(id) === entry) this.#entries.delete(id);
    if (entry.users === 0 && entry.server) this.#end(entry.server);
  }

  #end(server: AppServer): void {
    const ending = server.end().finally(() => this.#ending.delete(ending));
    this.#ending.add(ending);
  }
}

/** The key's value is in it as a hash only. */
function idOf({ baseUrl, model, key }: AppServerKey): string {
  const hash = createHash("sha256").update(key.expose()).digest("hex");
  return JSON.stringify([baseUrl, model, hash]);
}
