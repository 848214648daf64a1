import { expect, it } from "vitest";
import { redactorOf } from "@/server/events/redactor-of";
import { Secret } from "@/server/shared/secret";
import { LONGEST_WRITING, shownWhileWritten } from "./shown-while-written";

const KEY = "sk-canary-written-5d4c3b2a";
const redactor = redactorOf({ key: new Secret(KEY, "env:KEY") });
const shown = (text: string) => shownWhileWritten(text, (each) => redactor.text(each));

it.each([
  ["", ""],
  ["I look at the te", "I look at the"],
  ["I look at the test. ", "I look at the test."],
  ["我来看看测试", "我来看看测试"],
])("of %j it shows %j", (text, expected) => {
  expect(shown(text)).toBe(expected);
});

it("shows no part of a secret at any length of the text", () => {
  const whole = `The key is ${KEY}, in Chinese 密钥${KEY}。 Done. `;
  for (let length = 0; length <= whole.length; length += 1) expect(shown(whole.slice(0, length))).not.toMatch(/sk-can/);
  expect(shown(whole)).toBe("The key is [redacted env:KEY], in Chinese 密钥[redacted env:KEY]。 Done.");
});

it("shows the end of a long text, and no rest of a word that is cut off", () => {
  const long = `${KEY} `.repeat(1_000);
  const text = shown(`${long}The end of it. `);
  expect(text.length).toBe(LONGEST_WRITING + 1);
  expect(text.startsWith("…")).toBe(true);
  expect(text.endsWith(" The end of it.")).toBe(true);
  expect(text).not.toContain("canary");
});
