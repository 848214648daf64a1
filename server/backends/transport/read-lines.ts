/** The lines of an answer, one at a time: whoever reads them may take as long as it wants, and nothing piles up meanwhile. */
import { type HttpAnswer, TransportError } from "./http-sse";

/** Pieces that wait here at most; a piece is what came over the wire at once. */
const MOST_WAITING = 4;

/**
 * Calls `take` with each line that is not empty, without its end, and with its number from 1; the next one waits until `take`
 * has resolved. False ends the reading. A line of more than `longest` characters is a `TransportError`. Rejects as `read` does.
 */
export async function readLines(
  answer: HttpAnswer,
  longest: number,
  take: (line: string, number: number) => Promise<boolean>,
): Promise<void> {
  let parts: string[] = [];
  let length = 0;
  let number = 0;
  const hold = (part: string) => {
    parts.push(part);
    length += part.length;
    if (length > longest)
      throw new TransportError("too-large", `line ${number + 1} of the answer is longer than ${longest} characters`);
  };
  const taken = async () => {
    const line = parts.join("");
    parts = [];
    length = 0;
    number += 1;
    const text = line.endsWith("\r") ? line.slice(0, -1) : line;
    return text.trim() === "" || (await take(text, number));
  };
  for await (const piece of piecesOf(answer)) {
    let from = 0;
    for (let at = piece.indexOf("\n"); at !== -1; at = piece.indexOf("\n", from)) {
      hold(piece.slice(from, at));
      from = at + 1;
      if (!(await taken())) return;
    }
    hold(piece.slice(from));
  }
  if (length > 0) await taken();
}

async function* piecesOf(answer: HttpAnswer): AsyncGenerator<string> {
  const waiting: string[] = [];
  let wake: () => void = () => undefined;
  let end: { error?: unknown } | null = null;
  void answer
    .read((text) => {
      waiting.push(text);
      if (waiting.length >= MOST_WAITING) answer.pause();
      wake();
      return undefined;
    })
    .then(
      () => {
        end = {};
      },
      (error: unknown) => {
        end = { error };
      },
    )
    .then(() => wake());
  const ended = (): { error?: unknown } | null => end;
  for (;;) {
    const piece = waiting.shift();
    if (piece !== undefined) {
      if (waiting.length === 0) answer.resume();
      yield piece;
      continue;
    }
    const over = ended();
    if (over && "error" in over) throw over.error;
    if (over) return;
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
  }
}
