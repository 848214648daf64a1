/**
 * The states of a batch job, once, as data.
 *
 * waiting ─► submitting ─► running ─► collecting ─► completed | expired | failed | cancelled
 *    │           │            └─► cancelling ─┘         the provider has ended it; what it has is fetched first
 *    │           └─► unknown ─► running | waiting       its submission was broken off: it is looked for at the provider
 *    └─► failed | cancelled                             it was not taken
 *
 * Any open one ─► abandoned: given up by a person, whatever the provider still does.
 */
export const OPEN_BATCH_STATES = ["waiting", "submitting", "unknown", "running", "cancelling", "collecting"] as const;
export const ENDED_BATCH_STATES = ["completed", "expired", "failed", "cancelled", "abandoned"] as const;
export const BATCH_STATES = [...OPEN_BATCH_STATES, ...ENDED_BATCH_STATES] as const;
export type BatchState = (typeof BATCH_STATES)[number];

export function isOpenBatch(state: BatchState): boolean {
  return (OPEN_BATCH_STATES as readonly BatchState[]).includes(state);
}

/** Chunks that an order may name. */
export const MOST_NAMED_CHUNKS = 100_000;
