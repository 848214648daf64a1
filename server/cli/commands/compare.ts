import type { Container } from "@/server/container";
import { type ComparedRun, comparedRunIdsSchema } from "@/server/runs/run-comparison.schema";
import { parseArguments } from "../arguments";
import { costWords } from "../cost-words";
import type { Terminal } from "../terminal";

export const COMPARE_USAGE =
  "compare RUN RUN… [--json]                     runs side by side: time, tokens, cost, ok, repaired, failed";

const HEADS = [
  "run",
  "answered by",
  "status",
  "ok",
  "repaired",
  "cut",
  "failed",
  "requests",
  "median",
  "tokens",
  "cost",
  "insights",
];

/** Milliseconds as seconds; what is not known is a dash, never 0. */
function seconds(ms: number | null): string {
  return ms === null ? "-" : `${(ms / 1_000).toFixed(2)} s`;
}

function cells({ run, requests, requestMs, marks, cost, answeredBy }: ComparedRun): string[] {
  const { total, succeeded, failed } = run.counts;
  return [
    run.id,
    answeredBy.join(",") || "-",
    run.status,
    `${succeeded}/${total}`,
    String(marks.repaired),
    String(marks.truncated),
    String(failed),
    String(requests),
    seconds(requestMs?.median ?? null),
    `${run.tokens.estimated ? "~" : ""}${run.tokens.prompt}+${run.tokens.completion}`,
    costWords(cost),
    String(run.insights),
  ];
}

/** A line a run; with --json the same figures as the API gives. */
export async function compare(argv: readonly string[], terminal: Terminal, container: Container): Promise<number> {
  const args = parseArguments(argv, { json: "switch" });
  const compared = await container.runs.compare(comparedRunIdsSchema.parse(args.positionals));
  if (args.on("json")) {
    for (const each of compared) terminal.out(JSON.stringify(each));
    return 0;
  }
  const rows = [HEADS, ...compared.map(cells)];
  const widths = HEADS.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  for (const row of rows)
    terminal.out(
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    );
  return 0;
}
