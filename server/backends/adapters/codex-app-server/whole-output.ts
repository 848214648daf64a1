/**
 * What a command printed, out of two accounts of it. The pieces lack what came before Codex listened (more than half of a fast
 * command's output was seen to be missing) and, of output that comes faster than Codex tells it, pieces in the middle (up to half
 * a MiB was seen). The summary, given at the end, is whole up to 1 MiB; beyond it has the first and the last half MiB and says how
 * many bytes lie between. Measured with codex-cli 0.171.0.
 */
import { type CommandOutput, toLineEnd } from "./command-output";

const HALF_BYTES = 512 * 1024;
/** A half may end within a character, whose rest is then replaced by up to three bytes. */
const SLACK_BYTES = 8;
const OMITTED = /\n\.\.\. (\d+) bytes omitted \.\.\.\n/g;

export interface WholeOutput {
  /** UTF-8 bytes that the command printed. */
  bytes: number;
  text(): string;
}

/** The two accounts as one. What neither has is left out, and said with its size. */
export function wholeOutput(pieces: CommandOutput | undefined, summary: string): WholeOutput {
  const told = pieces ?? { bytes: 0, text: () => "" };
  const halves = halvesOf(summary);
  if (halves === null) {
    const summaryBytes = Buffer.byteLength(summary);
    return told.bytes >= summaryBytes ? told : { bytes: summaryBytes, text: () => summary };
  }
  const { bytes } = halves;
  if (told.bytes >= bytes) return told;
  return { bytes, text: () => joined(halves, told, bytes - told.bytes) };
}

interface Halves {
  bytes: number;
  head: string;
  tail: string;
}

/** Null for a summary that leaves nothing out. */
function halvesOf(summary: string): Halves | null {
  for (const { 0: mark, 1: omitted = "", index } of summary.matchAll(OMITTED)) {
    const head = summary.slice(0, index);
    if (Math.abs(Buffer.byteLength(head) - HALF_BYTES) > SLACK_BYTES) continue;
    return { bytes: 2 * HALF_BYTES + Number(omitted), head, tail: summary.slice(index + mark.length) };
  }
  return null;
}

/** `missing` bytes of the beginning are not in the pieces. */
function joined({ head, tail }: Halves, told: WholeOutput, missing: number): string {
  const headBytes = Buffer.from(head);
  const rest = told.text();
  const shared = headBytes.subarray(missing, -SLACK_BYTES);
  // Where the two overlap they must say the same; else something is missing elsewhere, too.
  if (missing < HALF_BYTES - SLACK_BYTES && Buffer.from(rest.slice(0, shared.length)).subarray(0, shared.length).equals(shared)) {
    return headBytes.toString("utf8", 0, missing) + rest;
  }
  // Where the pieces have their gaps cannot be told: what is certain are the two halves.
  const beginning = toLineEnd(head);
  const ending = tail.slice(tail.indexOf("\n") + 1);
  const leftOut = missing + told.bytes - Buffer.byteLength(beginning) - Buffer.byteLength(ending);
  return `${beginning}\n… ${leftOut} bytes left out …\n${ending}`;
}
