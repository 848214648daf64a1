/** An agent run in lines of text. */
import type { AgentRunDetail, CommandView } from "@/server/runs/agent-run.schema";
import type { RunSummary } from "@/server/runs/run.schema";
import { costWords } from "../cost-words";

/** Characters of a prompt or a reply on one line. */
const LONGEST = 100;

export function agentLine(run: RunSummary): string {
  const turns = run.turns ?? 0;
  return `${run.id}  ${run.sourceDate}  ${run.status.padEnd(10)}  ${turns} ${turns === 1 ? "turn" : "turns"}${run.waitingFor === null ? "" : `, waits for ${run.waitingFor}`}  ${run.backend}/${run.model}  ${run.name}`;
}

/** `replies`: the whole reply of each turn that has one, by the id of its command. */
export function agentRunLines(run: AgentRunDetail, replies: ReadonlyMap<string, string>): string[] {
  const { policy, process } = run;
  const lines = [agentLine(run)];
  if (run.statusReason !== null) lines.push(`  ${run.statusReason}`);
  lines.push(
    `  workspace ${policy.workspace}`,
    `  sandbox ${policy.sandbox}, network ${policy.network ? "yes" : "no"}, approval ${policy.approval}, at most ${policy.timeoutMs / 1000}s a turn`,
    `  process ${process === null ? "none yet" : processWords(process)}`,
  );
  lines.push(`  tokens ${run.tokens.prompt} + ${run.tokens.completion}, cost ${costWords(run.cost)}`);
  let number = 0;
  for (const command of run.commands) {
    if (command.type === "turn") number += 1;
    lines.push(...commandLines(command, number, replies.get(command.id)));
  }
  for (const { id, kind, subject, deadlineAt, status } of run.approvals.toReversed())
    if (status === "pending") lines.push(`  question ${id} (${kind}, until ${deadlineAt}): ${firstLine(subject)}`);
  return lines;
}

function commandLines(command: CommandView, number: number, reply: string | undefined): string[] {
  const { type, status, preview, message, failureKind } = command;
  if (type === "interrupt") return [`  interrupt: ${firstLine(preview)}`];
  const why = message === null ? "" : ` (${failureKind === null ? "" : `${failureKind}: `}${firstLine(message)})`;
  const lines = [`  turn ${number}  ${status}${why}`, `    > ${firstLine(preview)}`];
  if (reply !== undefined) lines.push(`    < ${firstLine(reply)}`);
  return lines;
}

function processWords({ pid, version, exit }: NonNullable<AgentRunDetail["process"]>): string {
  const name = `${pid}, version ${version}`;
  if (exit === null) return `${name}, runs`;
  const how = exit.signal !== null ? `signal ${exit.signal}` : exit.code !== null ? `exit code ${exit.code}` : "how is not known";
  return `${name}, ended (${how})${exit.groupEnded === false ? ", and something of its group may still run" : ""}`;
}

function firstLine(text: string): string {
  const line = text.trim().split("\n")[0] ?? "";
  return line.length > LONGEST || line.length < text.trim().length ? `${line.slice(0, LONGEST)}…` : line;
}
