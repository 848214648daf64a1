import type { Writer } from "@/server/db/writer";
import type { Redactor } from "@/server/events/redact";
import type { InferenceProvider } from "@/server/inference/inference-provider";
import type { Clock } from "@/server/shared/clock";
import type { Logger } from "@/server/shared/logger";
import type { Secret } from "@/server/shared/secret";
import type { RunsStore } from "./runs.store";

/** What the executor works with; the container makes it. */
export interface ExecutorDeps {
  writer: Writer;
  runs: RunsStore;
  /** Providers by profile name. */
  providers: ReadonlyMap<string, InferenceProvider>;
  /** Secrets of a profile, read anew. */
  secrets(profile: string): Readonly<Record<string, Secret>>;
  redactor(secrets: Readonly<Record<string, Secret>>): Redactor;
  /** Ends a run in which nothing is left to do. */
  settle(runId: string): Promise<void>;
  /** Rests a run that cannot go on, with the reason. */
  pause(runId: string, reason: string): Promise<void>;
  clock: Clock;
  random(): number;
  logger: Logger;
  /** Serve these runs only (the command line's own); absent = all. */
  only?: ReadonlySet<string>;
}
