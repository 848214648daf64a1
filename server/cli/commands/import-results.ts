import type { Container } from "@/server/container";
import { AppError } from "@/server/shared/app-error";
import { HandIn } from "../answers/hand-in";
import { resultFiles } from "../answers/result-files";
import { parseArguments } from "../arguments";
import { resolvePath, type Terminal } from "../terminal";

export const IMPORT_USAGE = "import DIR --run RUN [--json]                 result files that were made elsewhere, into the run";

/** Exit 0 all well, 1 when a result could not be used or a file not be understood, 2 for bad use, 130 when it was interrupted. */
export async function importResults(argv: readonly string[], terminal: Terminal, container: Container): Promise<number> {
  const args = parseArguments(argv, { run: "text", json: "switch" });
  const [given, ...more] = args.positionals;
  const runId = args.text("run");
  if (given === undefined || more.length > 0 || runId === undefined)
    throw new AppError("invalid_input", `Name one folder and one run: ${IMPORT_USAGE}`);
  await container.runs.summary(runId);
  const handIn = new HandIn(container.runs, runId, terminal);
  let count = 0;
  for await (const { file, ...read } of resultFiles(resolvePath(terminal, given))) {
    if (terminal.interrupted.aborted) break;
    count += 1;
    if ("problem" in read) handIn.problem(file, read.problem);
    else await handIn.add(read.answer, file);
  }
  if (count === 0) handIn.problem(given, "It holds no result file.");
  return handIn.end(args.on("json"));
}
