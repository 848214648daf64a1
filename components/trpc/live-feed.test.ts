import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { RunSummary } from "@/server/runs/run.schema";
import { LiveFeed, type StreamHandlers } from "./live-feed";
import type { LiveState } from "./live-status";

// Only the id matters to the feed; it hands runs on unread.
const run = (id: string) => ({ id }) as RunSummary;

/** The tabs of one browser: one lock, one channel. */
class Browser {
  readonly #channels = new Set<{ onmessage: BroadcastChannel["onmessage"] }>();
  readonly #line: (() => void)[] = [];
  #held = false;

  readonly openChannel = () => {
    const channels = this.#channels;
    const channel = {
      onmessage: null as BroadcastChannel["onmessage"],
      postMessage: (data: unknown) => {
        for (const other of channels) {
          // Listeners of the feed read nothing but the data.
          if (other !== channel) other.onmessage?.call(other as BroadcastChannel, { data } as MessageEvent);
        }
      },
      close: () => {
        channels.delete(channel);
      },
    };
    channels.add(channel);
    return channel;
  };

  /** First come, first served, as navigator.locks. */
  readonly locks = {
    request: (_name: string, options: LockOptions, work: () => Promise<void>) =>
      new Promise<void>((resolve, reject) => {
        const take = () => {
          if (options.signal?.aborted) {
            this.#line.shift()?.();
            return;
          }
          this.#held = true;
          void work().then(() => {
            this.#held = false;
            resolve();
            this.#line.shift()?.();
          });
        };
        options.signal?.addEventListener("abort", () => reject(new DOMException("left the line", "AbortError")));
        if (this.#held) this.#line.push(take);
        else take();
      }),
  } as unknown as LockManager;
}

class Tab {
  readonly streams: { lastEventId: string | null; handlers: StreamHandlers; closed: boolean }[] = [];
  readonly runs: string[] = [];
  refreshes = 0;
  state: LiveState = { connected: false, lastContactAt: null };
  probe = vi.fn(() => Promise.resolve());
  readonly page = { hidden: false, listener: () => {}, addEventListener: () => {}, removeEventListener: () => {} };
  readonly feed: LiveFeed;

  constructor(browser: Browser) {
    const page = this.page;
    page.addEventListener = ((_type: string, listener: () => void) => {
      page.listener = listener;
    }) as () => void;
    this.feed = new LiveFeed(
      {
        openStream: (lastEventId, handlers) => {
          const stream = { lastEventId, handlers, closed: false };
          this.streams.push(stream);
          return {
            close: () => {
              stream.closed = true;
            },
          };
        },
        probe: () => this.probe(),
        locks: browser.locks,
        openChannel: browser.openChannel,
        page: page as unknown as Document,
        now: () => Date.now(),
      },
      {
        onRun: (changed) => this.runs.push(changed.id),
        onRefresh: () => this.refreshes++,
        onState: (state) => {
          this.state = state;
        },
      },
    );
    this.feed.start();
  }

  hide(hidden: boolean): void {
    this.page.hidden = hidden;
    this.page.listener();
  }

  get stream() {
    const stream = this.streams.at(-1);
    if (stream === undefined) throw new Error("this tab has no stream");
    return stream;
  }
}

let browser: Browser;
const tabs: Tab[] = [];
const openTab = () => {
  const tab = new Tab(browser);
  tabs.push(tab);
  return tab;
};

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 });
  browser = new Browser();
});
afterEach(() => {
  for (const tab of tabs.splice(0)) tab.feed.stop();
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

describe("the live feed", () => {
  it("keeps one stream for all tabs, and every tab hears of changes", () => {
    const [first, second] = [openTab(), openTab()];
    first.stream.handlers.onConnected();
    first.stream.handlers.onRun("7", run("run_a"));
    expect([first.streams.length, second.streams.length]).toEqual([1, 0]);
    expect([first.runs, second.runs]).toEqual([["run_a"], ["run_a"]]);
    expect(second.state).toEqual({ connected: true, lastContactAt: 1_000_000 });
  });

  it("tells a tab that comes later how fresh it is", () => {
    openTab().stream.handlers.onConnected();
    expect(openTab().state.connected).toBe(true);
  });

  it("hands the stream to the next tab, which goes on where the first stopped", async () => {
    const [first, second] = [openTab(), openTab()];
    first.stream.handlers.onRun("7", run("run_a"));
    first.feed.stop();
    await vi.advanceTimersByTimeAsync(0);
    expect(first.stream.closed).toBe(true);
    expect(second.stream.lastEventId).toBe("7");
  });

  it("reads again what was read before its stream began, in every tab, and goes on from there", () => {
    const first = openTab();
    const second = openTab();
    first.stream.handlers.onConnected();
    expect([first.refreshes, second.refreshes]).toEqual([0, 0]);
    first.stream.handlers.onBegin("7");
    expect([first.refreshes, second.refreshes]).toEqual([1, 1]);
    first.stream.handlers.onEnded();
    vi.advanceTimersByTime(15_000);
    expect(first.streams.map(({ lastEventId }) => lastEventId)).toEqual([null, "7"]);
  });

  it("rests while hidden and reads everything again when seen", async () => {
    const tab = openTab();
    const watcher = openTab();
    tab.hide(true);
    await vi.advanceTimersByTimeAsync(0);
    expect(tab.stream.closed).toBe(true);
    watcher.stream.handlers.onRun("8", run("run_b"));
    expect(tab.runs).toEqual([]);
    tab.hide(false);
    expect(tab.refreshes).toBe(1);
  });

  it("polls every five seconds while the stream is down, and stops when it is back", async () => {
    const [tab, follower] = [openTab(), openTab()];
    tab.stream.handlers.onLost();
    await vi.advanceTimersByTimeAsync(10_000);
    expect([tab.refreshes, follower.refreshes]).toEqual([2, 2]);
    expect(follower.state).toEqual({ connected: false, lastContactAt: 1_010_000 });
    tab.stream.handlers.onConnected();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(tab.refreshes).toBe(2);
  });

  it("does not claim contact when polls fail", async () => {
    const tab = openTab();
    tab.probe.mockRejectedValue(new Error("no answer"));
    tab.stream.handlers.onEnded();
    await vi.advanceTimersByTimeAsync(10_000);
    expect([tab.refreshes, tab.state.lastContactAt]).toEqual([0, null]);
  });

  it("opens the stream again after it was ended", async () => {
    const tab = openTab();
    tab.stream.handlers.onEnded();
    await vi.advanceTimersByTimeAsync(15_000);
    expect(tab.streams.length).toBe(2);
  });
});
