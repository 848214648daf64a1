import { createReadStream } from "node:fs";
import { mkdir, open, rename, rm } from "node:fs/promises";
import path from "node:path";
import type { Container } from "@/server/container";
import { type BatchFormat, batchLines } from "@/server/runs/export-batch";
import { isResting } from "@/server/runs/run-state.rules";
import { AppError } from "@/server/shared/app-error";
import { HandIn } from "../answers/hand-in";
import { readBatchLine } from "../answers/read-batch-line";
import { readLines } from "../answers/read-lines";
import { type Arguments, parseArguments } from "../arguments";
import { resolvePath, type Terminal } from "../terminal";
import { BATCH_JOBS_USAGE, JOB_COMMANDS } from "./batch-jobs";

export const BATCH_USAGE = [
  "batch export RUN [--status open|queued|failed] [--format openai|anthropic] [--model M] [--max-tokens N] [--out FILE] [--json]   open requests as lines for a batch service",
  "batch import RUN FILE|- [--json]              what the service gave back, into the run",
  ...BATCH_JOBS_USAGE,
] as const;

type WithContainer = (work: (container: Container) => Promise<number>) => Promise<number>;

/** What `-` stands for; asked for only when it is read. */
type Input = () => AsyncIterable<Uint8Array>;

const STATUSES = { open: ["queued", "failed"], queued: ["queued"], failed: ["failed"] } as const;
const FORMATS = { openai: "openai", anthropic: "anthropic" } as const satisfies Record<BatchFormat, BatchFormat>;

/** Exit 0 all well, 1 when there was nothing to export or an answer could not be used, 2 for bad use, 130 when it was interrupted. */
export async function batchCommand(
  argv: readonly string[],
  terminal: Terminal,
  withContainer: WithContainer,
  input: Input = () => process.stdin,
): Promise<number> {
  const [action = "", ...rest] = argv;
  if (action === "export") return exportBatch(rest, terminal, withContainer);
  if (action === "import") return importBatch(rest, terminal, withContainer, input);
  const command = Object.hasOwn(JOB_COMMANDS, action) ? JOB_COMMANDS[action] : undefined;
  if (command) return withContainer((container) => command(rest, terminal, container));
  throw new AppError(
    "invalid_input",
    `${action === "" ? "Say what to do" : `There is no "batch ${action}"`}; there are:\n${BATCH_USAGE.map((line) => `  ${line}`).join("\n")}`,
  );
}

async function exportBatch(argv: readonly string[], terminal: Terminal, withContainer: WithContainer): Promise<number> {
  const args = parseArguments(argv, {
    status: "text",
    format: "text",
    model: "text",
    "max-tokens": "count",
    out: "text",
    json: "switch",
  });
  const [runId, ...more] = args.positionals;
  if (!runId || more.length > 0) throw new AppError("invalid_input", `Name one run: ${BATCH_USAGE[0]}`);
  const status = oneOf(args, "status", STATUSES, "open");
  const format = oneOf(args, "format", FORMATS, "openai");
  const given = args.text("out");
  const out = given === undefined ? null : resolvePath(terminal, given);
  return withContainer(async (container) => {
    const run = await container.runs.summary(runId);
    if (run.kind === "thread") throw new AppError("conflict", "An agent run has no chunks, so there is nothing to export.");
    if (!isResting(run.status)) {
      terminal.err(
        `Run ${runId} is ${run.status}: a server may ask for the same chunks meanwhile. Pause it first: npm run -s switchyard -- pause ${runId}`,
      );
    }
    const order = { runId, status, format, model: args.text("model"), maxTokens: args.count("max-tokens") };
    const lines = batchLines(container.database, order);
    const { count, isWhole } = out === null ? await toTerminal(lines, terminal) : await toFile(lines, out, terminal);
    if (!isWhole) return 130;
    if (count === 0) {
      terminal.err(`Run ${runId} has no chunk to export.`);
      return 1;
    }
    const told = args.on("json")
      ? JSON.stringify({ runId, requests: count, format, out })
      : `${count} ${count === 1 ? "request" : "requests"}${out === null ? "" : ` in ${out}`}`;
    if (out === null) terminal.err(told);
    else terminal.out(told);
    return 0;
  });
}

interface Written {
  count: number;
  /** False when it was interrupted. */
  isWhole: boolean;
}

async function toTerminal(lines: AsyncIterable<string>, terminal: Terminal): Promise<Written> {
  let count = 0;
  for await (const line of lines) {
    if (terminal.interrupted.aborted) return { count, isWhole: false };
    terminal.out(line);
    count += 1;
  }
  return { count, isWhole: true };
}

/** The whole file or nothing; without a line there is none. */
async function toFile(lines: AsyncIterable<string>, file: string, terminal: Terminal): Promise<Written> {
  await mkdir(path.dirname(file), { recursive: true });
  const temporary = `${file}.${process.pid}.tmp`;
  let count = 0;
  try {
    const handle = await open(temporary, "w");
    try {
      for await (const line of lines) {
        if (terminal.interrupted.aborted) return { count, isWhole: false };
        await handle.write(`${line}\n`);
        count += 1;
      }
      await handle.sync();
    } finally {
      await handle.close();
    }
    if (count > 0) await rename(temporary, file);
    return { count, isWhole: true };
  } finally {
    await rm(temporary, { force: true });
  }
}

async function importBatch(
  argv: readonly string[],
  terminal: Terminal,
  withContainer: WithContainer,
  input: Input,
): Promise<number> {
  const args = parseArguments(argv, { json: "switch" });
  const [runId, given, ...more] = args.positionals;
  if (!runId || given === undefined || more.length > 0)
    throw new AppError("invalid_input", `Name one run and one file: ${BATCH_USAGE[1]}`);
  const name = given === "-" ? "stdin" : path.basename(given);
  return withContainer(async (container) => {
    // Before the file is read: a run that is not there is no fault of its lines.
    await container.runs.summary(runId);
    const handIn = new HandIn(container.runs, runId, terminal);
    let count = 0;
    for await (const line of readLines(given === "-" ? input() : bytesOf(resolvePath(terminal, given), given))) {
      if (terminal.interrupted.aborted) break;
      count += 1;
      const source = `${name} line ${line.number}`;
      const read = "problem" in line ? line : readBatchLine(line.text);
      if ("problem" in read) handIn.problem(source, read.problem);
      else await handIn.add(read.answer, source);
    }
    if (count === 0) handIn.problem(name, "It holds no line.");
    return handIn.end(args.on("json"));
  });
}

async function* bytesOf(file: string, given: string): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(file) as AsyncIterable<Uint8Array>; // Without an encoding a stream of a file gives bytes.
  } catch (error) {
    throw new AppError("not_found", `${given} cannot be read: ${error instanceof Error ? error.message : String(error)}.`, {
      cause: error,
    });
  }
}

function oneOf<T>(args: Arguments, flag: string, values: Readonly<Record<string, T>>, otherwise: string): T {
  const given = args.text(flag) ?? otherwise;
  const value = Object.hasOwn(values, given) ? values[given] : undefined;
  if (value === undefined)
    throw new AppError("invalid_input", `--${flag} is one of ${Object.keys(values).join(", ")}, not "${given}".`);
  return value;
}
