import { failureKindSchema } from "@/server/artifacts/failure-kind.schema";
import type { Database } from "@/server/db/client";
import type { Writer } from "@/server/db/writer";
import type { Cooldown, HealthRecord, StateChange } from "@/server/inference/provider-state";
import { healthStateSchema } from "./backend-view.schema";

/** Cooldowns and checks as every process sees them. */
export class ProviderStateStore {
  readonly #database: Database;
  readonly #writer: Writer;

  constructor(database: Database, writer: Writer) {
    this.#database = database;
    this.#writer = writer;
  }

  async read(now: number): Promise<{ cooldowns: Cooldown[]; checks: HealthRecord[] }> {
    const [cooldowns, checks] = await Promise.all([
      this.#database.cooldown.findMany({ where: { until: { gt: now } } }),
      this.#database.healthCheck.findMany(),
    ]);
    return {
      cooldowns: cooldowns.map((row) => ({
        ...row,
        failureKind: failureKindSchema.parse(row.failureKind),
        asked: row.asked === 1,
        since: Number(row.since),
        until: Number(row.until),
      })),
      checks: checks.map((row) => ({
        ...row,
        state: healthStateSchema.parse(row.state),
        by: row.by === "operator" ? "operator" : "background",
        checkedAt: Number(row.checkedAt),
      })),
    };
  }

  async keep(changes: readonly StateChange[]): Promise<void> {
    if (changes.length === 0) return;
    await this.#writer.commit(
      changes.map((change) =>
        change.kind === "cooldown_ended"
          ? { sql: "dropCooldown" as const, args: [change.provider, change.model] }
          : {
              sql: "setCooldown" as const,
              args: [
                change.cooldown.provider,
                change.cooldown.model,
                change.cooldown.failureKind,
                change.cooldown.reason,
                change.cooldown.failures,
                change.cooldown.asked ? 1 : 0,
                change.cooldown.since,
                change.cooldown.until,
              ],
            },
      ),
    );
  }

  /** A person says that it may be asked again: chunks that wait because of it wait no longer. False when there was none. */
  async drop(provider: string, model: string): Promise<boolean> {
    const outcome = await this.#writer.commit([
      { sql: "dropCooldown", args: [provider, model] },
      { sql: "wakeChunks", args: [provider, model] },
    ]);
    return outcome.applied && (outcome.rows[0] ?? []).length > 0;
  }

  async checked({ provider, model, state, reason, latencyMs, by, checkedAt }: HealthRecord): Promise<void> {
    await this.#writer.commit([{ sql: "setHealthCheck", args: [provider, model, state, reason, latencyMs, by, checkedAt] }]);
  }
}
