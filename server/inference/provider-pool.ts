import { createBackend } from "@/server/backends/adapter-table";
import type { BackendHost } from "@/server/backends/backend-host";
import type { ProviderSettings } from "@/server/config/provider-settings.schema";
import type { Clock } from "@/server/shared/clock";
import { createInferenceProvider, type InferenceProvider } from "./inference-provider";
import { tokenizerOf } from "./tokenizer";

/** A provider that nobody has used for so long lets its connections go; settings of old revisions end here. */
const IDLE_MS = 30 * 60_000;

interface Entry {
  provider: InferenceProvider;
  usedAt: number;
  inFlight: number;
}

/**
 * One provider a set of settings, made when it is first needed. Runs pin settings, so that two revisions of a provider may be at
 * work at the same time.
 */
export class ProviderPool {
  readonly #clock: Clock;
  readonly #host: BackendHost;
  readonly #entries = new Map<string, Entry>();
  #closed = false;

  constructor(clock: Clock, host: BackendHost) {
    this.#clock = clock;
    this.#host = host;
  }

  of(settings: ProviderSettings): InferenceProvider {
    const key = JSON.stringify(settings);
    const known = this.#entries.get(key);
    if (known) {
      known.usedAt = this.#clock.now();
      return known.provider;
    }
    if (this.#closed) throw new Error("the provider pool is closed");
    this.#letGoIdle();
    const inner = createInferenceProvider(createBackend(settings, this.#host), tokenizerOf(settings.tokenizer), this.#clock);
    const entry: Entry = { provider: inner, usedAt: this.#clock.now(), inFlight: 0 };
    entry.provider = {
      ...inner,
      infer: async (request, call) => {
        entry.inFlight += 1;
        try {
          return await inner.infer(request, call);
        } finally {
          entry.inFlight -= 1;
          entry.usedAt = this.#clock.now();
        }
      },
    };
    this.#entries.set(key, entry);
    return entry.provider;
  }

  /** The same for work that goes on for long: the provider is not let go of before `release`. */
  hold(settings: ProviderSettings): { provider: InferenceProvider; release(): void } {
    const provider = this.of(settings);
    // Made by the line before.
    const entry = this.#entries.get(JSON.stringify(settings));
    if (!entry) throw new Error("a provider that was just made is gone");
    entry.inFlight += 1;
    let held = true;
    return {
      provider,
      release: () => {
        if (!held) return;
        held = false;
        entry.inFlight -= 1;
        entry.usedAt = this.#clock.now();
      },
    };
  }

  /** Those that exist now. */
  all(): InferenceProvider[] {
    return [...this.#entries.values()].map(({ provider }) => provider);
  }

  #letGoIdle(): void {
    const oldest = this.#clock.now() - IDLE_MS;
    for (const [key, entry] of this.#entries) {
      if (entry.inFlight > 0 || entry.usedAt > oldest) continue;
      this.#entries.delete(key);
      // Nothing is under way in it, so nothing can be lost or fail.
      void entry.provider.backend.close();
    }
  }

  /** Turns in flight are aborted. May be called twice. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all(this.all().map(({ backend }) => backend.close()));
  }
}
