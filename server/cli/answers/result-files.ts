/** The result files of a folder, as `export` and `exec` write them and as the hand-over protocol says. */
import type { Dirent } from "node:fs";
import { readdir, readFile, realpath, stat } from "node:fs/promises";
import path from "node:path";
import { FAILURE_KINDS, type FailureKind } from "@/server/artifacts/failure-kind.rules";
import { DISTILL_TASK, REQUEST_VERSION } from "@/server/artifacts/request-artifact.schema";
import { type ResultArtifact, resultArtifactSchema } from "@/server/artifacts/result-artifact.schema";
import type { MadeAnswer } from "@/server/runs/adopt-answers.schema";
import { chunkName } from "@/server/runs/answer-id";
import { AppError } from "@/server/shared/app-error";
import { issueSentence, plainWords } from "@/server/shared/issue-sentence";

/** A file below the folder, and its answer or why it has none. */
export type ReadFile = { file: string } & ({ answer: MadeAnswer } | { problem: string });

/** Bytes: an answer twice, once as text and once as output, with all escapes. */
const LARGEST_FILE = 64 * 1024 * 1024;
const LONGEST_ERROR = 4_000;

/** What `export` puts beside the results, and earlier attempts, which the result above them has replaced. */
const NO_RESULTS: ReadonlySet<string> = new Set([
  "manifest.json",
  "cleaned.txt",
  "insights.md",
  "insights.json",
  ".switchyard-run",
]);
const EARLIER_ATTEMPTS = "attempts";

/**
 * Every result below the folder, in the order of the names; requests are passed over. Each file that is neither is named with a
 * reason, and so is a link that leads out of the folder: none is followed. What a link inside it leads to is met anyway.
 */
export async function* resultFiles(folder: string): AsyncGenerator<ReadFile> {
  let root: string;
  try {
    root = await realpath(folder);
    if (!(await stat(root)).isDirectory()) throw new Error("it is no folder");
  } catch (error) {
    throw new AppError("not_found", `${folder} cannot be read: ${error instanceof Error ? error.message : String(error)}.`, {
      cause: error,
    });
  }
  yield* below(root, "");
}

async function* below(root: string, relative: string): AsyncGenerator<ReadFile> {
  const entries = await readdir(path.join(root, relative), { withFileTypes: true });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const file = path.join(relative, entry.name);
    if (entry.isDirectory()) {
      if (entry.name !== EARLIER_ATTEMPTS) yield* below(root, file);
      continue;
    }
    const read = await readEntry(root, file, entry);
    if (read) yield { file, ...read };
  }
}

type Read = { answer: MadeAnswer } | { problem: string } | null;

async function readEntry(root: string, file: string, entry: Dirent): Promise<Read> {
  if (entry.isSymbolicLink()) {
    const target = await realpath(path.join(root, file)).catch(() => null);
    return target?.startsWith(root + path.sep)
      ? null
      : { problem: "It is a link that leads out of the folder; it is not followed." };
  }
  if (!entry.isFile()) return { problem: "It is no plain file." };
  if (NO_RESULTS.has(entry.name)) return null;
  if (!entry.name.endsWith(".json")) return { problem: "It is no result file: its name does not end in .json." };
  const { size } = await stat(path.join(root, file));
  if (size > LARGEST_FILE) return { problem: `It is larger than ${LARGEST_FILE / 1024 / 1024} MiB, so it was not read.` };
  return readResult(await readFile(path.join(root, file)));
}

/** Null for a request. */
function readResult(bytes: Uint8Array): Read {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (error) {
    return { problem: error instanceof SyntaxError ? "It is not JSON." : "It is not valid UTF-8." };
  }
  if (typeof value === "object" && value !== null && "version" in value && value.version === REQUEST_VERSION) return null;
  const parsed = resultArtifactSchema.safeParse(value, { error: plainWords });
  return parsed.success ? { answer: answerOf(parsed.data) } : { problem: `It is no result: ${issueSentence(parsed.error)}.` };
}

const SHA256 = /^[0-9a-f]{64}$/;

function answerOf(result: ResultArtifact): MadeAnswer {
  const { task = DISTILL_TASK, source_date: date, chunk_index: index, request_id: requestId, request_sha256: sha256 } = result;
  return {
    id: chunkName(task, date, index),
    ...(requestId ? { requestId } : {}),
    ...(sha256 !== undefined && SHA256.test(sha256) ? { requestSha256: sha256 } : {}),
    backend: result.backend,
    model: result.served_model || result.model,
    ...(result.finish_reason ? { finishReason: result.finish_reason } : {}),
    ...(result.usage ? { usage: result.usage } : {}),
    ...(result.timing_ms === undefined ? {} : { timingMs: result.timing_ms }),
    ...wordsOf(result),
  };
}

/** Failures of the text: it is judged anew, by the rules of now. */
const OF_THE_TEXT: ReadonlySet<string> = new Set(["invalid_output", "json_parse_error"]);

function wordsOf(result: ResultArtifact): Pick<MadeAnswer, "text" | "error"> {
  // Of a text that was too long to be kept whole, the output is what remains of the answer.
  if (result.ok) return { text: result.raw_text_truncated ? JSON.stringify(result.output) : result.raw_text };
  const { raw_text: text, error } = result;
  if (text !== undefined && !result.raw_text_truncated && OF_THE_TEXT.has(error.type)) return { text };
  const failureKind = error.failureKind ?? kindOfType(error.type);
  return {
    ...(text === undefined ? {} : { text }),
    error: {
      message: (error.message.trim() || error.type).slice(0, LONGEST_ERROR),
      ...(failureKind === undefined ? {} : { failureKind }),
    },
  };
}

function kindOfType(type: string): FailureKind | undefined {
  // The keys of the table are the kinds.
  const kinds = Object.keys(FAILURE_KINDS) as FailureKind[];
  return kinds.find((kind) => FAILURE_KINDS[kind].errorType === type);
}
