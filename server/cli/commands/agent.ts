import { readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import type { Container } from "@/server/container";
import type { AgentRunDetail } from "@/server/runs/agent-run.schema";
import { agentCommandOrderSchema, approvalDecisionSchema, createAgentRunSchema } from "@/server/runs/agent-run.schema";
import { AppError, isAppError } from "@/server/shared/app-error";
import { plainWords } from "@/server/shared/issue-sentence";
import { type Arguments, parseArguments } from "../arguments";
import { resolvePath, type Terminal } from "../terminal";
import { oneRun } from "./runs";
import { agentRunLines } from "./show-agent-run";
import { GRACE_MS } from "./work";

const ORDER = "(PROMPT | --file FILE)";
export const AGENT_USAGE = [
  `agent run ${ORDER} --backend B [--model M] [--workspace DIR] [--sandbox S] [--approval A] [--network] [--timeout-ms N] [--name N] [--detach] [--json]`,
  `agent turn RUN ${ORDER} [--detach] [--json]     another turn of that run; --detach: only ordered, a server runs it`,
  "agent watch RUN [--json]                       follows the turn under way",
  "agent answer RUN QUESTION accept|decline [--by NAME]",
  "agent interrupt RUN [--reason R]",
] as const;

const COMMON = { detach: "switch", json: "switch", file: "text" } as const;
const RUN_FLAGS = {
  ...COMMON,
  backend: "text",
  model: "text",
  workspace: "text",
  sandbox: "text",
  approval: "text",
  network: "switch",
  "timeout-ms": "count",
  name: "text",
} as const;

/** How often the run is read from the database. */
const LOOK_MS = 200;

type Open = (only: Set<string>) => Promise<Container>;
type WithContainer = (work: (container: Container) => Promise<number>) => Promise<number>;

/**
 * Agent runs from the command line. `run` and `turn` run the turn here, unless a server that has the thread does, and follow it to its
 * end. Exit 0 the turn completed (or was ordered), 1 it did not, 2 bad use, 130 interrupted.
 */
export async function agentCommand(
  argv: readonly string[],
  terminal: Terminal,
  open: Open,
  withContainer: WithContainer,
): Promise<number> {
  const [action = "", ...rest] = argv;
  if (action === "run") return orderRun(rest, terminal, open);
  if (action === "turn") return orderTurn(rest, terminal, open);
  if (action === "watch") return withContainer((container) => watchRun(rest, terminal, container));
  if (action === "answer") return withContainer((container) => answer(rest, terminal, container));
  if (action === "interrupt") return withContainer((container) => interrupt(rest, terminal, container));
  const what = action === "" ? "Say what to do" : `There is no "agent ${action}"`;
  throw new AppError("invalid_input", `${what}; there is:\n  ${AGENT_USAGE.join("\n  ")}`);
}

async function orderRun(argv: readonly string[], terminal: Terminal, open: Open): Promise<number> {
  const args = parseArguments(argv, RUN_FLAGS);
  const workspace = args.text("workspace");
  const optional = <T>(key: string, value: T | undefined) => (value === undefined ? {} : { [key]: value });
  const order = createAgentRunSchema.parse(
    {
      kind: "thread",
      ...optional("backend", args.text("backend")),
      ...optional("model", args.text("model")),
      ...optional("name", args.text("name")),
      prompt: await promptOf(args.positionals, args, terminal, AGENT_USAGE[0]),
      executionPolicy: {
        network: args.on("network"),
        ...optional("workspace", workspace === undefined ? undefined : resolvePath(terminal, workspace)),
        ...optional("sandbox", args.text("sandbox")),
        ...optional("approval", args.text("approval")),
        ...optional("timeoutMs", args.count("timeout-ms")),
      },
    },
    { error: plainWords },
  );
  return inside(open, async (container, only) => {
    const { id } = await container.agents.create(order);
    only.add(id);
    return goOn(container, id, args, terminal);
  });
}

async function orderTurn(argv: readonly string[], terminal: Terminal, open: Open): Promise<number> {
  const args = parseArguments(argv, COMMON);
  const [id, ...words] = args.positionals;
  if (!id) throw new AppError("invalid_input", `Name one run: ${AGENT_USAGE[1]}`);
  const prompt = await promptOf(words, args, terminal, AGENT_USAGE[1]);
  const order = agentCommandOrderSchema.parse({ type: "turn", prompt }, { error: plainWords });
  return inside(open, async (container, only) => {
    only.add(id);
    await container.agents.command(id, order);
    return goOn(container, id, args, terminal);
  });
}

async function watchRun(argv: readonly string[], terminal: Terminal, container: Container): Promise<number> {
  const args = parseArguments(argv, { json: "switch" });
  const id = oneRun(args.positionals, AGENT_USAGE[2]);
  const run = await follow(container, id, terminal);
  if (run === null) return 130;
  return report(container, run, args.on("json"), terminal);
}

async function answer(argv: readonly string[], terminal: Terminal, container: Container): Promise<number> {
  const args = parseArguments(argv, { by: "text", json: "switch" });
  const [id, question, decision, ...more] = args.positionals;
  if (!id || !question || !decision || more.length > 0)
    throw new AppError("invalid_input", `Name run, question and answer: ${AGENT_USAGE[3]}`);
  const by = args.text("by");
  const order = approvalDecisionSchema.parse({ decision, ...(by === undefined ? {} : { by }) }, { error: plainWords });
  const approval = await container.agents.decide(id, question, order);
  terminal.out(args.on("json") ? JSON.stringify(approval) : `${approval.id} is ${approval.status}: ${approval.subject}`);
  return 0;
}

async function interrupt(argv: readonly string[], terminal: Terminal, container: Container): Promise<number> {
  const args = parseArguments(argv, { reason: "text", json: "switch" });
  const id = oneRun(args.positionals, AGENT_USAGE[4]);
  const reason = args.text("reason");
  const order = { type: "interrupt", ...(reason === undefined ? {} : { reason }) };
  const command = await container.agents.command(id, agentCommandOrderSchema.parse(order, { error: plainWords }));
  terminal.out(args.on("json") ? JSON.stringify(command) : `The turn under way of ${id} is asked to end.`);
  return 0;
}

async function promptOf(words: readonly string[], args: Arguments, terminal: Terminal, usage: string): Promise<string> {
  const file = args.text("file");
  const [prompt, ...more] = words;
  if (more.length > 0 || (prompt === undefined) === (file === undefined))
    throw new AppError("invalid_input", `Give one prompt, in quotes or as a file: ${usage}`);
  if (file === undefined) return prompt ?? "";
  return readFile(resolvePath(terminal, file), "utf8").catch((error: unknown) => {
    throw new AppError("not_found", `${file} cannot be read: ${error instanceof Error ? error.message : String(error)}.`);
  });
}

async function inside(open: Open, work: (container: Container, only: Set<string>) => Promise<number>): Promise<number> {
  const only = new Set<string>();
  const container = await open(only);
  try {
    return await work(container, only);
  } finally {
    await container.close(GRACE_MS);
  }
}

/** Runs the turns that wait here, unless they are only ordered. */
async function goOn(container: Container, id: string, args: Arguments, terminal: Terminal): Promise<number> {
  if (args.on("detach")) {
    const run = await container.agents.get(id);
    terminal.out(args.on("json") ? JSON.stringify(run) : id);
    return 0;
  }
  container.agentExecutor.start();
  const run = await follow(container, id, terminal);
  if (run !== null) return report(container, run, args.on("json"), terminal);
  // The turn may come to its end by itself meanwhile.
  await container.agents
    .command(id, { type: "interrupt", reason: "Interrupted on the command line." })
    .catch((error: unknown) => {
      if (!isAppError(error) || error.code !== "conflict") throw error;
    });
  await container.agentExecutor.stop(GRACE_MS);
  const { status } = await container.agents.get(id);
  terminal.err(`Interrupted. Run ${id} is ${status}; go on with: npm run -s switchyard -- agent turn ${id} PROMPT`);
  return 130;
}

/** The run once no turn of it is under way or waits; null when the operator had enough of it. Questions are told as they come. */
async function follow(container: Container, id: string, terminal: Terminal): Promise<AgentRunDetail | null> {
  const told = new Set<string>();
  for (;;) {
    if (terminal.interrupted.aborted) return null;
    const run = await container.agents.get(id);
    for (const { id: question, kind, subject, deadlineAt } of run.approvals.filter(({ status }) => status === "pending")) {
      if (told.has(question)) continue;
      told.add(question);
      terminal.err(
        `The agent asks (${kind}, until ${deadlineAt}): ${subject}\n  answer: npm run -s switchyard -- agent answer ${id} ${question} accept|decline`,
      );
    }
    const open = run.commands.filter(({ status }) => status === "queued" || status === "running");
    if (open.length === 0) return run;
    terminal.progress(`${id} ${run.waitingFor === null ? run.status : `waits for ${run.waitingFor}`} · ${run.lastSeq} events`);
    await delay(LOOK_MS, undefined, { signal: terminal.interrupted }).catch(() => undefined);
  }
}

async function report(container: Container, run: AgentRunDetail, isJson: boolean, terminal: Terminal): Promise<number> {
  const last = run.commands.findLast(({ type }) => type === "turn");
  const isDone = last?.status === "completed";
  if (isJson) terminal.out(JSON.stringify(run));
  else if (isDone && last.replyId !== null) {
    terminal.out((await container.runs.artifact(run.id, last.replyId)).body);
    terminal.err(`${run.id} is ${run.status}; its changes and commands: npm run -s switchyard -- export ${run.id} --out DIR`);
  } else for (const line of agentRunLines(run, new Map())) terminal.err(line);
  return isDone ? 0 : 1;
}
