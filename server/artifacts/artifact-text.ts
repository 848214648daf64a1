import { createHash } from "node:crypto";

/** A text as it is kept: byte for byte, with what tells it apart. */
export interface StoredText {
  body: string;
  /** UTF-8. */
  bytes: number;
  /** Of the UTF-8 bytes, in hex. */
  sha256: string;
}

/** The exact text of a JSON artifact. Two spaces of indent, as people read these files. */
export function artifactText(value: unknown): StoredText {
  return textArtifact(`${JSON.stringify(value, null, 2)}\n`);
}

export function textArtifact(body: string): StoredText {
  return { body, bytes: Buffer.byteLength(body), sha256: createHash("sha256").update(body).digest("hex") };
}
