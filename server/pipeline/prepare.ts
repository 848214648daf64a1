/** Text in, chunks out: normalise, mask, clean, chunk. Pure but for loading a tokenizer; long inputs belong on the prep thread. */
import { createHash } from "node:crypto";
import type { TokenizerId } from "@/server/config/config-document.schema";
import { tokenizerOf } from "@/server/inference/tokenizer";
import { AppError } from "@/server/shared/app-error";
import { chunkText } from "./chunk";
import { MAX_CHUNK_TOKENS, MIN_CHUNK_TOKENS } from "./chunk-limits.rules";
import { chunkTokensSchema } from "./chunk-limits.schema";
import type { Cleaned } from "./clean";
import { cleanText } from "./clean";
import { normaliseText } from "./decode-text";
import { maskSecrets } from "./mask-secrets";
import type { DroppedRange, DropReason, Prepared, PreparedChunk, PreparedDocument, PrepReport, Segment } from "./pipeline.schema";
import { DROP_REASONS } from "./pipeline.schema";
import { readSessionTranscript } from "./session-transcript";

export interface PrepareInput {
  /** In the order of the run. */
  documents: readonly { name: string; text: string }[];
  /** The budget of a chunk, see chunk-limits.rules. */
  chunkTokens: number;
  tokenizer: TokenizerId;
  /** True when the tokenizer is not the model's own. */
  tokenizerIsEstimate: boolean;
  /** Values of the operator's configuration that must appear nowhere. */
  knownSecrets: readonly string[];
}

const SAMPLES = 5;
const SAMPLE_LENGTH = 80;

/**
 * Prepares the documents of one run. The cleaned text of the run is the cleaned documents, joined in order with nothing between; a
 * chunk never crosses a document. A session file becomes the conversation it holds (session-transcript.ts). Numbers of a document in the report (bytes, characters, lines, sha256) are those of its normalised and
 * masked text, which is what is stored. Throws AppError: `too_large`, `invalid_input` (a NUL, a budget out of range).
 */
export function prepare(input: PrepareInput): Prepared {
  if (!chunkTokensSchema.safeParse(input.chunkTokens).success) {
    throw new AppError(
      "invalid_input",
      `A chunk may have ${MIN_CHUNK_TOKENS} to ${MAX_CHUNK_TOKENS} tokens, not ${input.chunkTokens}.`,
    );
  }
  const { countTokens } = tokenizerOf(input.tokenizer);
  const documents: PreparedDocument[] = [];
  const segments: Segment[] = [];
  const dropped: DroppedRange[] = [];
  const chunks: PreparedChunk[] = [];
  const masked = new Map<string, number>();
  const cleanedParts: string[] = [];
  let offset = 0;
  for (const [document, { name, text: raw }] of input.documents.entries()) {
    const normalised = normaliseText(raw, name);
    const session = readSessionTranscript(normalised);
    // Masked as it will be read: within JSON a secret may be spelled otherwise.
    const { text, masked: counts } = maskSecrets(session?.text ?? normalised, input.knownSecrets);
    for (const { kind, count } of counts) masked.set(kind, (masked.get(kind) ?? 0) + count);
    const isSession = session !== null;
    documents.push({ name, text, sha256: createHash("sha256").update(text, "utf8").digest("hex"), isSession });
    const cleaned = cleanText(text, { isSession });
    for (const { start, end, reason, lines } of cleaned.dropped) dropped.push({ document, start, end, reason, lines });
    const own = segmentsOf(cleaned, document, offset);
    segments.push(...own);
    const toSource = sourceMap(own, offset);
    for (const { start, end, tokens } of chunkText(cleaned.text, { budget: input.chunkTokens, countTokens })) {
      chunks.push({
        index: chunks.length + 1,
        document,
        start: offset + start,
        end: offset + end,
        sourceStart: toSource(start),
        // The source ends after the last character, not where the next kept line begins.
        sourceEnd: toSource(end - 1) + 1,
        tokens,
        text: cleaned.text.slice(start, end),
      });
    }
    cleanedParts.push(cleaned.text);
    offset += cleaned.text.length;
  }
  const cleaned = cleanedParts.join("");
  return {
    documents,
    cleaned,
    segments,
    dropped,
    chunks,
    report: reportOf({ input, documents, dropped, chunks, masked, cleaned }),
  };
}

function segmentsOf(cleaned: Cleaned, document: number, offset: number): Segment[] {
  let cleanedStart = offset;
  return cleaned.kept.map(({ start, end }) => {
    const segment = { cleanedStart, document, sourceStart: start, length: end - start };
    cleanedStart += end - start;
    return segment;
  });
}

/** From an offset in the document's cleaned text to one in its source; asked with rising offsets. */
function sourceMap(segments: readonly Segment[], offset: number): (cleaned: number) => number {
  let at = 0;
  return (cleaned) => {
    const position = offset + cleaned;
    for (; ; at++) {
      const segment = segments[at];
      if (!segment) return 0;
      if (position < segment.cleanedStart + segment.length) return segment.sourceStart + position - segment.cleanedStart;
    }
  };
}

interface ReportParts {
  input: PrepareInput;
  documents: readonly PreparedDocument[];
  dropped: readonly DroppedRange[];
  chunks: readonly PreparedChunk[];
  masked: ReadonlyMap<string, number>;
  cleaned: string;
}

function reportOf({ input, documents, dropped, chunks, masked, cleaned }: ReportParts): PrepReport {
  return {
    documents: documents.map(({ name, text, sha256, isSession }) => ({
      name,
      bytes: Buffer.byteLength(text, "utf8"),
      characters: text.length,
      lines: lineCount(text),
      sha256,
      ...(isSession ? { isSession } : {}),
    })),
    masked: [...masked].map(([kind, count]) => ({ kind, count })),
    dropped: DROP_REASONS.flatMap((reason) => droppedFor(reason, documents, dropped)),
    cleanedCharacters: cleaned.length,
    tokens: chunks.reduce((sum, chunk) => sum + chunk.tokens, 0),
    tokenizer: input.tokenizer,
    tokensEstimated: input.tokenizerIsEstimate,
    chunkTokens: input.chunkTokens,
    chunks: chunks.length,
  };
}

function droppedFor(
  reason: DropReason,
  documents: readonly PreparedDocument[],
  dropped: readonly DroppedRange[],
): PrepReport["dropped"] {
  const ranges = dropped.filter((range) => range.reason === reason);
  if (ranges.length === 0) return [];
  const samples = new Set<string>();
  for (const { document, start, end } of ranges) {
    if (samples.size === SAMPLES) break;
    const sample = firstLine(documents[document]?.text.slice(start, Math.min(end, start + 10 * SAMPLE_LENGTH)) ?? "");
    if (sample !== "") samples.add(sample);
  }
  return [
    {
      reason,
      lines: ranges.reduce((sum, range) => sum + range.lines, 0),
      characters: ranges.reduce((sum, range) => sum + range.end - range.start, 0),
      samples: [...samples],
    },
  ];
}

/** The first line that has something on it, cut between code points. */
function firstLine(text: string): string {
  return Array.from(text.trim().split("\n", 1)[0] ?? "")
    .slice(0, SAMPLE_LENGTH)
    .join("");
}

function lineCount(text: string): number {
  let lines = text === "" || text.endsWith("\n") ? 0 : 1;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lines++;
  return lines;
}
