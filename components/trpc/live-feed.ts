import type { RunSummary } from "@/server/runs/run.schema";
import type { LiveState } from "./live-status";

/** Only one tab of a browser holds the stream: browsers allow six connections a host, and a stream keeps one. */
const LOCK_NAME = "switchyard-live";
const POLL_INTERVAL_MS = 5_000;
/** After the stream was refused for good, it is tried again this much later; polling bridges. */
const STREAM_RETRY_MS = 15_000;

export interface StreamHandlers {
  onConnected: () => void;
  onLost: () => void;
  onRun: (cursor: string, run: RunSummary) => void;
  /** A stream that was opened without a cursor begins here: what was read before may be older, and its changes are never told. */
  onBegin: (cursor: string) => void;
  /** The stream has ended and does not reconnect by itself. */
  onEnded: () => void;
}

/** What the feed needs from the browser and the API; tests bring their own. */
export interface LiveFeedSurroundings {
  openStream: (lastEventId: string | null, handlers: StreamHandlers) => { close: () => void };
  /** Resolves when the server answers. */
  probe: () => Promise<void>;
  /** Absent on plain-http addresses: then each tab leads itself. */
  locks: Pick<LockManager, "request"> | undefined;
  openChannel: () => Pick<BroadcastChannel, "postMessage" | "close" | "onmessage">;
  page: Pick<Document, "hidden" | "addEventListener" | "removeEventListener">;
  now: () => number;
}

export interface LiveFeedListeners {
  onRun: (run: RunSummary) => void;
  /** Anything may have changed. */
  onRefresh: () => void;
  onState: (state: LiveState) => void;
}

type Message =
  | { type: "run"; cursor: string; run: RunSummary }
  | { type: "refresh"; cursor?: string }
  | { type: "state"; state: LiveState }
  | { type: "hello" };

/**
 * The live feed of one tab.
 *
 * hidden ─► waiting    the page became visible: everything is read again, and the tab stands in line for the lock
 * waiting ─► leading   it got the lock: it holds the stream, polls while the stream is down, and tells the other tabs
 * any ─► hidden        the page was hidden: it leaves the line or gives the lock up, and applies nothing
 */
export class LiveFeed {
  readonly #surroundings: LiveFeedSurroundings;
  readonly #listeners: LiveFeedListeners;
  #channel: ReturnType<LiveFeedSurroundings["openChannel"]> | null = null;
  #turn: AbortController | null = null;
  #cursor: string | null = null;
  #state: LiveState = { connected: false, lastContactAt: null };
  #leading = false;

  constructor(surroundings: LiveFeedSurroundings, listeners: LiveFeedListeners) {
    this.#surroundings = surroundings;
    this.#listeners = listeners;
  }

  start(): void {
    const channel = this.#surroundings.openChannel();
    channel.onmessage = (event) => this.#receive(event.data);
    this.#channel = channel;
    this.#surroundings.page.addEventListener("visibilitychange", this.#onVisibility);
    if (!this.#surroundings.page.hidden) this.#standInLine();
  }

  stop(): void {
    this.#surroundings.page.removeEventListener("visibilitychange", this.#onVisibility);
    this.#turn?.abort();
    this.#turn = null;
    this.#channel?.close();
    this.#channel = null;
  }

  readonly #onVisibility = (): void => {
    if (this.#surroundings.page.hidden) {
      this.#turn?.abort();
      this.#turn = null;
      return;
    }
    this.#listeners.onRefresh();
    if (this.#turn === null) this.#standInLine();
  };

  #standInLine(): void {
    const turn = new AbortController();
    this.#turn = turn;
    this.#send({ type: "hello" });
    const { locks } = this.#surroundings;
    if (locks === undefined) {
      void this.#lead(turn.signal);
      return;
    }
    // An abort while waiting rejects the request; that is the intended way out of the line.
    void locks.request(LOCK_NAME, { signal: turn.signal }, () => this.#lead(turn.signal)).catch(() => undefined);
  }

  /** Holds the stream until the signal ends. */
  #lead(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      let stream: { close: () => void } | null = null;
      let retry: ReturnType<typeof setTimeout> | undefined;
      const open = () => {
        stream = this.#surroundings.openStream(this.#cursor, {
          onConnected: () => this.#setState({ connected: true, lastContactAt: this.#surroundings.now() }),
          onLost: () => this.#setState({ ...this.#state, connected: false }),
          onRun: (cursor, run) => this.#apply({ type: "run", cursor, run }),
          onBegin: (cursor) => this.#apply({ type: "refresh", cursor }),
          onEnded: () => {
            stream = null;
            this.#setState({ ...this.#state, connected: false });
            retry = setTimeout(open, STREAM_RETRY_MS);
          },
        });
      };
      const poll = setInterval(() => {
        if (!this.#state.connected) void this.#poll(signal);
      }, POLL_INTERVAL_MS);
      const end = () => {
        clearInterval(poll);
        clearTimeout(retry);
        stream?.close();
        this.#leading = false;
        // Nobody streams until another tab leads; it says so itself.
        this.#setState({ ...this.#state, connected: false });
        resolve();
      };
      if (signal.aborted) {
        resolve();
        clearInterval(poll);
        return;
      }
      this.#leading = true;
      signal.addEventListener("abort", end, { once: true });
      open();
    });
  }

  async #poll(signal: AbortSignal): Promise<void> {
    try {
      await this.#surroundings.probe();
    } catch {
      // The age of the last contact shows that nothing comes.
      return;
    }
    if (signal.aborted) return;
    this.#setState({ ...this.#state, lastContactAt: this.#surroundings.now() });
    this.#apply({ type: "refresh" });
  }

  /** From the server: for this tab and for the others. */
  #apply(message: Extract<Message, { type: "run" | "refresh" }>): void {
    this.#send(message);
    this.#receive(message);
  }

  #setState(state: LiveState): void {
    this.#state = state;
    this.#send({ type: "state", state });
    this.#listeners.onState(state);
  }

  #send(message: Message): void {
    this.#channel?.postMessage(message);
  }

  #receive(message: Message): void {
    switch (message.type) {
      case "run":
        this.#cursor = message.cursor;
        if (!this.#surroundings.page.hidden) this.#listeners.onRun(message.run);
        return;
      case "refresh":
        this.#cursor = message.cursor ?? this.#cursor;
        if (!this.#surroundings.page.hidden) this.#listeners.onRefresh();
        return;
      case "state":
        this.#state = message.state;
        this.#listeners.onState(message.state);
        return;
      case "hello":
        if (this.#leading) this.#send({ type: "state", state: this.#state });
        return;
    }
  }
}
