import path from "node:path";
import { insideRoot, writeFileWhole } from "@/server/artifacts/artifact-files";
import type { StoredEvent } from "@/server/events/event.schema";
import type { AgentRunDetail, CommandView } from "./agent-run.schema";
import type { AgentRunService } from "./agent-run-service";
import type { RunService } from "./run-service";

const PAGE = 500;

export interface AgentRunReads {
  runs: Pick<RunService, "events" | "artifact">;
  agents: Pick<AgentRunService, "get">;
}

/**
 * Writes an agent run below `root` as agent-runs/ID: transcript.md (prompts and replies), events.jsonl (as `GET …/events.jsonl` gives
 * them), and whole, each by the number of its event, changes in diffs/ and the output of commands in outputs/. Written over when it is
 * exported again: a run only grows. Returns the folder.
 */
export async function exportAgentRun({ runs, agents }: AgentRunReads, id: string, root: string): Promise<string> {
  const run = await agents.get(id);
  const folder = insideRoot(root, path.join("agent-runs", id));
  const whole = async (event: StoredEvent) =>
    event.artifactId === null ? String(event.payload.text ?? "") : (await runs.artifact(id, event.artifactId)).body;
  const lines: string[] = [];
  for (let afterSeq = 0, hasMore = true; hasMore; ) {
    const page = await runs.events(id, { afterSeq, limit: PAGE });
    for (const event of page.items) {
      lines.push(`${JSON.stringify(event)}\n`);
      const file = fileOf(event);
      if (file !== null) await writeFileWhole(path.join(folder, file), await whole(event));
    }
    hasMore = page.hasMore && page.items.length > 0;
    afterSeq = page.nextAfterSeq;
  }
  await writeFileWhole(path.join(folder, "events.jsonl"), lines.join(""));
  const body = async (artifactId: string | null) => (artifactId === null ? null : (await runs.artifact(id, artifactId)).body);
  const turns: Spoken[] = [];
  for (const command of run.commands)
    turns.push({ command, prompt: await body(command.promptId), reply: await body(command.replyId) });
  await writeFileWhole(path.join(folder, "transcript.md"), transcript(run, turns));
  return folder;
}

function fileOf({ type, seq, payload }: StoredEvent): string | null {
  const number = String(seq).padStart(6, "0");
  if (type === "command_output") return `outputs/${number}.txt`;
  if (type === "diff") return `diffs/${number}${payload.scope === "turn" ? "-turn" : ""}.patch`;
  return null;
}

interface Spoken {
  command: CommandView;
  prompt: string | null;
  reply: string | null;
}

function transcript(run: AgentRunDetail, spoken: readonly Spoken[]): string {
  const { policy } = run;
  const facts = [
    `- run: ${run.id}, ${run.status}${run.statusReason === null ? "" : ` (${run.statusReason})`}`,
    `- model: ${run.backend}/${run.model}`,
    `- workspace: ${policy.workspace}`,
    `- sandbox: ${policy.sandbox}, network: ${policy.network ? "yes" : "no"}, approval: ${policy.approval}`,
  ];
  let number = 0;
  const turns = spoken.map(({ command, prompt, reply }) => {
    if (command.type === "interrupt") return `## Interrupt, ${command.createdAt}\n\n${command.preview}`;
    number += 1;
    const end = command.message === null ? command.status : `${command.status}: ${command.message}`;
    return [
      `## Turn ${number}, ${command.startedAt ?? command.createdAt}, ${command.status}`,
      "### Prompt",
      prompt ?? command.preview,
      "### Reply",
      reply ?? `(none; the turn is ${end})`,
    ].join("\n\n");
  });
  return [`# ${run.name}`, facts.join("\n"), ...turns].join("\n\n").concat("\n");
}
