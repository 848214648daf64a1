/** The output of one command as it comes in pieces: counted whole, kept up to a limit. */

/** UTF-16 units kept from the beginning and from the end; what lies between is left out and said. */
const HEAD_LENGTH = 4 * 1024 * 1024;
const TAIL_LENGTH = 4 * 1024 * 1024;
/** Where something is left out, the cut goes back to a line's end within so many units: half a secret could not be recognised. */
const LINE_LOOK = 64 * 1024;

export interface CommandOutput {
  push(piece: string): void;
  /** UTF-8 bytes of all that came. */
  readonly bytes: number;
  /** All of it, or its beginning and end. */
  text(): string;
}

export function createCommandOutput(headLength: number = HEAD_LENGTH, tailLength: number = TAIL_LENGTH): CommandOutput {
  let bytes = 0;
  let head = "";
  let tail = "";
  let droppedUnits = 0;
  return {
    push(piece) {
      bytes += Buffer.byteLength(piece);
      const room = headLength - head.length;
      if (room > 0) head += piece.slice(0, room);
      if (piece.length <= room) return;
      tail += piece.slice(Math.max(0, room));
      // Cut only now and then: a cut copies the tail.
      if (tail.length > tailLength * 2) {
        droppedUnits += tail.length - tailLength;
        tail = tail.slice(-tailLength);
      }
    },
    get bytes() {
      return bytes;
    },
    text() {
      const over = Math.max(0, tail.length - tailLength);
      if (droppedUnits + over === 0) return head + tail;
      const kept = [toLineEnd(head), fromLineStart(tail.slice(over))] as const;
      const missing = bytes - Buffer.byteLength(kept[0]) - Buffer.byteLength(kept[1]);
      return `${kept[0]}\n… ${missing} bytes left out …\n${kept[1]}`;
    },
  };
}

/** The text up to the end of its last whole line. */
export function toLineEnd(text: string): string {
  const end = text.lastIndexOf("\n");
  return text.slice(0, end > text.length - LINE_LOOK ? end : Math.max(0, text.length - LINE_LOOK));
}

function fromLineStart(text: string): string {
  const start = text.indexOf("\n");
  return text.slice(start !== -1 && start < LINE_LOOK ? start + 1 : LINE_LOOK);
}
