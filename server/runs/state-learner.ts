import type { ProviderState } from "@/server/inference/provider-state";
import type { Clock } from "@/server/shared/clock";
import type { ProviderStateStore } from "./provider-state.store";

/** How often it is read what other processes know of providers. */
const LEARN_MS = 2_000;

/** Takes over what other processes wrote down; asked more often than that, it does nothing. */
export function createStateLearner(state: ProviderState, store: ProviderStateStore, clock: Clock): () => Promise<void> {
  let learntAt = Number.NEGATIVE_INFINITY;
  return async () => {
    const now = clock.now();
    // A clock that was set back must not stop it.
    if (Math.abs(now - learntAt) < LEARN_MS) return;
    learntAt = now;
    state.learn(await store.read(now));
  };
}
