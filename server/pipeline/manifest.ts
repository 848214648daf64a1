import type { Manifest } from "./manifest.schema";
import { MANIFEST_VERSION } from "./manifest.schema";
import type { Prepared } from "./pipeline.schema";

export interface ManifestFacts {
  /** YYYY-MM-DD. */
  sourceDate: string;
  /** ISO-8601 in UTC. */
  createdAt: string;
  promptVersion: string;
  runtimeDir: string;
}

/** The manifest of a prepared run, in the snake_case of the artifacts. */
export function buildManifest(prepared: Prepared, { sourceDate, createdAt, promptVersion, runtimeDir }: ManifestFacts): Manifest {
  return {
    version: MANIFEST_VERSION,
    source_date: sourceDate,
    chunk_count: prepared.chunks.length,
    cleaned_chars: prepared.cleaned.length,
    documents: prepared.documents.map(({ name, text, sha256 }) => ({ name, characters: text.length, sha256 })),
    chunks: prepared.chunks.map(({ index, document, start, end, sourceStart, sourceEnd, tokens }) => ({
      index,
      document,
      start,
      end,
      source_start: sourceStart,
      source_end: sourceEnd,
      tokens,
    })),
    segments: prepared.segments,
    dropped: prepared.dropped,
    masked: prepared.report.masked,
    prompt_version: promptVersion,
    created_at: createdAt,
    runtime_dir: runtimeDir,
  };
}
