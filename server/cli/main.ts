/** `npm run -s switchyard -- COMMAND …`: the same service as the pages and the REST API, without a server. */
import { ZodError } from "zod";
import { type Container, createContainer } from "@/server/container";
import { invocationFolder, loadEnv } from "@/server/env";
import { isAppError } from "@/server/shared/app-error";
import { issueSentence } from "@/server/shared/issue-sentence";
import { AGENT_USAGE, agentCommand } from "./commands/agent";
import { BATCH_USAGE, batchCommand } from "./commands/batch";
import { COMPARE_USAGE, compare } from "./commands/compare";
import { CONFIG_USAGE, configCommand } from "./commands/config";
import { DISTILL_USAGE, distill } from "./commands/distill";
import { EXEC_USAGE, exec } from "./commands/exec";
import { IMPORT_USAGE, importResults } from "./commands/import-results";
import { act, choose, exportCommand, isActionCommand, listRuns, RUNS_USAGE, rerun, retry, showRun } from "./commands/runs";
import { SECRETS_USAGE, secretsCommand } from "./commands/secrets";
import { WORK_USAGE, work } from "./commands/work";
import type { Terminal } from "./terminal";

const USAGE = [
  "Usage: npm run -s switchyard -- COMMAND …",
  "",
  `  ${DISTILL_USAGE}`,
  `  ${WORK_USAGE}`,
  `  ${EXEC_USAGE}`,
  ...AGENT_USAGE.map((line) => `  ${line}`),
  ...CONFIG_USAGE.map((line) => `  ${line}`),
  ...SECRETS_USAGE.map((line) => `  ${line}`),
  ...RUNS_USAGE.map((line) => `  ${line}`),
  `  ${COMPARE_USAGE}`,
  ...BATCH_USAGE.map((line) => `  ${line}`),
  `  ${IMPORT_USAGE}`,
].join("\n");

/** A command line prints its own progress; the executor's log shows only what is wrong. */
function open(only?: Set<string>): Promise<Container> {
  const env = loadEnv();
  // The container's own logger, since that one clears every secret.
  return createContainer({
    env: { ...env, LOG_LEVEL: env.LOG_LEVEL === "info" ? "warn" : env.LOG_LEVEL },
    ...(only ? { only } : {}),
  });
}

async function withContainer(work: (container: Container) => Promise<number>): Promise<number> {
  const container = await open();
  try {
    return await work(container);
  } finally {
    await container.close(0);
  }
}

/** `COMMAND --help`: its own lines, of a group those of the member that is named; null when there is no such command. */
function usageOf(command: string, member: string | undefined): string | null {
  const lines = USAGE.split("\n").filter((line) => line.startsWith("  ") && isNamed(line.trim().split(" ")[0], command));
  const own = lines.filter((line) => isNamed(line.trim().split(" ")[1], member));
  return lines.length === 0
    ? null
    : ["Usage: npm run -s switchyard -- COMMAND …", "", ...(own.length > 0 ? own : lines)].join("\n");
}

/** Commands of one form share a line: `pause|resume`. */
function isNamed(names: string | undefined, name: string | undefined): boolean {
  return name !== undefined && names?.split("|").includes(name) === true;
}

async function run(command: string, rest: readonly string[], terminal: Terminal): Promise<number> {
  const asked = rest.includes("--help") || rest.includes("-h") ? usageOf(command, rest[0]) : null;
  if (asked !== null) {
    terminal.out(asked);
    return 0;
  }
  if (command === "distill") return distill(rest, terminal, open);
  if (command === "work") return work(rest, terminal, open);
  if (command === "exec") return exec(rest, terminal);
  if (command === "agent") return agentCommand(rest, terminal, open, withContainer);
  if (command === "config") return configCommand(rest, terminal, withContainer);
  if (command === "secrets") return secretsCommand(rest, terminal);
  if (command === "runs") return withContainer((container) => listRuns(rest, terminal, container));
  if (command === "show") return withContainer((container) => showRun(rest, terminal, container));
  if (command === "compare") return withContainer((container) => compare(rest, terminal, container));
  if (command === "retry") return withContainer((container) => retry(rest, terminal, container, open));
  if (command === "rerun") return withContainer((container) => rerun(rest, terminal, container, open));
  if (command === "choose") return withContainer((container) => choose(rest, terminal, container));
  if (command === "export") return withContainer((container) => exportCommand(rest, terminal, container));
  if (command === "batch") return batchCommand(rest, terminal, withContainer);
  if (command === "import") return withContainer((container) => importResults(rest, terminal, container));
  if (isActionCommand(command)) return withContainer((container) => act(command, rest, terminal, container));
  if (command === "help" || command === "--help" || command === "-h") {
    terminal.out(USAGE);
    return 0;
  }
  terminal.err(command === "" ? USAGE : `There is no command "${command}".\n\n${USAGE}`);
  return 2;
}

const interrupt = new AbortController();
let lastProgress = "";
const terminal: Terminal = {
  out: (line) => {
    endProgress();
    process.stdout.write(`${line}\n`);
  },
  err: (line) => {
    endProgress();
    process.stderr.write(`${line}\n`);
  },
  progress: (line) => {
    if (line === lastProgress) return;
    lastProgress = line;
    process.stderr.write(process.stderr.isTTY ? `\r\x1b[K${line}` : `${line}\n`);
  },
  cwd: invocationFolder(),
  interrupted: interrupt.signal,
};
/** As a shell counts a program that SIGPIPE ended (128 + 13); Node ignores that signal and reports EPIPE instead. */
const EXIT_READER_GONE = 141;
let outputProblem: "closed" | "failed" | null = null;
// Whoever reads has had enough, as `| head -1` has: what still runs is put down as on Ctrl-C, and nothing more is said.
process.stdout.on("error", (error) => {
  if (outputProblem !== null) return;
  outputProblem = isClosedPipe(error) ? "closed" : "failed";
  if (outputProblem === "failed") terminal.err(`The output cannot be written: ${error.message}.`);
  interrupt.abort();
});
process.stderr.on("error", (error) => {
  if (!isClosedPipe(error)) throw error;
});
function isClosedPipe(error: Error): boolean {
  return "code" in error && error.code === "EPIPE";
}
function endProgress(): void {
  if (lastProgress !== "" && process.stderr.isTTY) process.stderr.write("\n");
  lastProgress = "";
}
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => {
    // The second one does not wait.
    if (interrupt.signal.aborted) process.exit(130);
    interrupt.abort();
  });
}

const [command = "", ...rest] = process.argv.slice(2);
const exitCode = await run(command, rest, terminal).catch((error: unknown) => {
  if (isAppError(error)) terminal.err(error.message);
  else if (error instanceof ZodError) terminal.err(issueSentence(error));
  else terminal.err(error instanceof Error ? error.message : String(error));
  return 2;
});
// What was written last may still be on its way, and so may the news that nobody reads it.
if (outputProblem === null) await new Promise<void>((resolve) => process.stdout.write("", () => resolve()));
process.exitCode = outputProblem === "closed" ? EXIT_READER_GONE : outputProblem === "failed" ? 2 : exitCode;
