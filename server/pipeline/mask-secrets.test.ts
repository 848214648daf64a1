import { describe, expect, it } from "vitest";
import { maskOf, maskSecrets } from "./mask-secrets";

/** Made for the tests, in the shape of a real one. 40 characters. */
const KEY = "sk-unit-9f3a7c1e5b2d8046af91c3e7d5b20a86";

describe("maskOf", () => {
  it.each([
    ["api-key", 40, "[masked api-key •••••••••••••••]"],
    ["api-key", 64, `[masked api-key ${"•".repeat(47)}]`],
    ["api-key", 20, "[masked api-key]"],
    ["jwt", 31, "[masked jwt •••]"],
    ["private-key", 1700, `[masked private-key ${"•".repeat(235)}]`],
    ["password", 0, "[masked password]"],
  ])("of a %s of %i characters", (kind, length, mask) => {
    expect(maskOf(kind, length)).toBe(mask);
  });

  it("is as long as the power of two within the secret's length", () => {
    expect([32, 40, 63, 64, 127, 128, 300].map((length) => maskOf("token", length).length)).toEqual([
      32, 32, 32, 64, 64, 128, 256,
    ]);
  });
});

describe("maskSecrets", () => {
  it("replaces a key and keeps the sentence", () => {
    const { text, masked } = maskSecrets(`Token replaced: \`Authorization: Bearer ${KEY}\` (rotate!).`, []);
    expect(text).not.toContain(KEY);
    expect(text).toBe("Token replaced: `Authorization: Bearer [masked api-key •••••••••••••••]` (rotate!).");
    expect(masked).toEqual([{ kind: "api-key", count: 1 }]);
  });

  it("replaces a secret whose characters are escaped, known or by its shape", () => {
    const escaped = [...KEY].map((character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`).join("");
    const mask = `[masked api-key ${"•".repeat(111)}]`;
    expect(maskSecrets(`a "${escaped}" b`, [])).toEqual({ text: `a "${mask}" b`, masked: [{ kind: "api-key", count: 1 }] });
    const known = maskSecrets("a %70a%73sphrase-of-ours b&#112;assphrase-of-ours", ["passphrase-of-ours"]);
    expect(known.text).toBe("a [masked known-secret] b[masked known-secret]");
    expect(maskSecrets(known.text, ["passphrase-of-ours"]).text).toBe(known.text);
  });

  it("replaces known values wherever they stand, also inside words, JSON and addresses", () => {
    const known = 'pa"ss/wörd';
    const { text, masked } = maskSecrets(`a ${known} b x${known}x {"p":"pa\\"ss/wörd"} https://h/?q=pa%22ss%2Fw%C3%B6rd&z=1`, [
      known,
    ]);
    expect(text).toBe(
      'a [masked known-secret] b x[masked known-secret]x {"p":"[masked known-secret]"} https://h/?q=[masked known-secret]&z=1',
    );
    expect(masked).toEqual([{ kind: "known-secret", count: 4 }]);
  });

  it("masks the longer of two known values that share a beginning", () => {
    expect(maskSecrets("tide-and-time", ["tide", "tide-and-time"]).text).toBe("[masked known-secret]");
  });

  it("leaves known values alone that are too short to be told from text", () => {
    expect(maskSecrets("abc abcd", ["", "abc"])).toEqual({ text: "abc abcd", masked: [] });
  });

  it("changes nothing in masked text", () => {
    const raw = [
      `Authorization: Bearer ${KEY}`,
      `API_KEY=${KEY}`,
      "password: Tr0ub4dor&3x",
      "postgres://app:s3cr3tpw@db/x",
      "密码：Qwer1234!",
      `{"token": "${KEY}"}`,
      "masked values like masked",
    ].join("\n");
    const known = ["hunter22", "masked", "known-secret"];
    const once = maskSecrets(`${raw}\nhunter22`, known);
    const twice = maskSecrets(once.text, known);
    expect(once.text).not.toMatch(/9f3a7c1e|Tr0ub4dor|s3cr3tpw|Qwer1234|hunter22/);
    expect(twice).toEqual({ text: once.text, masked: [] });
  });

  it("leaves text without secrets exactly as it is", () => {
    const text = "Decided: rotate keys monthly.\nThe token budget is 1000.\n密码策略：至少十二位。\n";
    expect(maskSecrets(text, [])).toEqual({ text, masked: [] });
  });
});
