/** Width of a bucket of the event rollup, in milliseconds. */
export const BUCKET_MS = 10_000;
