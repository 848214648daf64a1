import { describe, expect, it } from "vitest";
import { Secret } from "@/server/shared/secret";
import { createRedactor } from "./redact";
import { createStreamRedactor } from "./redact-stream";

const VALUE = "canary value with blanks 42";
const redactor = createRedactor([new Secret(VALUE, "env:KEY"), new Secret("sk-canary-7f3a9b2c4d5e6f70", "env:OTHER")]);

function stream(pieces: readonly string[]): string {
  const stream = createStreamRedactor(redactor);
  return pieces.map((piece) => stream.push(piece)).join("") + stream.end();
}

function split(text: string, size: number): string[] {
  return Array.from({ length: Math.ceil(text.length / size) }, (_, index) => text.slice(index * size, (index + 1) * size));
}

const KEY_BLOCK = `-----BEGIN RSA PRIVATE KEY-----\n${"MIIEpAIBAAKCAQEA7bq4abcDEF123\n".repeat(40)}-----END RSA PRIVATE KEY-----`;
const TEXTS = {
  ordinary: "One line.\nAnother line, 漢字 and 😀.\n",
  known: `first ${VALUE} then sk-canary-7f3a9b2c4d5e6f70\nend`,
  labelled: 'a\npassword: hunter2 and more\n"token": "abcdef1234567890"\nb',
  labelBefore: "api_key:\n  abcdef1234567890\nb",
  pem: `before\n${KEY_BLOCK}\nafter password: hunter2\n`,
  longLine: `${"word ".repeat(300)}password: hunter2 ${"word ".repeat(300)}`,
};

describe("a text in pieces", () => {
  it.each(Object.entries(TEXTS))("%s comes out as the whole would, however it is split", (_name, text) => {
    const whole = redactor.text(text);
    for (const size of [1, 2, 3, 7, 64, 500, 10_000]) expect(stream(split(text, size)), `pieces of ${size}`).toBe(whole);
  });

  it("lets complete lines go at once and holds the last one back", () => {
    const open = createStreamRedactor(redactor);
    // The end of the line is still within reach of a known secret that may go on.
    expect(open.push("first line is here and long enough\nsecond")).toBe("");
    expect(open.push(` goes on for a while, longer than any secret that is known\nthird`)).toBe(
      "first line is here and long enough\n",
    );
    expect(open.end()).toBe("second goes on for a while, longer than any secret that is known\nthird");
  });

  it("never lets go of a long unbroken secret in part", () => {
    const token = `eyJhbGciOiJIUzI1NiJ9.${"aB3".repeat(600)}.${"xY9".repeat(300)}`;
    for (const size of [1, 10, 100, 1000]) {
      const out = stream(split(`token ${token} end`, size));
      expect(out).toBe("token [redacted jwt] end");
    }
  });

  it.each([VALUE, "password: hunter2", KEY_BLOCK])("finds the secret that a long unbroken run leads into (%#)", (secret) => {
    const run = `sk-canary-7f3a9b2c4d5e6f70${"B".repeat(700)}`;
    for (const size of [1, 10, 100, 10_000]) {
      const out = stream(split(`${run}${secret} and the end`, size));
      expect(out).not.toMatch(/canary|blanks|hunter2|MIIE/);
      expect(out).toContain(" and the end");
    }
  });

  it("masks a private key that never ends", () => {
    const out = stream(split(`x -----BEGIN PRIVATE KEY-----\n${"MIIEpAIBAAKCAQEA7bq4abcDEF123\n".repeat(40)}`, 33));
    expect(out).toBe("x -----BEGIN PRIVATE KEY-----[redacted private-key]");
  });

  it("never cuts between two surrogates", () => {
    const open = createStreamRedactor(redactor);
    const out = split("😀".repeat(2000), 99).map((piece) => open.push(piece));
    out.push(open.end());
    expect(out.join("")).toBe("😀".repeat(2000));
    for (const piece of out) expect(piece).not.toMatch(/\p{Surrogate}/u);
  });
});
