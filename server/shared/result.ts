/** For work whose failure is an expected outcome that the caller looks at. */
export type Result<T, E> = { ok: true; value: T } | { ok: false; error: E };
