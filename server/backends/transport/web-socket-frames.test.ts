import { describe, expect, it } from "vitest";
import { TransportError } from "./http-sse";
import { createFrameReader, encodeFrame, OPCODES } from "./web-socket-frames";

function reader(options: { maxMessageBytes?: number; expectsMask?: boolean } = {}) {
  const heard: unknown[] = [];
  const { push } = createFrameReader(
    { maxMessageBytes: 1_000, expectsMask: false, ...options },
    {
      onText: (text) => heard.push(text),
      onPing: (payload) => heard.push(["ping", payload.toString()]),
      onClose: (code, reason) => heard.push(["close", code, reason]),
    },
  );
  return { push, heard };
}

const text = (said: string) => encodeFrame(OPCODES.text, Buffer.from(said), null);

function problemOf(bytes: Buffer, options: Parameters<typeof reader>[0] = {}): [string, string] {
  try {
    reader(options).push(bytes);
  } catch (error) {
    if (error instanceof TransportError) return [error.problem, error.message];
    throw error;
  }
  return ["none", ""];
}

describe("messages", () => {
  it.each([0, 1, 125, 126, 65_535, 65_536, 70_000])("of %d bytes come back as they were, also masked", (length) => {
    const said = "x".repeat(length);
    const plain = reader({ maxMessageBytes: 100_000 });
    plain.push(text(said));
    expect(plain.heard).toEqual([said]);
    const masked = reader({ maxMessageBytes: 100_000, expectsMask: true });
    masked.push(encodeFrame(OPCODES.text, Buffer.from(said), Buffer.from([1, 2, 3, 250])));
    expect(masked.heard).toEqual([said]);
  });

  it.each([1, 2, 3, 5, 7])("are the same cut into pieces of %d bytes, characters included", (size) => {
    const { push, heard } = reader();
    const bytes = Buffer.concat([text("漢字 and 😀"), encodeFrame(OPCODES.ping, Buffer.from("p"), null), text("two")]);
    for (let start = 0; start < bytes.length; start += size) push(bytes.subarray(start, start + size));
    expect(heard).toEqual(["漢字 and 😀", ["ping", "p"], "two"]);
  });

  it("in several frames are one, with a ping in between", () => {
    const { push, heard } = reader();
    const whole = Buffer.from("漢字");
    const first = encodeFrame(OPCODES.text, whole.subarray(0, 2), null);
    first[0] = OPCODES.text;
    push(first);
    push(encodeFrame(OPCODES.ping, Buffer.alloc(0), null));
    push(encodeFrame(OPCODES.continuation, whole.subarray(2), null));
    expect(heard).toEqual([["ping", ""], "漢字"]);
  });

  it("end with a code and a reason, or without", () => {
    const { push, heard } = reader();
    push(encodeFrame(OPCODES.close, Buffer.concat([Buffer.from([0x03, 0xf4]), Buffer.from("restart")]), null));
    push(encodeFrame(OPCODES.close, Buffer.alloc(0), null));
    expect(heard).toEqual([
      ["close", 1012, "restart"],
      ["close", 1005, ""],
    ]);
  });
});

describe("what is refused", () => {
  const TOO_LARGE = "one message is longer than 1000 bytes, which are accepted at most";

  it("is a message beyond the limit, by its announced length alone", () => {
    expect(problemOf(text("x".repeat(1_000)))).toEqual(["none", ""]);
    expect(problemOf(Buffer.from([0x81, 126, 0x03, 0xe9]))).toEqual(["too-large", TOO_LARGE]);
    expect(problemOf(Buffer.from([0x81, 127, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]))).toEqual(["too-large", TOO_LARGE]);
  });

  it("is one that passes the limit in pieces", () => {
    const piece = encodeFrame(OPCODES.text, Buffer.alloc(600, "x"), null);
    piece[0] = OPCODES.text;
    expect(problemOf(Buffer.concat([piece, encodeFrame(OPCODES.continuation, Buffer.alloc(600, "x"), null)]))).toEqual([
      "too-large",
      TOO_LARGE,
    ]);
  });

  it.each<[string, Buffer, string]>([
    ["text that is no UTF-8", encodeFrame(OPCODES.text, Buffer.from([0xff]), null), "a message is not valid UTF-8"],
    ["a binary message", encodeFrame(OPCODES.binary, Buffer.from("x"), null), "a frame is binary where text is expected"],
    ["an unknown kind", encodeFrame(0x5, Buffer.from("x"), null), "a frame is of an unknown kind"],
    ["an extension", Buffer.from([0xc1, 0]), "a frame uses an extension that was not agreed on"],
    ["a mask from a server", encodeFrame(OPCODES.text, Buffer.from("x"), Buffer.alloc(4)), "a frame is masked in the wrong way"],
    ["a piece of nothing", encodeFrame(OPCODES.continuation, Buffer.from("x"), null), "the pieces of a message are out of order"],
    ["a ping in pieces", Buffer.from([OPCODES.ping, 0]), "a control frame is too long or in pieces"],
    ["a long ping", encodeFrame(OPCODES.ping, Buffer.alloc(126), null), "a control frame is too long or in pieces"],
  ])("is %s", (_what, bytes, message) => {
    expect(problemOf(bytes)).toEqual(["protocol", message]);
  });
});
