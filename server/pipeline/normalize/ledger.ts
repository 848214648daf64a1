/** What was done to a text, written down while it is done. */
import {
  LONGEST_LEDGER,
  MOST_SCHEMA_ERRORS,
  type NormalizationOutcome,
  type NormalizationStepName,
} from "@/server/artifacts/normalization.rules";
import type { Normalization, NormalizationStep } from "@/server/artifacts/normalization.schema";

export type LedgerDetail = Record<string, number | string>;

/** Steps that are tried (a candidate after the other) are written on a branch, and kept when it is the one that led on. */
export class Ledger {
  readonly #steps: NormalizationStep[];
  repaired = false;
  truncated = false;

  constructor(steps: readonly NormalizationStep[] = []) {
    this.#steps = [...steps];
  }

  add(step: NormalizationStepName, outcome: NormalizationOutcome, detail: LedgerDetail = {}): this {
    if (this.#steps.length < LONGEST_LEDGER)
      this.#steps.push(Object.keys(detail).length === 0 ? { step, outcome } : { step, outcome, detail });
    return this;
  }

  branch(): Ledger {
    const branch = new Ledger(this.#steps);
    branch.repaired = this.repaired;
    return branch;
  }

  close(errors: readonly string[] = []): Normalization {
    return {
      version: 1,
      repaired: this.repaired,
      truncated: this.truncated,
      steps: this.#steps,
      ...(errors.length === 0 ? {} : { errors: errors.slice(0, MOST_SCHEMA_ERRORS) }),
    };
  }
}
