import { describe, expect, it } from "vitest";
import { boundPayload, cleanText } from "./bound-payload";
import { EVENT_PAYLOAD_LIMIT } from "./event.rules";

describe("a payload", () => {
  it("within the limit passes whole", () => {
    expect(boundPayload({ text: "é", n: 1 })).toEqual({ json: '{"text":"é","n":1}', bytes: 19, truncated: false, whole: null });
  });

  it("beyond the limit is cut in its long text only", () => {
    const payload = { text: "a".repeat(100), itemId: "item-1", bytes: 100, truncated: false };
    const bound = boundPayload(payload, 90);
    expect(bound.bytes).toBe(Buffer.byteLength(JSON.stringify(payload)));
    expect(bound.truncated).toBe(true);
    expect(bound.whole).toBe(JSON.stringify(payload));
    expect(Buffer.byteLength(bound.json)).toBe(90);
    const kept = JSON.parse(bound.json) as { text: string };
    expect(kept).toEqual({ text: kept.text, itemId: "item-1", bytes: 100, truncated: true });
    expect(kept.text).toMatch(/^a+…$/);
  });

  it.each(["a", "é", "漢", "😀", '"', "\n", "\u0001", "\\", "\t😀漢"])(
    "of many %j never exceeds the limit nor breaks a character",
    (piece) => {
      for (const limit of [64, 65, 66, 67, 100, 1000]) {
        const bound = boundPayload({ text: piece.repeat(2000), other: "x" }, limit);
        expect(Buffer.byteLength(bound.json)).toBeLessThanOrEqual(limit);
        const { text, other } = JSON.parse(bound.json) as { text: string; other: string };
        expect(other).toBe("x");
        expect(text).not.toMatch(/\p{Surrogate}/u);
        expect(piece.repeat(2000).startsWith(text.slice(0, -1))).toBe(true);
        expect(Buffer.byteLength(bound.json)).toBeGreaterThan(limit - 14);
      }
    },
  );

  it("of two long texts gives each the same room and leaves a short one whole", () => {
    const bound = boundPayload({ a: "x".repeat(5000), b: "y".repeat(5000), c: "short" }, 1000);
    const { a, b, c } = JSON.parse(bound.json) as { a: string; b: string; c: string };
    expect(a.length).toBe(b.length);
    expect(c).toBe("short");
  });

  it("of very many fields keeps the first that fit", () => {
    const payload = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`field${index}`, index]));
    const bound = boundPayload(payload, 200);
    expect(Buffer.byteLength(bound.json)).toBeLessThanOrEqual(200);
    expect((JSON.parse(bound.json) as { field0: number }).field0).toBe(0);
  });

  it("has the default limit of events", () => {
    const bound = boundPayload({ text: "x".repeat(1_000_000) });
    expect(Buffer.byteLength(bound.json)).toBe(EVENT_PAYLOAD_LIMIT);
    expect(bound.bytes).toBe(1_000_011);
  });

  it("loses NUL and lone surrogates, in keys too", () => {
    expect(boundPayload({ "a\0": "x\0y\ud800z", ok: "😀" }).json).toBe('{"a\ufffd":"x\ufffdy\ufffdz","ok":"😀"}');
    expect(cleanText("\udc00a😀\0")).toBe("\ufffda😀\ufffd");
  });
});
