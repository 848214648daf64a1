import path from "node:path";
import type { ExecNews, ExecOutcome } from "@/server/runs/exec-requests";
import type { Terminal } from "../terminal";

interface PassedOver {
  model: string;
  reason: string;
}

/** What `exec` says of its work: why a model is passed over, as it happens; at the end who was asked, what failed, and the sums. */
export class ExecReport {
  readonly #terminal: Terminal;
  readonly #json: boolean;
  readonly #models = new Map<string, { requests: number; answers: number }>();
  /** By model and cause: a reason that holds for many requests (with a countdown in it) is told once. */
  readonly #passedOver = new Map<string, PassedOver>();

  constructor(terminal: Terminal, json: boolean) {
    this.#terminal = terminal;
    this.#json = json;
  }

  tell(news: ExecNews): void {
    const { id, decision } = news.routed;
    if (news.kind === "asked") {
      this.#counts(id).requests += 1;
      for (const { candidate, rejectedBy, reason } of decision.verdicts)
        if (rejectedBy !== null)
          this.#passOver(rejectedBy, { model: candidate.id, reason }, `${candidate.id} is not asked: ${reason}`);
    } else if (news.kind === "answered") this.#counts(id).answers += 1;
    else if (news.next === "another_model") {
      const name = path.basename(news.job.file);
      this.#passOver(
        "failed",
        { model: id, reason: news.message },
        `${id} has failed ${name}, the next model takes over: ${news.message}`,
      );
    }
  }

  #counts(id: string): { requests: number; answers: number } {
    const counts = this.#models.get(id) ?? { requests: 0, answers: 0 };
    this.#models.set(id, counts);
    return counts;
  }

  #passOver(cause: string, passed: PassedOver, sentence: string): void {
    const key = `${passed.model} ${cause}`;
    if (this.#passedOver.has(key)) return;
    this.#passedOver.set(key, passed);
    if (!this.#json) this.#terminal.err(sentence);
  }

  /** The exit code: 0 all ok, 1 some failed, 130 interrupted. */
  end(outcomes: readonly ExecOutcome[], total: number): number {
    const kept = outcomes.filter((outcome) => outcome.kept).length;
    const failures = outcomes.flatMap((outcome) =>
      !outcome.kept && !outcome.result.ok ? [{ file: outcome.job.target, error: outcome.result.error }] : [],
    );
    const succeeded = outcomes.length - kept - failures.length;
    const models = [...this.#models].map(([model, counts]) => ({ model, ...counts }));
    if (this.#json)
      this.#terminal.out(
        JSON.stringify({
          total,
          succeeded,
          kept,
          failed: failures.length,
          failures: failures.map(({ file, error }) => ({ file, type: error.type, message: error.message })),
          models,
          passedOver: [...this.#passedOver.values()],
        }),
      );
    else {
      this.#terminal.out(`${succeeded} done, ${kept} kept (already ok), ${failures.length} failed, of ${total}`);
      for (const { model, requests, answers } of models)
        this.#terminal.out(`${model}: ${requests} ${requests === 1 ? "request" : "requests"}, ${answers} answered`);
      for (const { file, error } of failures) this.#terminal.err(`${file}: ${error.type}: ${error.message}`);
    }
    if (this.#terminal.interrupted.aborted) return 130;
    return failures.length > 0 ? 1 : 0;
  }
}
