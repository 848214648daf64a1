import { failureKindSchema } from "@/server/artifacts/failure-kind.schema";
import type { Database } from "@/server/db/client";
import type { WriteOp, Writer } from "@/server/db/writer";
import type { HealthRecord, StateChange, StoredState } from "@/server/inference/provider-state";
import { healthStateSchema } from "./backend-view.schema";

/** Longer than the longest usual cooldown. */
const REMEMBERED_MS = 10 * 60_000;

/** Cooldowns, refusals and checks as every process sees them. */
export class ProviderStateStore {
  readonly #database: Database;
  readonly #writer: Writer;

  constructor(database: Database, writer: Writer) {
    this.#database = database;
    this.#writer = writer;
  }

  /** A cooldown is remembered for a while after it is over: who does not know of it would send a whole run to find out. */
  async read(now: number): Promise<StoredState> {
    const [cooldowns, refusals, checks] = await Promise.all([
      this.#database.cooldown.findMany({ where: { until: { gt: now - REMEMBERED_MS } } }),
      this.#database.refusal.findMany({ where: { until: { gt: now } } }),
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
      refusals: refusals.map((row) => ({ ...row, since: Number(row.since), until: Number(row.until) })),
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
    await this.#writer.commit(changes.map(writeOf));
  }

  /**
   * A person says that the model may be asked again: whatever is held against it is forgotten, and chunks that wait because of it
   * wait no longer. False when there was nothing.
   */
  async drop(provider: string, model: string): Promise<boolean> {
    const args = [provider, model];
    const outcome = await this.#writer.commit([
      { sql: "dropCooldown", args },
      { sql: "dropRefusal", args },
      { sql: "wakeChunks", args },
    ]);
    return outcome.applied && outcome.rows.slice(0, 2).some((rows) => rows.length > 0);
  }

  /** `endsCooldown`: the model has answered, and whatever waits for it need not any longer. */
  async checked(record: HealthRecord, endsCooldown: boolean): Promise<void> {
    const { provider, model, state, reason, latencyMs, by, checkedAt } = record;
    await this.#writer.commit([
      { sql: "setHealthCheck", args: [provider, model, state, reason, latencyMs, by, checkedAt] },
      ...(state === "healthy" ? [{ sql: "dropRefusal" as const, args: [provider, model] }] : []),
      ...(endsCooldown
        ? [
            { sql: "dropCooldown" as const, args: [provider, model] },
            { sql: "wakeChunks" as const, args: [provider, model] },
          ]
        : []),
    ]);
  }
}

function writeOf(change: StateChange): WriteOp {
  switch (change.kind) {
    case "cooldown_started": {
      const { provider, model, failureKind, reason, failures, asked, since, until } = change.cooldown;
      return { sql: "setCooldown", args: [provider, model, failureKind, reason, failures, asked ? 1 : 0, since, until] };
    }
    case "refusal_began": {
      const { provider, model, reason, since, until } = change.refusal;
      return { sql: "setRefusal", args: [provider, model, reason, since, until] };
    }
    case "cooldown_ended":
      return { sql: "dropCooldown", args: [change.provider, change.model] };
    case "refusal_ended":
      return { sql: "dropRefusal", args: [change.provider, change.model] };
  }
}
