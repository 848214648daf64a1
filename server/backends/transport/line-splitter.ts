/** Lines out of pieces of bytes, whatever the pieces were cut at. Names no runtime. */

export interface LineSplitterOptions {
  /** A longer line is not kept; the bytes up to its end are skipped. */
  maxLineBytes: number;
  /** One line without its end, decoded; empty ones are left out. */
  onLine(line: string): void;
  /** A line that is none: too long, or not UTF-8. Told once, with the first of what it held. */
  onBadLine(problem: "too-long" | "not-utf8", head: string): void;
}

const HEAD_BYTES = 200;
const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;

export interface LineSplitter {
  push(piece: Buffer): void;
  /** The end of the stream: a last line without an end counts. */
  end(): void;
}

export function createLineSplitter(options: LineSplitterOptions): LineSplitter {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let held: Buffer[] = [];
  let heldBytes = 0;
  let skipping = false;

  function hold(piece: Buffer): void {
    if (skipping || piece.length === 0) return;
    held.push(piece);
    heldBytes += piece.length;
    if (heldBytes <= options.maxLineBytes) return;
    options.onBadLine("too-long", headOf(Buffer.concat(held)));
    held = [];
    heldBytes = 0;
    skipping = true;
  }

  function finish(): void {
    const wasSkipping = skipping;
    skipping = false;
    const [only] = held;
    const whole = held.length === 1 && only ? only : Buffer.concat(held, heldBytes);
    held = [];
    heldBytes = 0;
    if (wasSkipping) return;
    const line = whole.at(-1) === CARRIAGE_RETURN ? whole.subarray(0, -1) : whole;
    if (line.length === 0) return;
    let text: string;
    try {
      text = decoder.decode(line);
    } catch {
      options.onBadLine("not-utf8", headOf(line));
      return;
    }
    options.onLine(text);
  }

  return {
    push(piece) {
      let from = 0;
      for (let at = piece.indexOf(NEWLINE); at !== -1; at = piece.indexOf(NEWLINE, from)) {
        hold(piece.subarray(from, at));
        finish();
        from = at + 1;
      }
      hold(piece.subarray(from));
    },
    end: finish,
  };
}

function headOf(bytes: Buffer): string {
  return bytes.subarray(0, HEAD_BYTES).toString("utf8");
}
