import { describe, expect, it } from "vitest";
import { Secret } from "@/server/shared/secret";
import { createRedactor } from "./redact";

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
