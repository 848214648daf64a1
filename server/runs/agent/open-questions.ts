import type { ApprovalDecision, ApprovalQuestion } from "@/server/backends/agent-backend";
import type { Writer } from "@/server/db/writer";
import { prepareEvent } from "@/server/events/event-writes.store";
import type { Redactor } from "@/server/events/redact";
import { type Clock, isoTime } from "@/server/shared/clock";
import { newId } from "@/server/shared/ids";
import type { AgentReads } from "./agent-reads.store";
import { type ClaimedCommand, closeApproval, openApproval } from "./agent-writes.store";
import type { CommandRecorder } from "./command-recorder";

export interface OpenQuestionsDeps {
  writer: Writer;
  reads: Pick<AgentReads, "approvalStatuses">;
  redactor: Redactor;
  clock: Clock;
  workerId: string;
}

interface Open {
  command: ClaimedCommand;
  deadlineAt: number;
  resolve(decision: ApprovalDecision): void;
}

/** Questions of turns under way that wait for a person. The row decides: whoever closes it first has answered. */
export class OpenQuestions {
  readonly #deps: OpenQuestionsDeps;
  readonly #open = new Map<string, Open>();

  constructor(deps: OpenQuestionsDeps) {
    this.#deps = deps;
  }

  /** Stores the question and waits for its answer: a person's, `decline` after `approvalMs`, or when the signal says that it is moot. */
  async ask(
    command: ClaimedCommand,
    recorder: CommandRecorder,
    question: ApprovalQuestion,
    approvalMs: number,
    signal: AbortSignal,
  ): Promise<ApprovalDecision> {
    const { writer, clock, workerId } = this.#deps;
    const now = clock.now();
    const id = newId("apr", now);
    const deadlineAt = now + approvalMs;
    const clean = (text: string | null) => (text === null ? null : recorder.clean(text));
    const asked = {
      ...question,
      subject: recorder.clean(question.subject),
      cwd: clean(question.cwd),
      reason: clean(question.reason),
    };
    recorder.add({
      type: "approval_requested",
      payload: {
        approvalId: id,
        commandId: command.id,
        kind: asked.kind,
        subject: asked.subject,
        deadlineAt: isoTime(deadlineAt),
        itemId: asked.itemId,
      },
    });
    const isOurs = await openApproval(writer, command, workerId, { id, question: asked, deadlineAt }, now, recorder.take());
    if (!isOurs) return "decline";
    return new Promise<ApprovalDecision>((resolve) => {
      const settle = (decision: ApprovalDecision) => {
        this.#open.delete(id);
        resolve(decision);
      };
      this.#open.set(id, { command, deadlineAt, resolve: settle });
      const onMoot = () => {
        void this.#close(command, id, "moot");
        settle("decline");
      };
      if (signal.aborted) onMoot();
      else signal.addEventListener("abort", onMoot, { once: true });
    });
  }

  /** Looks for answers that people gave, and for questions whose time is up. */
  async look(): Promise<void> {
    if (this.#open.size === 0) return;
    const { reads, clock } = this.#deps;
    const statuses = await reads.approvalStatuses([...this.#open.keys()]);
    for (const [id, { command, deadlineAt, resolve }] of [...this.#open]) {
      const status = statuses.get(id);
      if (status === "accepted") resolve("accept");
      else if (status !== undefined && status !== "pending") resolve("decline");
      else if (clock.now() >= deadlineAt && (await this.#close(command, id, "expired"))) resolve("decline");
    }
  }

  /** The turn is over: whoever waits for an answer has one. */
  forget(command: ClaimedCommand): void {
    for (const { command: asker, resolve } of [...this.#open.values()]) if (asker.id === command.id) resolve("decline");
  }

  async #close({ id: commandId, runId }: ClaimedCommand, id: string, status: "expired" | "moot"): Promise<boolean> {
    const { writer, clock, redactor } = this.#deps;
    const now = clock.now();
    const event = prepareEvent(
      { type: "approval_resolved", payload: { approvalId: id, commandId, status } },
      { ts: now },
      redactor,
    );
    return closeApproval(writer, runId, id, status, now, [event]);
  }
}
