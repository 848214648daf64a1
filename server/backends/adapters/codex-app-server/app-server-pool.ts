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
  id: string;
  starting: Promise<AppServer>;
  server: AppServer | null;
  users: number;
  condemned: boolean;
  idle: NodeJS.Timeout | null;
  /** Told once, when it is condemned. */
  onCondemned: Set<() => void>;
}

export class AppServerPool {
  readonly #start: (key: AppServerKey, signal: AbortSignal) => Promise<AppServer>;
  readonly #idleMs: number;
  /** Those that are handed out. */
  readonly #entries = new Map<string, Entry>();
  /** Every process that has not ended yet, those that nobody gets any more included. */
  readonly #alive = new Map<AppServer, Entry>();
  readonly #closing = new AbortController();

  constructor(start: (key: AppServerKey, signal: AbortSignal) => Promise<AppServer>, idleMs: number) {
    this.#start = start;
    this.#idleMs = idleMs;
  }

  /**
   * The running process for that key, started when there is none. Throws what the start threw; a start that failed is tried anew by
   * the next. `onCondemned` is called when the process is not trusted any more: whoever only keeps it should let go.
   */
  async lease(key: AppServerKey, onCondemned: () => void = () => undefined): Promise<AppServerLease> {
    this.#closing.signal.throwIfAborted();
    const id = idOf(key);
    const known = this.#entries.get(id);
    if (known?.server && !known.server.isTrusted) this.#condemn(known);
    const entry = this.#entries.get(id) ?? this.#begin(id, key);
    entry.users += 1;
    this.#keepAwake(entry);
    let server: AppServer;
    try {
      server = await entry.starting;
    } catch (error) {
      entry.users -= 1;
      this.#drop(entry);
      throw error;
    }
    entry.onCondemned.add(onCondemned);
    let released = false;
    return {
      server,
      condemn: () => this.#condemn(entry),
      release: () => {
        if (released) return;
        released = true;
        entry.onCondemned.delete(onCondemned);
        this.#released(entry, server);
      },
    };
  }

  /** Those that have not ended, condemned ones included. */
  running(): AppServer[] {
    return [...this.#alive.keys()];
  }

  /** Nobody gets that process any more, and it ends once the last who has it lets go. */
  condemn(server: AppServer): void {
    const entry = this.#alive.get(server);
    if (entry) this.#condemn(entry);
  }

  /** Ends every process, whoever uses it. May be called twice. */
  async close(): Promise<void> {
    this.#closing.abort(new Error("the pool of app-servers is closed"));
    const entries = [...this.#entries.values()];
    this.#entries.clear();
    for (const entry of entries) this.#keepAwake(entry);
    await Promise.allSettled(entries.map(({ starting }) => starting));
    await Promise.all(this.running().map((server) => server.end()));
  }

  #begin(id: string, key: AppServerKey): Entry {
    const entry: Entry = {
      id,
      starting: this.#start(key, this.#closing.signal).then((server) => {
        entry.server = server;
        this.#alive.set(server, entry);
        void server.exited.then(() => this.#alive.delete(server));
        return server;
      }),
      server: null,
      users: 0,
      condemned: false,
      idle: null,
      onCondemned: new Set(),
    };
    this.#entries.set(id, entry);
    return entry;
  }

  #released(entry: Entry, server: AppServer): void {
    entry.users -= 1;
    if (entry.users > 0) return;
    if (entry.condemned || !server.isTrusted || this.#entries.get(entry.id) !== entry) {
      this.#drop(entry);
      return;
    }
    entry.idle = setTimeout(() => this.#drop(entry), this.#idleMs);
    // An idle process must not keep the server from ending.
    entry.idle.unref();
  }

  #condemn(entry: Entry): void {
    const isNew = !entry.condemned;
    entry.condemned = true;
    this.#drop(entry);
    if (isNew) for (const tell of [...entry.onCondemned]) tell();
  }

  /** Hands it out no more; ends it when nobody has it. */
  #drop(entry: Entry): void {
    if (this.#entries.get(entry.id) === entry) this.#entries.delete(entry.id);
    this.#keepAwake(entry);
    if (entry.users === 0) void entry.server?.end();
  }

  #keepAwake(entry: Entry): void {
    if (entry.idle) clearTimeout(entry.idle);
    entry.idle = null;
  }
}

/** The key's value is in it as a hash only. */
function idOf({ baseUrl, model, key }: AppServerKey): string {
  const hash = createHash("sha256").update(key.expose()).digest("hex");
  return JSON.stringify([baseUrl, model, hash]);
}
