import { describe, expect, it } from "vitest";
import { Secret } from "@/server/shared/secret";
import type { NewEvent } from "./event.schema";
import { prepareEvent } from "./event-writes.store";
import { redactorOf } from "./redactor-of";

const KEY = "sk-canary-1a2b3c4d5e6f7a8b";
const redactor = redactorOf({ apiKey: new Secret(KEY, "env:KEY") });
const IN_EVENT = 1_024;

function outputOf(text: string, bytes = Buffer.byteLength(text)): NewEvent {
  return {
    type: "command_output",
    payload: { itemId: "call_1", text, bytes, truncated: false },
    inEvent: { field: "text", bytes: IN_EVENT },
  };
}

const prepared = (event: NewEvent) => prepareEvent(event, { ts: 1_000 }, redactor);

describe("a long text inside an event", () => {
  it("that fits stays whole, and nothing is kept beside it", () => {
    const text = "x".repeat(IN_EVENT);
    const event = prepared(outputOf(text));
    expect(JSON.parse(event.payload)).toEqual({ itemId: "call_1", text, bytes: IN_EVENT, truncated: false });
    expect([event.truncated, event.whole, event.bytes]).toEqual([false, null, Buffer.byteLength(event.payload)]);
  });

  it("that does not fit leaves both ends, says so, and is kept whole beside the event", () => {
    const text = `begin\n${"middle\n".repeat(2_000)}end`;
    const event = prepared(outputOf(text));
    const payload = JSON.parse(event.payload);
    expect(payload.text.startsWith("begin\nmiddle\n")).toBe(true);
    expect(payload.text.endsWith("middle\nend")).toBe(true);
    expect(payload.text).toMatch(/\n… \d+ bytes left out …\n/);
    expect(Buffer.byteLength(payload.text)).toBeLessThanOrEqual(IN_EVENT);
    expect([payload.truncated, payload.bytes, event.truncated]).toEqual([true, text.length, true]);
    expect(event.whole).toEqual({ id: expect.stringMatching(/^art_/), kind: "event-text", body: text });
  });

  it("is cleaned before it is cut: a cut hides no half of a secret", () => {
    for (let shift = 0; shift < 60; shift++) {
      const text = `${"a".repeat(455 + shift)}${KEY}${"b".repeat(3_000)}`;
      const event = prepared(outputOf(text));
      const stored = `${event.payload}${event.whole?.body}`;
      for (let length = 8; length <= KEY.length; length++) expect(stored, `shift ${shift}`).not.toContain(KEY.slice(0, length));
      expect(event.whole?.body).toContain("[redacted env:KEY]");
    }
  });

  it("keeps no character that a database or a page could not take", () => {
    const event = prepared(outputOf(`a\u0000b\ud800c${"x".repeat(IN_EVENT)}`));
    expect(event.payload).not.toContain("\\u0000");
    expect(/\p{Surrogate}/u.test(event.whole?.body ?? "\ud800")).toBe(false);
    expect(event.whole?.body).not.toContain("\u0000");
  });

  it("may itself be no text: then the payload as a whole is bounded", () => {
    const event = prepared({
      type: "diff",
      // A backend may send anything; payloads are loose.
      payload: { text: 7, bytes: 1, truncated: false, more: "y".repeat(200_000) } as never,
      inEvent: { field: "text", bytes: IN_EVENT },
    });
    expect(Buffer.byteLength(event.payload)).toBeLessThanOrEqual(64 * 1_024);
    expect(event.truncated).toBe(true);
    expect(event.whole?.kind).toBe("event-payload");
  });

  it("beside another that is too long is kept as text, and the payload is bounded all the same", () => {
    const text = "t".repeat(10_000);
    const event = prepared({
      type: "command_output",
      payload: { itemId: "call_1", text, bytes: 10_000, truncated: false, extra: "e".repeat(200_000) },
      inEvent: { field: "text", bytes: IN_EVENT },
    });
    expect(Buffer.byteLength(event.payload)).toBeLessThanOrEqual(64 * 1_024);
    expect(event.whole).toMatchObject({ kind: "event-text", body: text });
  });
});
