import type { ProviderAccess } from "@/server/backends/provider-access";
import type { ProviderSettings } from "@/server/config/provider-settings.schema";
import type { Writer } from "@/server/db/writer";
import type { Redactor } from "@/server/events/redact";
import type { StateChange } from "@/server/inference/provider-state";
import type { Logger } from "@/server/shared/logger";
import type { Secret } from "@/server/shared/secret";
import type { RoutingDeps } from "./run-routes";
import type { RunsStore } from "./runs.store";

/** What the executor works with; the container makes it. */
export interface ExecutorDeps extends RoutingDeps {
  writer: Writer;
  runs: RunsStore;
  /** Address and secrets of a provider, read anew. Throws `SecretUnavailableError`. */
  access(settings: ProviderSettings): ProviderAccess;
  /** Writes down what the state of a provider came to. */
  keepState(changes: readonly StateChange[]): void;
  redactor(secrets: Readonly<Record<string, Secret>>): Redactor;
  /** Takes over what other processes wrote down of providers. */
  learnState(): Promise<void>;
  /** Ends a run in which nothing is left to do. */
  settle(runId: string): Promise<void>;
  /** Rests a run that cannot go on, with the reason. */
  pause(runId: string, reason: string): Promise<void>;
  random(): number;
  logger: Logger;
  /** Serve these runs only (the command line's own); absent = all. */
  only?: ReadonlySet<string>;
}
