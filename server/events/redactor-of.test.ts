import { expect, it } from "vitest";
import { Secret } from "@/server/shared/secret";
import { prepareEvent } from "./event-writes.store";
import { redactorOfNow } from "./redactor-of";

it("knows what is known by the time it is asked, in everything that it is asked", () => {
  const value = "plain-looking words of a key";
  let known = {};
  const redactor = redactorOfNow(() => known);
  const text = `it said ${value}.`;
  expect([redactor.text(text), redactor.containsSecret(text), redactor.longestForm]).toEqual([text, false, 0]);
  known = { "env:KEY": new Secret(value, "env:KEY") };
  expect(redactor.text(text)).toBe("it said [redacted env:KEY].");
  expect(redactor.json({ text })).toEqual({ text: "it said [redacted env:KEY]." });
  expect(redactor.containsSecret(text)).toBe(true);
  expect(redactor.ranges(text)).toMatchObject([{ start: 8, end: 8 + value.length }]);
  expect(redactor.longestForm).toBeGreaterThanOrEqual(value.length);
  const event = prepareEvent({ type: "run_paused", payload: { reason: text } }, { ts: 1 }, redactor);
  expect(JSON.stringify(event)).not.toContain(value);
});
