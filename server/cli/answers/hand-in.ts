import { type AdoptOutcome, type MadeAnswer, madeAnswerSchema } from "@/server/runs/adopt-answers.schema";
import type { RunService } from "@/server/runs/run-service";
import { issueSentence, plainWords } from "@/server/shared/issue-sentence";
import type { Terminal } from "../terminal";

/** What one call brings: as many answers, or as much text. */
const PAGE_ANSWERS = 200;
const PAGE_CHARACTERS = 8 * 1024 * 1024;

/** Chunks that are named of those that were skipped for one reason. */
const SKIPPED_SHOWN = 20;

/** Hands answers in page by page, and tells what became of them. Nothing of a file is held but a page, and the ids that were there. */
export class HandIn {
  readonly #runs: Pick<RunService, "adopt">;
  readonly #runId: string;
  readonly #terminal: Terminal;
  readonly #total: AdoptOutcome = { adopted: 0, repaired: 0, invalid: 0, failed: 0, skipped: [], problems: [] };
  readonly #seen = new Map<string, string>();
  #page: MadeAnswer[] = [];
  #characters = 0;

  constructor(runs: Pick<RunService, "adopt">, runId: string, terminal: Terminal) {
    this.#runs = runs;
    this.#runId = runId;
    this.#terminal = terminal;
  }

  /** `source` says where it stands, for people. */
  async add(answer: MadeAnswer, source: string): Promise<void> {
    // Two answers to different requests of one name: one of them is of another run, and the run knows which.
    const key = `${answer.id} ${answer.requestSha256 ?? ""}`;
    const first = this.#seen.get(key);
    if (first !== undefined) return this.problem(source, `Its id stands in ${first} already; the first one counts.`, answer.id);
    this.#seen.set(key, source);
    const checked = madeAnswerSchema.safeParse({ ...answer, source }, { error: plainWords });
    if (!checked.success) return this.problem(source, `It cannot be taken: ${issueSentence(checked.error)}.`, answer.id);
    this.#page.push(checked.data);
    this.#characters += (answer.text ?? "").length;
    if (this.#page.length >= PAGE_ANSWERS || this.#characters >= PAGE_CHARACTERS) await this.#send();
  }

  problem(source: string, problem: string, id = ""): void {
    this.#total.problems.push({ id, source, problem });
    this.#terminal.err(`${source}: ${problem}`);
  }

  async #send(): Promise<void> {
    if (this.#page.length === 0) return;
    const page = this.#page;
    this.#page = [];
    this.#characters = 0;
    const outcome = await this.#runs.adopt(this.#runId, page);
    for (const name of ["adopted", "repaired", "invalid", "failed"] as const) this.#total[name] += outcome[name];
    this.#total.skipped.push(...outcome.skipped);
    for (const { source, problem, id } of outcome.problems) this.problem(source ?? id, problem, id);
    const done = this.#total.adopted + this.#total.invalid + this.#total.failed + this.#total.skipped.length;
    this.#terminal.progress(`${done} answers`);
  }

  /** Hands in what is left. Exit 0 when nothing went wrong, 1 otherwise, 130 when it was interrupted. */
  async end(isJson: boolean): Promise<number> {
    await this.#send();
    const total = this.#total;
    const { adopted, repaired, invalid, failed, skipped, problems } = total;
    if (isJson) this.#terminal.out(JSON.stringify({ runId: this.#runId, ...total }));
    else {
      this.#terminal.out(
        `${adopted} adopted (${repaired} repaired), ${invalid} invalid, ${failed} failed, ${skipped.length} skipped, ${problems.length} not taken`,
      );
      for (const each of skippedLines(skipped)) this.#terminal.out(each);
    }
    if (this.#terminal.interrupted.aborted) return 130;
    return invalid + failed + problems.length === 0 ? 0 : 1;
  }
}

function skippedLines(skipped: AdoptOutcome["skipped"]): string[] {
  const byReason = new Map<string, number[]>();
  for (const { reason, chunk } of skipped) {
    const same = byReason.get(reason);
    if (same) same.push(chunk);
    else byReason.set(reason, [chunk]);
  }
  return [...byReason].map(([reason, chunks]) => {
    const more = chunks.length > SKIPPED_SHOWN ? `, … ${chunks.length - SKIPPED_SHOWN} more` : "";
    return `  ${chunks.length} skipped: ${reason} (chunks ${chunks.slice(0, SKIPPED_SHOWN).join(", ")}${more})`;
  });
}
