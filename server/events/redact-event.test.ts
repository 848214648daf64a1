import { expect, it } from "vitest";
import { Secret } from "@/server/shared/secret";
import type { NewEvent } from "./event.schema";
import { redactEvent } from "./redact-event";
import { redactorOf } from "./redactor-of";

const KEY = "sk-canary-1a2b3c4d5e6f7a8b";
const redactor = redactorOf({ apiKey: new Secret(KEY, "env:KEY") });

it("every text of the payload is cleaned, and the event stays what it was", () => {
  const event: NewEvent = {
    type: "command_output",
    payload: { itemId: `call_${KEY}`, text: `KEY=${KEY}\n`, bytes: 31, truncated: false, deep: [{ more: [KEY] }] },
    inEvent: { field: "text", bytes: 16_384 },
  };
  expect(redactEvent(event, redactor)).toEqual({
    type: "command_output",
    payload: {
      itemId: "call_[redacted env:KEY]",
      text: "KEY=[redacted env:KEY]\n",
      bytes: 31,
      truncated: false,
      deep: [{ more: ["[redacted env:KEY]"] }],
    },
    inEvent: { field: "text", bytes: 16_384 },
  });
  expect(event.payload.text).toBe(`KEY=${KEY}\n`);
});

it("a payload without secrets is the same", () => {
  const event: NewEvent = { type: "terminal_status", payload: { status: "completed", turnId: "t-1" } };
  expect(redactEvent(event, redactor)).toEqual(event);
});
