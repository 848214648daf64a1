/** Tokens a chunk when the operator says nothing: room for a few sections, small enough that a model reads every line. */
export const DEFAULT_CHUNK_TOKENS = 1000;
/** Below this a single sentence or emoji may no longer fit. */
export const MIN_CHUNK_TOKENS = 50;
export const MAX_CHUNK_TOKENS = 200_000;
