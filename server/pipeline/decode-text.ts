/** From bytes or pasted text to the text that everything after counts in: well-formed, LF line ends, no BOM, no NUL. */
import { AppError } from "@/server/shared/app-error";

/** 20 MB (binary), in UTF-8 bytes, a document. */
export const MAX_INPUT_BYTES = 20 * 1024 * 1024;

const BOM = "\uFEFF";

/** Files that are often dropped by mistake, by their first bytes. */
const SIGNATURES: ReadonlyArray<{ bytes: readonly number[]; what: string }> = [
  { bytes: [0x25, 0x50, 0x44, 0x46], what: "a PDF file" },
  { bytes: [0x50, 0x4b, 0x03, 0x04], what: "a ZIP archive or an Office document" },
  { bytes: [0x89, 0x50, 0x4e, 0x47], what: "a PNG image" },
  { bytes: [0xff, 0xd8, 0xff], what: "a JPEG image" },
  { bytes: [0x47, 0x49, 0x46, 0x38], what: "a GIF image" },
  { bytes: [0x1f, 0x8b], what: "a gzip file" },
  { bytes: [0xd0, 0xcf, 0x11, 0xe0], what: "an old Office document" },
  { bytes: [0x7f, 0x45, 0x4c, 0x46], what: "a program file" },
];

/**
 * The text of a file, normalised (see `normaliseText`). UTF-8 with or without a byte order mark, 0 to `MAX_INPUT_BYTES`.
 * Throws an AppError whose sentence names the file: `too_large`, `invalid_encoding` (with the byte offset, counted from 0
 * in the file as it came), `invalid_input` (a NUL, with its offset).
 */
export function decodeText(bytes: Uint8Array, name: string): string {
  refuseLarge(bytes.byteLength, name);
  const signature = SIGNATURES.find(({ bytes: start }) => start.every((byte, index) => bytes[index] === byte));
  if (signature) {
    throw new AppError(
      "invalid_encoding",
      `“${name}” is ${signature.what}, not text. Save it as plain text (UTF-8) and try again.`,
      { details: { offset: 0 } },
    );
  }
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)) {
    throw new AppError(
      "invalid_encoding",
      `“${name}” is UTF-16 text (it starts with a UTF-16 byte order mark at offset 0). Save it as UTF-8 and try again.`,
      {
        details: { offset: 0 },
      },
    );
  }
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    const offset = firstBadByte(bytes);
    const byte = (bytes[offset] ?? 0).toString(16).padStart(2, "0");
    const what =
      offset < bytes.byteLength ? `byte 0x${byte} at offset ${offset}` : `the file ends inside a character at offset ${offset}`;
    throw new AppError("invalid_encoding", `“${name}” is not valid UTF-8: ${what}. Save it as UTF-8 and try again.`, {
      details: { offset },
      cause,
    });
  }
  const nul = bytes.indexOf(0);
  if (nul >= 0) refuseNul(name, `byte offset ${nul}`, nul);
  return normalise(text);
}

/**
 * As `decodeText`, for text that is a string already (pasted, or from JSON). Strips a byte order mark, makes CRLF and CR to LF,
 * refuses NUL (offset in UTF-16 units), and replaces each lone surrogate by U+FFFD: no store could hold it, it carries no
 * meaning, and refusing a whole day's notes for half an emoji would help nobody. The length stays the same but for line ends and BOM.
 */
export function normaliseText(text: string, name: string): string {
  // A string of n units has at least n bytes: the cheap check first.
  refuseLarge(text.length > MAX_INPUT_BYTES ? text.length : Buffer.byteLength(text, "utf8"), name);
  const nul = text.indexOf("\0");
  if (nul >= 0) refuseNul(name, `character offset ${nul}`, nul);
  return normalise(text);
}

function normalise(text: string): string {
  let clean = text.startsWith(BOM) ? text.slice(1) : text;
  if (clean.includes("\r")) clean = clean.replace(/\r\n?/g, "\n");
  return clean.replace(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g, "\uFFFD");
}

function refuseLarge(size: number, name: string): void {
  if (size <= MAX_INPUT_BYTES) return;
  const megabytes = (bytes: number) => (bytes / (1024 * 1024)).toFixed(1);
  throw new AppError(
    "too_large",
    `“${name}” is ${megabytes(size)} MB (${size} bytes); a document may have ${megabytes(MAX_INPUT_BYTES)} MB. Split it and try again.`,
    {
      details: { bytes: size, limit: MAX_INPUT_BYTES },
    },
  );
}

function refuseNul(name: string, where: string, offset: number): never {
  throw new AppError(
    "invalid_input",
    `“${name}” holds a NUL character at ${where}, so it is not plain text (a binary file, or UTF-16 without a mark?).`,
    {
      details: { offset },
    },
  );
}

/** Where a text that is not UTF-8 goes wrong: the first byte of the first ill-formed sequence, or the length when it is cut off. */
function firstBadByte(bytes: Uint8Array): number {
  for (let at = 0; at < bytes.length; ) {
    const lead = bytes[at] ?? 0;
    if (lead < 0x80) {
      at++;
      continue;
    }
    const size = lead >= 0xc2 && lead <= 0xdf ? 2 : lead >= 0xe0 && lead <= 0xef ? 3 : lead >= 0xf0 && lead <= 0xf4 ? 4 : 0;
    if (size === 0) return at;
    for (let index = 1; index < size; index++) {
      const byte = bytes[at + index];
      if (byte === undefined) return bytes.length;
      if (byte < 0x80 || byte > 0xbf || (index === 1 && !isSecondByte(lead, byte))) return at;
    }
    at += size;
  }
  return bytes.length;
}

/** Overlong forms, surrogates and code points past U+10FFFF show in the second byte. */
function isSecondByte(lead: number, byte: number): boolean {
  if (lead === 0xe0) return byte >= 0xa0;
  if (lead === 0xed) return byte <= 0x9f;
  if (lead === 0xf0) return byte >= 0x90;
  if (lead === 0xf4) return byte <= 0x8f;
  return true;
}
