/** Everything of a run that follows from its input: what is stored before the first request. Pure; made on the prep thread. */
import { runtimeDir } from "@/server/artifacts/artifact-paths";
import { artifactText, type StoredText, textArtifact } from "@/server/artifacts/artifact-text";
import { isoTime } from "@/server/shared/clock";
import { buildManifest } from "./manifest";
import type { PreparedChunk, PrepReport } from "./pipeline.schema";
import { type PrepareInput, prepare } from "./prepare";
import { buildDistillRequest, PROMPT_VERSION } from "./prompt";

export interface PlanInput extends PrepareInput {
  /** YYYY-MM-DD. */
  sourceDate: string;
  /** Epoch milliseconds. */
  createdAt: number;
}

export interface PlannedChunk extends Omit<PreparedChunk, "text"> {
  /** The request artifact, X28-X37. */
  request: StoredText;
}

export interface RunPlan {
  report: PrepReport;
  promptVersion: string;
  documents: (StoredText & { name: string })[];
  manifest: StoredText;
  cleaned: StoredText;
  chunks: PlannedChunk[];
}

/** Throws as `prepare` does. */
export function planRun(input: PlanInput): RunPlan {
  const { sourceDate } = input;
  const prepared = prepare(input);
  const directory = runtimeDir(sourceDate);
  const createdAt = isoTime(input.createdAt);
  return {
    report: prepared.report,
    promptVersion: PROMPT_VERSION,
    documents: prepared.documents.map(({ name, text, sha256 }) => ({ name, body: text, bytes: Buffer.byteLength(text), sha256 })),
    manifest: artifactText(
      buildManifest(prepared, { sourceDate, createdAt, promptVersion: PROMPT_VERSION, runtimeDir: directory }),
    ),
    cleaned: textArtifact(prepared.cleaned),
    chunks: prepared.chunks.map(({ text, ...chunk }) => {
      const request = buildDistillRequest({
        sourceDate,
        chunkIndex: chunk.index,
        chunkTotal: prepared.chunks.length,
        text,
        runtimeDir: directory,
        createdAt,
      });
      return { ...chunk, request: artifactText(request) };
    }),
  };
}

/** What the form shows before the start. */
export function previewRun(input: PrepareInput): PrepReport {
  return prepare(input).report;
}
