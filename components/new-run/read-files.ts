import { isDocumentName, MAX_RUN_BYTES } from "@/server/runs/run.rules";
import type { DraftDocument } from "./draft";

/** As many as one start takes, beside the pasted text. */
export const MAX_FILES = 499;

type RejectReason = "not_utf8" | "too_large" | "too_many" | "duplicate" | "bad_name" | "unreadable";

export interface RejectedFile {
  name: string;
  bytes: number;
  reason: RejectReason;
}

/** What is needed of a browser's File. */
export type ReadableFile = Pick<File, "name" | "size" | "arrayBuffer">;

interface Present {
  documents: readonly DraftDocument[];
  /** UTF-8 bytes of the pasted text. */
  pastedBytes: number;
}

export interface ReadFilesResult {
  added: DraftDocument[];
  rejected: RejectedFile[];
}

/**
 * Reads files as bytes and decodes them strictly, so that a file of another encoding is refused instead of being sent
 * with broken characters. An empty file is a text as good as any: its run completes with no chunks. A bad file stays out with its reason; the others come in, as long as all text fits one start.
 */
export async function readFiles(files: readonly ReadableFile[], present: Present): Promise<ReadFilesResult> {
  const result: ReadFilesResult = { added: [], rejected: [] };
  let bytesLeft = MAX_RUN_BYTES - present.pastedBytes - present.documents.reduce((sum, document) => sum + document.bytes, 0);
  for (const file of files) {
    const known = [...present.documents, ...result.added];
    const outcome = await readFile(file, known, bytesLeft);
    if (typeof outcome === "string") {
      result.rejected.push({ name: file.name, bytes: file.size, reason: outcome });
      continue;
    }
    bytesLeft -= outcome.bytes;
    result.added.push(outcome);
  }
  return result;
}

async function readFile(
  file: ReadableFile,
  known: readonly DraftDocument[],
  bytesLeft: number,
): Promise<DraftDocument | RejectReason> {
  if (known.length >= MAX_FILES) return "too_many";
  if (file.size > bytesLeft) return "too_large";
  if (!isDocumentName(file.name)) return "bad_name";
  let bytes: ArrayBuffer;
  try {
    bytes = await file.arrayBuffer();
  } catch {
    // A folder that was dropped, or a file that was changed or removed after it was chosen.
    return "unreadable";
  }
  const text = decodeUtf8(bytes);
  if (text === null) return "not_utf8";
  if (known.some((document) => document.name === file.name && document.text === text)) return "duplicate";
  return { key: crypto.getRandomValues(new Uint32Array(2)).join("-"), name: file.name, text, bytes: bytes.byteLength, date: "" };
}

/** The text without a byte order mark; null when the bytes are not UTF-8. */
function decodeUtf8(bytes: ArrayBuffer): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
