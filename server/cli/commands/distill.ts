import { readFile, stat } from "node:fs/promises";
import path from "node:path";
import type { Container } from "@/server/container";
import { decodeText, MAX_INPUT_BYTES } from "@/server/pipeline/decode-text";
import { type DistillOrder, distillOrderSchema } from "@/server/runs/run.schema";
import { AppError } from "@/server/shared/app-error";
import { plainWords } from "@/server/shared/issue-sentence";
import { parseArguments } from "../arguments";
import { resolvePath, type Terminal } from "../terminal";
import { GRACE_MS, workOn } from "./work";

const FLAGS = {
  date: "text",
  scene: "text",
  backend: "text",
  model: "text",
  name: "text",
  out: "text",
  json: "switch",
  "accept-gaps": "switch",
  concurrency: "count",
  "max-attempts": "count",
  "timeout-ms": "count",
  "chunk-tokens": "count",
  "repair-rounds": "count-or-none",
  "max-tokens": "count",
} as const;

export const DISTILL_USAGE =
  "distill FILE… [--date D] [--scene S | --backend B] [--model M] [--out DIR] [--json] [--name N] [--accept-gaps] [--concurrency N] [--max-attempts N] [--timeout-ms N] [--chunk-tokens N] [--repair-rounds 0|1] [--max-tokens N]";

/** The whole job: read, prepare, run every chunk, stage. Exit 0 all well, 1 some chunk failed, 2 bad use or input, 130 interrupted. */
export async function distill(
  argv: readonly string[],
  terminal: Terminal,
  open: (only: Set<string>) => Promise<Container>,
): Promise<number> {
  const args = parseArguments(argv, FLAGS);
  if (args.positionals.length === 0) throw new AppError("invalid_input", `Name at least one file: ${DISTILL_USAGE}`);
  const documents = await Promise.all(args.positionals.map((given) => readDocument(given, resolvePath(terminal, given))));
  const optional = <T>(key: string, value: T | undefined) => (value === undefined ? {} : { [key]: value });
  const given = {
    documents,
    ...optional("sourceDate", args.text("date")),
    ...optional("scene", args.text("scene")),
    ...optional("backend", args.text("backend")),
    ...optional("model", args.text("model")),
    ...optional("name", args.text("name")),
    options: {
      ...optional("concurrency", args.count("concurrency")),
      ...optional("maxAttempts", args.count("max-attempts")),
      ...optional("timeoutMs", args.count("timeout-ms")),
      ...optional("chunkTokens", args.count("chunk-tokens")),
      ...optional("repairRounds", args.count("repair-rounds")),
      ...optional("maxTokens", args.count("max-tokens")),
    },
  };
  const order: DistillOrder = distillOrderSchema.parse(given, { error: plainWords });
  const out = args.text("out");
  const root = out === undefined ? null : resolvePath(terminal, out);

  const mine = new Set<string>();
  const container = await open(mine);
  try {
    const started = await container.runs.start(order);
    for (const run of started) mine.add(run.id);
    return await workOn(container, [...mine], { root, json: args.on("json"), acceptGaps: args.on("accept-gaps") }, terminal);
  } finally {
    await container.close(GRACE_MS);
  }
}

async function readDocument(given: string, file: string): Promise<{ name: string; text: string }> {
  try {
    const facts = await stat(file);
    if (facts.isDirectory()) throw new AppError("invalid_input", `${given} is a folder; name the files in it.`);
    if (facts.size > MAX_INPUT_BYTES)
      throw new AppError(
        "too_large",
        `${given} is ${(facts.size / 1024 / 1024).toFixed(1)} MiB; at most ${MAX_INPUT_BYTES / 1024 / 1024} MiB are taken.`,
      );
    return { name: path.basename(file), text: decodeText(await readFile(file), given) };
  } catch (error) {
    if (error instanceof Error && "syscall" in error)
      throw new AppError("not_found", `${given} cannot be read: ${error.message}.`, { cause: error });
    throw error;
  }
}
