import type { I18n } from "@/components/i18n/i18n-provider";
import { serverSentence } from "@/components/i18n/server-words";
import type { AgentRunDetail, CommandView } from "@/server/runs/agent-run.schema";

type Turns = Pick<AgentRunDetail, "commands" | "turns">;

/** The number of a turn, from 1; interrupts are not counted. Exact also where the oldest commands are not listed. */
export function turnNumber({ commands, turns }: Turns, command: CommandView): number {
  const later = commands.filter(({ type, index }) => type === "turn" && index > command.index).length;
  return Math.max(1, (turns ?? 1) - later);
}

export function turnUnderWay({ commands }: Pick<AgentRunDetail, "commands">): CommandView | null {
  return commands.findLast(({ type, status }) => type === "turn" && status === "running") ?? null;
}

/**
 * Milliseconds that the turns took together, up to `now` for the one under way. Null while none has begun, or when `now` is not known yet
 * and needed.
 */
export function workedMs({ commands }: Pick<AgentRunDetail, "commands">, now: number | null): number | null {
  let sum: number | null = null;
  for (const { type, startedAt, endedAt } of commands) {
    if (type !== "turn" || startedAt === null) continue;
    const end = endedAt === null ? now : Date.parse(endedAt);
    if (end === null) return null;
    sum = (sum ?? 0) + Math.max(0, end - Date.parse(startedAt));
  }
  return sum;
}

/** Whether somebody has asked for the end of the turn under way. */
export function isBeingInterrupted(run: Pick<AgentRunDetail, "commands">): boolean {
  const turn = turnUnderWay(run);
  return turn !== null && run.commands.some(({ type, index }) => type === "interrupt" && index > turn.index);
}

export function waitingTurns({ commands }: Pick<AgentRunDetail, "commands">): number {
  return commands.filter(({ type, status }) => type === "turn" && status === "queued").length;
}

/** What the run is doing and what may follow, in one sentence. */
export function agentSentence({ t }: Pick<I18n, "t">, run: AgentRunDetail): string {
  // The sentence around it has its own full stop.
  const said = run.statusReason === null ? null : serverSentence(t, run.statusReason).replace(/[.。]$/, "");
  const reason = said === null ? "" : t("agentRun.sentence.reason", { reason: said });
  switch (run.status) {
    case "queued":
      return t("agentRun.sentence.queued");
    case "running": {
      const turn = turnUnderWay(run);
      if (turn === null) return t("agentRun.sentence.next");
      const number = turnNumber(run, turn);
      return t(run.waitingFor === "approval" ? "agentRun.sentence.waiting" : "agentRun.sentence.running", { number });
    }
    case "paused":
      return t("agentRun.sentence.paused");
    // An agent run has no chunks that could be missing.
    case "incomplete":
    case "completed":
      return t("agentRun.sentence.completed");
    case "failed":
      return t("agentRun.sentence.failed", { reason });
    case "cancelled":
      return t("agentRun.sentence.cancelled", { reason });
    case "blocked":
      return t("agentRun.sentence.blocked", { reason });
  }
}
