/** Frames as a server writes them, also such as no library would: for tests that send them in pieces or broken. */

export const OPCODES = { continuation: 0x0, text: 0x1, binary: 0x2, close: 0x8, ping: 0x9 } as const;

/** One final frame without a mask. Lengths that one byte does not hold are written in eight, which all may be. */
export function encodeFrame(opcode: number, payload: Buffer): Buffer {
  const isShort = payload.length < 126;
  const head = Buffer.alloc(isShort ? 2 : 10);
  head[0] = 0x80 | opcode;
  head[1] = isShort ? payload.length : 127;
  if (!isShort) head.writeBigUInt64BE(BigInt(payload.length), 2);
  return Buffer.concat([head, payload]);
}
