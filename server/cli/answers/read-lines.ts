/** A line of a file, counted from 1, or why it could not be read. */
export type Line = { number: number; text: string } | { number: number; problem: string };

/** Bytes of one line: an answer and all that a service says about it. What is longer is no answer that could be taken. */
export const LONGEST_LINE = 32 * 1024 * 1024;

const LINE_FEED = 0x0a;

/** The lines of a stream, one at a time, however large the whole is. Lines without a character in them are left out. */
export async function* readLines(source: AsyncIterable<Uint8Array>, longest = LONGEST_LINE): AsyncGenerator<Line> {
  let pieces: Uint8Array[] = [];
  let size = 0;
  let number = 0;
  const keep = (piece: Uint8Array) => {
    size += piece.byteLength;
    if (size <= longest) pieces.push(piece);
    else pieces = [];
  };
  const take = (): Line | null => {
    number += 1;
    const line = size > longest ? tooLong(number, longest) : decoded(number, Buffer.concat(pieces));
    pieces = [];
    size = 0;
    return "text" in line && line.text.trim() === "" ? null : line;
  };
  for await (const piece of source) {
    let from = 0;
    for (let at = piece.indexOf(LINE_FEED); at >= 0; at = piece.indexOf(LINE_FEED, from)) {
      keep(piece.subarray(from, at));
      const line = take();
      if (line) yield line;
      from = at + 1;
    }
    keep(piece.subarray(from));
  }
  const last = size > 0 ? take() : null;
  if (last) yield last;
}

function tooLong(number: number, longest: number): Line {
  return { number, problem: `It is longer than ${Math.floor(longest / 1024 / 1024)} MiB, so it was not read.` };
}

function decoded(number: number, bytes: Uint8Array): Line {
  try {
    return { number, text: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
  } catch {
    return { number, problem: "It is not valid UTF-8." };
  }
}
