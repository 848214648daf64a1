/** A worker beats twice a second and is dead three seconds after its last beat, so that work resumes within five. */
export const WORKER_LEASE_MS = 3_000;
