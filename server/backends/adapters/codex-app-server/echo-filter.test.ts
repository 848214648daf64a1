import { describe, expect, it } from "vitest";
import { Secret } from "@/server/shared/secret";
import { createEchoFilter } from "./echo-filter";

const KEY = "sk-ab/cd-1234";

/** What comes out, piece by piece, and at the end. */
function passed(pieces: readonly Buffer[]): Buffer[] {
  const filter = createEchoFilter(new Secret(KEY, "env:K"));
  return [...pieces.map((piece) => filter.push(piece)), filter.end()];
}
const filtered = (pieces: readonly Buffer[]) => passed(pieces).map(String);
/** The whole: a cut may go through a character. */
const whole = (pieces: readonly Buffer[]) => Buffer.concat(passed(pieces)).toString("utf8");

const cutAt = (text: string, at: number) => [Buffer.from(text).subarray(0, at), Buffer.from(text).subarray(at)];

describe("the echo of a key", () => {
  it("is taken out wherever its pieces are cut, also as JSON writes it", () => {
    for (const echo of [KEY, "sk-ab\\/cd-1234"]) {
      const text = `密钥 ${echo}, twice ${echo}.`;
      for (let at = 0; at <= Buffer.byteLength(text); at += 1)
        expect(whole(cutAt(text, at))).toBe("密钥 [redacted], twice [redacted].");
      const bytes = [...Buffer.from(text)].map((byte) => Buffer.from([byte]));
      expect(whole(bytes)).toBe("密钥 [redacted], twice [redacted].");
    }
  });

  it("leaves what is no key as it is, and holds nothing back that cannot be one", () => {
    expect(filtered([Buffer.from("data: one\n\n"), Buffer.from("data: sk-ab and more\n\n")])).toEqual([
      "data: one\n\n",
      "data: sk-ab and more\n\n",
      "",
    ]);
    // An end that may be its beginning waits, and comes with what follows or at the end.
    expect(filtered([Buffer.from("it is sk-a"), Buffer.from("x")])).toEqual(["it is ", "sk-ax", ""]);
    expect(filtered([Buffer.from("it is sk-a")])).toEqual(["it is ", "sk-a"]);
  });

  it("keeps bytes that are no text", () => {
    const filter = createEchoFilter(new Secret(KEY, "env:K"));
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, at) => at));
    expect(Buffer.concat([filter.push(bytes), filter.end()]).equals(bytes)).toBe(true);
  });
});
