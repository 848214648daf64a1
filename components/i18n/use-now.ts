"use client";

import { useSyncExternalStore } from "react";

/** One timer for all who watch at the same pace; it rests while the page is hidden or nobody watches. */
class Ticker {
  readonly #intervalMs: number;
  readonly #watchers = new Set<() => void>();
  #timer: number | undefined;
  #now = 0;

  constructor(intervalMs: number) {
    this.#intervalMs = intervalMs;
  }

  readonly subscribe = (watcher: () => void): (() => void) => {
    if (this.#watchers.size === 0) {
      document.addEventListener("visibilitychange", this.#tick);
      this.#timer = window.setInterval(this.#tick, this.#intervalMs);
      this.#now = Date.now();
    }
    this.#watchers.add(watcher);
    return () => {
      this.#watchers.delete(watcher);
      if (this.#watchers.size > 0) return;
      document.removeEventListener("visibilitychange", this.#tick);
      window.clearInterval(this.#timer);
    };
  };

  readonly read = (): number => {
    if (this.#watchers.size === 0 || this.#now === 0) this.#now = Math.floor(Date.now() / this.#intervalMs) * this.#intervalMs;
    return this.#now;
  };

  readonly #tick = (): void => {
    if (document.hidden) return;
    this.#now = Date.now();
    for (const watcher of this.#watchers) watcher();
  };
}

const tickers = new Map<number, Ticker>();

function tickerOf(intervalMs: number): Ticker {
  let ticker = tickers.get(intervalMs);
  if (ticker === undefined) {
    ticker = new Ticker(intervalMs);
    tickers.set(intervalMs, ticker);
  }
  return ticker;
}

const readOnServer = () => null;

/** The time, epoch milliseconds, anew every `intervalMs`; null while the server renders, whose clock and zone are not the reader's. */
export function useNow(intervalMs: number): number | null {
  const ticker = tickerOf(intervalMs);
  return useSyncExternalStore<number | null>(ticker.subscribe, ticker.read, readOnServer);
}

const noTextOnServer = () => "";

/** What is said of the time, anew every `intervalMs`; the component is drawn again only when the text is another. Empty on the server. */
export function useTextOfNow(intervalMs: number, textOf: (now: number) => string): string {
  const ticker = tickerOf(intervalMs);
  return useSyncExternalStore(ticker.subscribe, () => textOf(ticker.read()), noTextOnServer);
}
