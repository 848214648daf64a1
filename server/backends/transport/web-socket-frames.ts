/** Frames of RFC 6455: read with bounds on everything, and written. Pure; without extensions, so nothing is ever unpacked. */
import { TransportError } from "./http-sse";

export const OPCODES = { continuation: 0x0, text: 0x1, binary: 0x2, close: 0x8, ping: 0x9, pong: 0xa } as const;

const FINAL = 0x80;
const RESERVED = 0x70;
const OPCODE = 0x0f;
const MASKED = 0x80;
const LENGTH = 0x7f;
const LENGTH_IN_2_BYTES = 126;
const LENGTH_IN_8_BYTES = 127;
const LONGEST_SHORT_LENGTH = 0xffff;
const MASK_BYTES = 4;
const LONGEST_CONTROL_BYTES = 125;
/** Pieces of one message: each costs a buffer, however short it is. */
const MOST_FRAGMENTS = 16_384;

/** One whole message as one frame. A client's is masked, with four random bytes; a server's is not. */
export function encodeFrame(opcode: number, payload: Buffer, mask: Buffer | null): Buffer {
  const { length } = payload;
  const lengthBytes = length < LENGTH_IN_2_BYTES ? 0 : length <= LONGEST_SHORT_LENGTH ? 2 : 8;
  const head = Buffer.alloc(2 + lengthBytes + (mask ? MASK_BYTES : 0));
  head[0] = FINAL | opcode;
  head[1] = (mask ? MASKED : 0) | (lengthBytes === 0 ? length : lengthBytes === 2 ? LENGTH_IN_2_BYTES : LENGTH_IN_8_BYTES);
  if (lengthBytes === 2) head.writeUInt16BE(length, 2);
  if (lengthBytes === 8) head.writeBigUInt64BE(BigInt(length), 2);
  mask?.copy(head, 2 + lengthBytes);
  return Buffer.concat([head, mask ? masked(payload, mask) : payload]);
}

function masked(payload: Buffer, mask: Buffer): Buffer {
  const out = Buffer.from(payload);
  // Both indices are inside: `at` by the loop, the mask's by its four bytes.
  for (let at = 0; at < out.length; at++) out[at] = (out[at] ?? 0) ^ (mask[at % MASK_BYTES] ?? 0);
  return out;
}

export interface FrameEars {
  onText(text: string): void;
  onPing(payload: Buffer): void;
  /** The other side's last frame; `code` is 1005 when it gave none. */
  onClose(code: number, reason: string): void;
}

export interface FrameReader {
  /** Takes bytes as they come. Throws a `TransportError` for what is no frame, is too large or is no UTF-8; after that it is of no use. */
  push(piece: Buffer): void;
}

/** `expectsMask`: the other side is a client. `maxMessageBytes` bounds one message over all of its frames, before it is held. */
export function createFrameReader(
  { maxMessageBytes, expectsMask }: { maxMessageBytes: number; expectsMask: boolean },
  ears: FrameEars,
): FrameReader {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  let pieces: Buffer[] = [];
  let held = 0;
  let head: FrameHead | null = null;
  let message: { parts: Buffer[]; bytes: number } | null = null;

  /** The next bytes once so many are there; what is left stays. */
  function take(count: number): Buffer | null {
    if (held < count) return null;
    const all = pieces.length === 1 ? pieces[0] : Buffer.concat(pieces);
    if (!all) return Buffer.alloc(0);
    pieces = count < all.length ? [all.subarray(count)] : [];
    held -= count;
    return all.subarray(0, count);
  }

  function takeHead(): FrameHead | null {
    const [first, second] = held >= 2 ? firstBytes(pieces) : [];
    if (first === undefined || second === undefined) return null;
    const short = second & LENGTH;
    const lengthBytes = short === LENGTH_IN_2_BYTES ? 2 : short === LENGTH_IN_8_BYTES ? 8 : 0;
    const isMasked = (second & MASKED) !== 0;
    const bytes = take(2 + lengthBytes + (isMasked ? MASK_BYTES : 0));
    if (!bytes) return null;
    const length = lengthBytes === 0 ? short : lengthBytes === 2 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
    return {
      isFinal: (first & FINAL) !== 0,
      hasReserved: (first & RESERVED) !== 0,
      opcode: first & OPCODE,
      length,
      mask: isMasked ? Buffer.from(bytes.subarray(2 + lengthBytes)) : null,
    };
  }

  function checkHead({ isFinal, hasReserved, opcode, length, mask }: FrameHead): void {
    if (hasReserved) throw broken("a frame uses an extension that was not agreed on");
    if ((mask !== null) !== expectsMask) throw broken("a frame is masked in the wrong way");
    if (opcode >= OPCODES.close) {
      if (!isFinal || length > LONGEST_CONTROL_BYTES) throw broken("a control frame is too long or in pieces");
      return;
    }
    if (opcode === OPCODES.binary) throw broken("a frame is binary where text is expected");
    if (opcode > OPCODES.binary) throw broken("a frame is of an unknown kind");
    if ((opcode === OPCODES.continuation) !== (message !== null)) throw broken("the pieces of a message are out of order");
    if ((message?.bytes ?? 0) + length > maxMessageBytes || (message?.parts.length ?? 0) >= MOST_FRAGMENTS) {
      throw new TransportError("too-large", `one message is longer than ${maxMessageBytes} bytes, which are accepted at most`);
    }
  }

  function takePayload({ isFinal, opcode }: FrameHead, payload: Buffer): void {
    if (opcode === OPCODES.ping) ears.onPing(payload);
    else if (opcode === OPCODES.close) {
      const hasCode = payload.length >= 2;
      ears.onClose(hasCode ? payload.readUInt16BE(0) : NO_CLOSE_CODE, hasCode ? payload.subarray(2).toString("utf8") : "");
    } else if (opcode < OPCODES.close) {
      message ??= { parts: [], bytes: 0 };
      if (payload.length > 0 || message.parts.length === 0) message.parts.push(payload);
      message.bytes += payload.length;
      if (!isFinal) return;
      const whole = Buffer.concat(message.parts);
      message = null;
      ears.onText(decode(whole));
    }
  }

  function decode(bytes: Buffer): string {
    try {
      return decoder.decode(bytes);
    } catch {
      throw broken("a message is not valid UTF-8");
    }
  }

  return {
    push(piece) {
      pieces.push(piece);
      held += piece.length;
      for (;;) {
        if (head === null) {
          head = takeHead();
          if (head === null) return;
          checkHead(head);
        }
        const payload = take(head.length);
        if (payload === null) return;
        const { mask } = head;
        const whole = head;
        head = null;
        takePayload(whole, mask ? masked(payload, mask) : payload);
      }
    },
  };
}

const NO_CLOSE_CODE = 1005;

interface FrameHead {
  isFinal: boolean;
  hasReserved: boolean;
  opcode: number;
  length: number;
  mask: Buffer | null;
}

function firstBytes(pieces: readonly Buffer[]): number[] {
  const found: number[] = [];
  for (const piece of pieces) {
    found.push(...piece.subarray(0, 2 - found.length));
    if (found.length === 2) break;
  }
  return found;
}

function broken(what: string): TransportError {
  return new TransportError("protocol", what);
}
