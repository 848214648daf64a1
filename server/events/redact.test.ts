import { describe, expect, it } from "vitest";
import { Secret } from "@/server/shared/secret";
import { seededRandom } from "@/server/testing/random-markdown";
import { createRedactor } from "./redact";
import { createStreamRedactor } from "./redact-stream";

const VALUE = "Zq/8+x&7\"Kü<mN>4'p?=w";
const redactor = createRedactor([new Secret(VALUE, "env:LLM_API_KEY")]);

describe("a known secret", () => {
  const json = JSON.stringify(VALUE).slice(1, -1);
  it.each([
    ["plain", VALUE],
    ["JSON-escaped", json],
    ["JSON in JSON", JSON.stringify(json).slice(1, -1)],
    ["URL-encoded", encodeURIComponent(VALUE)],
    ["URL-encoded in lower case", encodeURIComponent(VALUE).replace(/%../g, (code) => code.toLowerCase())],
    ["form-encoded", new URLSearchParams({ v: VALUE }).toString().slice(2)],
    ["hex", Buffer.from(VALUE).toString("hex")],
  ])("is masked whole when %s", (_name, spelling) => {
    expect(redactor.text(`before ${spelling} after`)).toBe("before [redacted env:LLM_API_KEY] after");
  });

  it.each(["", "a", "ab", "abc", "user:", "[1,2,3]"])("is masked in the base64 of a longer text (%j before it)", (before) => {
    for (const encoding of ["base64", "base64url"] as const) {
      const encoded = Buffer.from(`${before}${VALUE}!tail`).toString(encoding);
      const masked = redactor.text(`x ${encoded} y`);
      expect(masked).toContain("[redacted env:LLM_API_KEY]");
      const left = Buffer.from(masked.replace(/\[redacted [^\]]+\]/, "").replace(/^x | y$/g, ""), "base64").toString("latin1");
      expect(left).not.toContain(VALUE.slice(2, -2));
    }
  });

  it("is masked by its longest spelling and keeps its label where a pattern finds it as well", () => {
    const key = "sk-proj-abcdEFGH1234567890abcd";
    expect(createRedactor([new Secret(key, "env:KEY")]).text(`api_key=${key}`)).toBe("api_key=[redacted env:KEY]");
  });

  it("of several lines is masked line by line", () => {
    const pem = "-----BEGIN X-----\nabcdefghijklmnop1234\nqrstuvwxyz567890abcd\n-----END X-----";
    const masked = createRedactor([new Secret(pem, "file")]).text("log: qrstuvwxyz567890abcd");
    expect(masked).toBe("log: [redacted file]");
  });

  it("of four or five characters is masked only where it stands alone", () => {
    const short = createRedactor([new Secret("tiger", "env:PIN")]);
    expect(short.text("tiger, tigers and tiger5")).toBe("[redacted env:PIN], tigers and tiger5");
  });

  it("of three characters or blanks is not masked by value", () => {
    expect(createRedactor([new Secret("abc", "a"), new Secret("    ", "b"), new Secret("", "c")]).text("abc     def")).toBe(
      "abc     def",
    );
  });
});

describe("a known secret in escapes", () => {
  const key = "sk-canary/7f3a9b2c+4d5e6f70QqLm";
  const byKey = createRedactor([new Secret(key, "env:KEY")]);
  const hex = (character: string, width: number) => character.charCodeAt(0).toString(16).padStart(width, "0");
  const SPELLINGS: Record<string, (character: string) => string> = {
    json: (character) => `\\u${hex(character, 4)}`,
    jsonUpper: (character) => `\\u${hex(character, 4).toUpperCase()}`,
    jsonTwice: (character) => `\\\\u${hex(character, 4)}`,
    jsonThrice: (character) => `\\\\\\\\u${hex(character, 4)}`,
    script: (character) => `\\x${hex(character, 2)}`,
    braces: (character) => `\\u{${hex(character, 2)}}`,
    entity: (character) => `&#x${hex(character, 2)};`,
    decimal: (character) => `&#${character.charCodeAt(0)};`,
    percent: (character) => `%${hex(character, 2)}`,
    percentTwice: (character) => `%25${hex(character, 2)}`,
    slash: (character) => (character === "/" ? "\\/" : character),
    plain: (character) => character,
  };
  const masked = "before [redacted env:KEY] after";

  it.each(Object.entries(SPELLINGS))("of the kind %s is masked whole, all of it or every third character", (_name, spell) => {
    expect(byKey.text(`before ${[...key].map(spell).join("")} after`)).toBe(masked);
    expect(
      byKey.text(`before ${[...key].map((character, at) => (at % 3 === 0 ? spell(character) : character)).join("")} after`),
    ).toBe(masked);
  });

  it("is masked in any mix of them, as a whole and in pieces", () => {
    const random = seededRandom(13);
    const spellings = Object.values(SPELLINGS);
    for (let round = 0; round < 300; round++) {
      const text = `before ${[...key].map((character) => random.pick(spellings)(character)).join("")} after`;
      expect(byKey.text(text)).toBe(masked);
      expect(byKey.containsSecret(text)).toBe(true);
      expect(byKey.json({ a: [text] })).toEqual({ a: [masked] });
      const size = 1 + random.below(60);
      const stream = createStreamRedactor(byKey);
      let out = "";
      for (let at = 0; at < text.length; at += size) out += stream.push(text.slice(at, at + size));
      expect(out + stream.end()).toBe(masked);
    }
  });

  it("is masked where its base64 or its label is escaped", () => {
    const encoded = Buffer.from(`user:${key}`).toString("base64").replaceAll("=", "\\u003d").replaceAll("+", "%2B");
    expect(byKey.text(`x ${encoded} y`)).not.toContain(encoded.slice(8, 24));
    expect(byKey.text(String.raw`{"a":"\u0070assword: hunter2!"}`)).toBe(String.raw`{"a":"\u0070assword: [redacted password]"}`);
    expect(byKey.text(String.raw`\u0073k-proj-abcdEFGH1234567890abcd`)).toBe("[redacted api-key]");
    expect(byKey.text("next=https%3A%2F%2Fann%3Aletmein1%40host")).toBe(
      "next=https%3A%2F%2Fann%3A[redacted url-credential]%40host",
    );
  });

  it("leaves escapes that spell no secret as they are", () => {
    const text = String.raw`caf\u00e9 &#8212; 100%25 C:\\x41 https://x.test/?q=a%20b`;
    expect(byKey.text(text)).toBe(text);
    expect(byKey.ranges(text)).toEqual([]);
  });
});

describe("a known secret in base64", () => {
  const key = "sk-canary-7f3a9b2c4d5e6f70QqLm";

  it.each([key, `${key}1`, `${key}12`])("of any length leaves none of its characters (%s)", (value) => {
    const known = createRedactor([new Secret(value, "env:KEY")]);
    for (const before of ["", "x", "yy", "Bearer ", "user:"]) {
      for (const encoding of ["base64", "base64url"] as const) {
        const whole = Math.floor(before.length / 3) * 3;
        const kept = Buffer.from(before.slice(0, whole)).toString(encoding);
        expect(known.text(`(${Buffer.from(before + value).toString(encoding)})`)).toBe(`(${kept}[redacted env:KEY])`);
      }
    }
  });

  it("takes nothing with it that is not of the same base64", () => {
    const core = Buffer.from(`yy${key}`).toString("base64").slice(3, -4);
    const known = createRedactor([new Secret(key, "env:KEY")]);
    // The bits of the neighbours do not fit the secret, so they are other text.
    expect(known.text(`AAA${core}`).startsWith("AAA")).toBe(true);
  });
});

describe("json", () => {
  it("keeps the structure and masks values, keys, and values under telling keys", () => {
    const input = {
      text: `say ${VALUE}`,
      [VALUE]: 1,
      headers: { authorization: "Bearer abcdef123456", accept: "text/plain" },
      password: "hunter2",
      tokens: 12,
      token: "the",
      list: [null, true, "token: abcdef1234567890"],
      when: undefined,
    };
    expect(redactor.json(input)).toEqual({
      text: "say [redacted env:LLM_API_KEY]",
      "[redacted env:LLM_API_KEY]": 1,
      headers: { authorization: "Bearer [redacted bearer-token]", accept: "text/plain" },
      password: "[redacted password]",
      tokens: 12,
      token: "the",
      list: [null, true, "token: [redacted token]"],
      when: undefined,
    });
  });

  it("does not follow __proto__ and does not fall over depth", () => {
    const hostile: unknown = JSON.parse('{"__proto__":{"password":"hunter2"}}');
    const masked = redactor.json(hostile);
    expect(JSON.stringify(masked)).toBe('{"__proto__":{"password":"[redacted password]"}}');
    const deep: unknown = JSON.parse(`${"[".repeat(5000)}1${"]".repeat(5000)}`);
    expect(JSON.stringify(redactor.json(deep))).toContain("[too deep]");
  });
});

describe("the redactor", () => {
  it("is idempotent", () => {
    const text = `password: hunter2, ${VALUE}, postgres://u:secret1@h/d, Authorization: Bearer abcdef123456, -----BEGIN PRIVATE KEY-----\nabcdefghijklmnopqrst\n-----END PRIVATE KEY-----`;
    const once = redactor.text(text);
    expect(redactor.text(once)).toBe(once);
    expect(once).toBe(
      "password: [redacted password], [redacted env:LLM_API_KEY], postgres://u:[redacted url-credential]@h/d, Authorization: Bearer [redacted bearer-token], -----BEGIN PRIVATE KEY-----[redacted private-key]-----END PRIVATE KEY-----",
    );
  });

  it("says whether a text holds a secret", () => {
    expect(redactor.containsSecret(`x${VALUE}`)).toBe(true);
    expect(redactor.containsSecret("password: hunter2")).toBe(true);
    expect(redactor.containsSecret("nothing here")).toBe(false);
  });
});
