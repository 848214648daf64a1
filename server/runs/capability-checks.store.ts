import type { Database } from "@/server/db/client";
import type { Writer } from "@/server/db/writer";
import { type CapabilityFindings, capabilityFindingsSchema } from "./backend-view.schema";

/** What a capability check of a model found, as it is kept. */
export interface CapabilityRecord {
  provider: string;
  model: string;
  findings: CapabilityFindings;
  /** Epoch milliseconds. */
  checkedAt: number;
}

/** Models of a provider whose last check is remembered: names are the operator's to type, so there must be an end. */
const MODELS_KEPT = 20;

/** Capability checks as every process sees them: the last one of each model. */
export class CapabilityChecksStore {
  readonly #database: Database;
  readonly #writer: Writer;

  constructor(database: Database, writer: Writer) {
    this.#database = database;
    this.#writer = writer;
  }

  /** Of all providers, newest first. */
  async read(): Promise<CapabilityRecord[]> {
    const rows = await this.#database.capabilityCheck.findMany({
      orderBy: [{ checkedAt: "desc" }, { provider: "asc" }, { model: "asc" }],
    });
    return rows.map(({ findings, checkedAt, ...row }) => ({
      ...row,
      findings: capabilityFindingsSchema.parse(JSON.parse(findings)),
      checkedAt: Number(checkedAt),
    }));
  }

  async keep({ provider, model, findings, checkedAt }: CapabilityRecord): Promise<void> {
    await this.#writer.commit([
      { sql: "setCapabilityCheck", args: [provider, model, JSON.stringify(findings), checkedAt] },
      { sql: "forgetCapabilityChecks", args: [provider, provider, MODELS_KEPT] },
    ]);
  }
}
