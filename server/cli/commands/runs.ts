import type { Container } from "@/server/container";
import type { UnknownCost } from "@/server/runs/cost.schema";
import { exportAgentRun } from "@/server/runs/export-agent-run";
import { exportRun } from "@/server/runs/export-run";
import { type RunSummary, rerunInputSchema, retryInputSchema } from "@/server/runs/run.schema";
import { AppError } from "@/server/shared/app-error";
import { plainWords } from "@/server/shared/issue-sentence";
import { parseArguments } from "../arguments";
import { chunksOf } from "../chunk-list";
import { costWords } from "../cost-words";
import { resolvePath, type Terminal } from "../terminal";
import { agentLine, agentRunLines } from "./show-agent-run";
import { work } from "./work";

export const RUNS_USAGE = [
  "runs [--json]                                 the newest runs",
  "show RUN [--json]                             one run",
  "retry RUN [--chunks 1,2,3] [--work]           failed chunks go back to the queue; --work: and are run here",
  "rerun RUN [--scene S | --backend B] [--model M] [--max-tokens N] [--name N] [--work]   the same text, cut the same way, as a new run",
  "choose RUN --chunk N --attempt N              that attempt's answer counts from now on",
  "pause|resume|cancel|finish RUN [--reason R]",
  "export RUN --out DIR                          the run as files",
] as const;

const ACTIONS = ["pause", "resume", "cancel", "finish"] as const;
export type ActionCommand = (typeof ACTIONS)[number];

export function isActionCommand(name: string): name is ActionCommand {
  return (ACTIONS as readonly string[]).includes(name);
}

export function oneRun(positionals: readonly string[], usage: string): string {
  const [id, ...more] = positionals;
  if (!id || more.length > 0) throw new AppError("invalid_input", `Name one run: ${usage}`);
  return id;
}

function line(run: RunSummary): string {
  if (run.kind === "thread") return agentLine(run);
  const { total, succeeded, failed, queued, running } = run.counts;
  const more = run.candidates.length > 1 ? ` +${run.candidates.length - 1}` : "";
  return `${run.id}  ${run.sourceDate}  ${run.status.padEnd(10)}  ${succeeded}/${total} done, ${failed} failed, ${queued} queued, ${running} running  ${run.insights} insights  ${run.backend}/${run.model}${more}  ${run.name}`;
}

export async function listRuns(argv: readonly string[], terminal: Terminal, container: Container): Promise<number> {
  const args = parseArguments(argv, { json: "switch" });
  const { items } = await container.runs.list({ limit: 50 });
  for (const run of items) terminal.out(args.on("json") ? JSON.stringify(run) : line(run));
  if (items.length === 0 && !args.on("json")) terminal.err("There is no run yet.");
  return 0;
}

export async function showRun(argv: readonly string[], terminal: Terminal, container: Container): Promise<number> {
  const args = parseArguments(argv, { json: "switch" });
  const run = await container.runs.get(oneRun(args.positionals, "show RUN [--json]"));
  if (run.kind === "thread") return showAgentRun(run.id, args.on("json"), terminal, container);
  if (args.on("json")) {
    terminal.out(JSON.stringify(run));
    return 0;
  }
  terminal.out(line(run));
  if (run.statusReason) terminal.out(`  ${run.statusReason}`);
  terminal.out(`  ${tokenWords(run.tokens)}, cost ${costWords(run.cost)}`);
  for (const { reference, reason, attempts } of run.cost.unknown)
    terminal.out(`  cost of ${attempts} × ${reference} is unknown: ${UNKNOWN_COST[reason]}`);
  for (const group of run.errorGroups)
    terminal.out(`  ${group.count} × ${group.failureKind}: ${group.message}  (chunks ${group.chunks.slice(0, 20).join(", ")})`);
  return 0;
}

const UNKNOWN_COST: Readonly<Record<UnknownCost, string>> = {
  no_price: "no price is known; set one in prices: of the configuration",
  no_tokens: "nobody said how many tokens it took",
  made_elsewhere: "made elsewhere, at a price that is not known here",
};

/** `tokens ~1200 (600 cached) + 300 (100 reasoning)`. */
function tokenWords({ prompt, completion, cached, cacheWrite, reasoning, estimated }: RunSummary["tokens"]): string {
  const parts = (...counts: [number, string][]) => {
    const told = counts.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`);
    return told.length === 0 ? "" : ` (${told.join(", ")})`;
  };
  const about = estimated ? "~" : "";
  return `tokens ${about}${prompt}${parts([cached, "cached"], [cacheWrite, "written to the cache"])} + ${about}${completion}${parts([reasoning, "reasoning"])}`;
}

async function showAgentRun(id: string, isJson: boolean, terminal: Terminal, container: Container): Promise<number> {
  const run = await container.agents.get(id);
  if (isJson) {
    terminal.out(JSON.stringify(run));
    return 0;
  }
  const replies = new Map<string, string>();
  for (const { id: commandId, replyId } of run.commands)
    if (replyId !== null) replies.set(commandId, (await container.runs.artifact(id, replyId)).body);
  for (const each of agentRunLines(run, replies)) terminal.out(each);
  return 0;
}

export async function retry(
  argv: readonly string[],
  terminal: Terminal,
  container: Container,
  open: (only: Set<string>) => Promise<Container>,
): Promise<number> {
  const args = parseArguments(argv, {
    chunks: "text",
    scene: "text",
    backend: "text",
    model: "text",
    "max-tokens": "count",
    again: "switch",
    json: "switch",
    work: "switch",
  });
  const id = oneRun(
    args.positionals,
    "retry RUN [--chunks 1,2,3 [--again]] [--scene S | --backend B] [--model M] [--max-tokens N] [--work]",
  );
  const chunks = chunksOf(args.text("chunks"));
  const choice = {
    scene: args.text("scene"),
    backend: args.text("backend"),
    model: args.text("model"),
    maxTokens: args.count("max-tokens"),
  };
  const isChosen = Object.values(choice).some((value) => value !== undefined);
  const order = {
    ...(chunks ? { chunks } : {}),
    ...(isChosen ? { with: choice } : {}),
    ...(args.on("again") ? { again: true } : {}),
  };
  const outcome = await container.runs.retry(id, retryInputSchema.parse(order, { error: plainWords }));
  if (args.on("json")) terminal.out(JSON.stringify(outcome));
  else {
    terminal.out(
      `${outcome.requeued === 1 ? "1 chunk is" : `${outcome.requeued} chunks are`} queued again${outcome.skipped.length > 0 ? `; skipped: ${outcome.skipped.map(({ chunk, reason }) => `${chunk} (${reason})`).join(", ")}` : ""}`,
    );
  }
  if (args.on("work")) return work([id, ...(args.on("json") ? ["--json"] : [])], terminal, open);
  if (outcome.requeued > 0) tellWhoWorks(id, terminal);
  return 0;
}

/** Only a server runs chunks by itself, and this program cannot see whether one is there. */
function tellWhoWorks(id: string, terminal: Terminal): void {
  terminal.err(`A running server goes on with it; without one, do it here: npm run -s switchyard -- work ${id}`);
}

export async function rerun(
  argv: readonly string[],
  terminal: Terminal,
  container: Container,
  open: (only: Set<string>) => Promise<Container>,
): Promise<number> {
  const args = parseArguments(argv, {
    scene: "text",
    backend: "text",
    model: "text",
    "max-tokens": "count-or-none",
    name: "text",
    json: "switch",
    work: "switch",
  });
  const id = oneRun(args.positionals, "rerun RUN [--scene S | --backend B] [--model M] [--max-tokens N] [--name N] [--work]");
  const order = {
    scene: args.text("scene"),
    backend: args.text("backend"),
    model: args.text("model"),
    maxTokens: args.count("max-tokens"),
    name: args.text("name"),
  };
  const run = await container.runs.rerun(id, rerunInputSchema.parse(order, { error: plainWords }));
  terminal.out(args.on("json") ? JSON.stringify(run) : line(run));
  if (args.on("work")) return work([run.id, ...(args.on("json") ? ["--json"] : [])], terminal, open);
  tellWhoWorks(run.id, terminal);
  return 0;
}

export async function choose(argv: readonly string[], terminal: Terminal, container: Container): Promise<number> {
  const args = parseArguments(argv, { chunk: "count", attempt: "count", json: "switch" });
  const usage = "choose RUN --chunk N --attempt N";
  const id = oneRun(args.positionals, usage);
  const [index, attempt] = [args.count("chunk"), args.count("attempt")];
  if (index === undefined || attempt === undefined)
    throw new AppError("invalid_input", `Say which chunk and which attempt: ${usage}`);
  const { status, acceptedAttempt } = await container.runs.choose(id, index, attempt);
  const run = await container.runs.summary(id);
  if (args.on("json")) terminal.out(JSON.stringify({ chunk: index, status, acceptedAttempt, run: run.status }));
  else
    terminal.out(
      acceptedAttempt === null
        ? `chunk ${index} has failed again, with the failure of attempt ${attempt}; the run is ${run.status}`
        : `the answer of attempt ${acceptedAttempt} counts for chunk ${index}; the run is ${run.status}`,
    );
  return 0;
}

export async function act(
  action: ActionCommand,
  argv: readonly string[],
  terminal: Terminal,
  container: Container,
): Promise<number> {
  const args = parseArguments(argv, { reason: "text", json: "switch" });
  const id = oneRun(args.positionals, `${action} RUN [--reason R]`);
  const run = await container.runs[action](id, args.text("reason"));
  terminal.out(args.on("json") ? JSON.stringify(run) : line(run));
  if (action === "resume") tellWhoWorks(id, terminal);
  return 0;
}

export async function exportCommand(argv: readonly string[], terminal: Terminal, container: Container): Promise<number> {
  const args = parseArguments(argv, { out: "text" });
  const id = oneRun(args.positionals, "export RUN --out DIR");
  const out = args.text("out");
  if (out === undefined) throw new AppError("invalid_input", "Say where to: export RUN --out DIR");
  const root = resolvePath(terminal, out);
  if ((await container.runs.get(id)).kind === "thread") {
    terminal.out(await exportAgentRun(container, id, root));
    return 0;
  }
  const { directory, movedAside } = await exportRun(container.database, id, root, Date.now());
  if (movedAside) terminal.err(`Files of an earlier run of that date were moved to ${movedAside}`);
  terminal.out(directory);
  return 0;
}
