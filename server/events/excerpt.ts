export interface Excerpt {
  /** The text, or its beginning and end around a line that says what is missing. */
  text: string;
  isCut: boolean;
  whole: string;
}

/** Of a log both ends matter: how it began, and how it ended. `limitBytes` (at least 256) bounds the UTF-8 of the excerpt. */
export function excerptOf(whole: string, limitBytes: number): Excerpt {
  const bytes = Buffer.from(whole);
  if (bytes.length <= limitBytes) return { text: whole, isCut: false, whole };
  const room = limitBytes - MARK_BYTES;
  const headBytes = Math.floor(room / 2);
  const head = decodeStart(bytes.subarray(0, headBytes));
  const tail = decodeEnd(bytes.subarray(bytes.length - (room - headBytes)));
  const missing = bytes.length - Buffer.byteLength(head) - Buffer.byteLength(tail);
  return { text: `${head}\n… ${missing} bytes left out …\n${tail}`, isCut: true, whole };
}

/** Room for the line in between. */
const MARK_BYTES = 48;
/** The longest character of UTF-8. */
const LONGEST_CHARACTER = 4;

/** Without a character that the cut went through. */
function decodeStart(bytes: Buffer): string {
  let end = bytes.length;
  // The first byte of the last character, and whether all of it is there.
  for (let back = 1; back <= Math.min(LONGEST_CHARACTER, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const length = byte < 0x80 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
    if (length > back) end = bytes.length - back;
    break;
  }
  return bytes.toString("utf8", 0, end);
}

function decodeEnd(bytes: Buffer): string {
  let start = 0;
  while (start < LONGEST_CHARACTER && ((bytes[start] ?? 0) & 0xc0) === 0x80) start++;
  return bytes.toString("utf8", start);
}
