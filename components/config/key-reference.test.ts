import { describe, expect, it } from "vitest";
import { isKeyReference, isUnfinishedReference, lineOfLiteralKey, suggestedKeyReference } from "./key-reference";

const PASTED = "sk-canary-9f8e7d6c5b4a39281706f5e4d3c2b1a0";

describe("a key reference", () => {
  it("has one of three forms", () => {
    expect(["env:LLM_API_KEY", `$${"{LLM_API_KEY}"}`, "file:/run/secrets/llm key"].map(isKeyReference)).toEqual([
      true,
      true,
      true,
    ]);
    expect([PASTED, "", "env:", "env:1A", "ENV:A", "$A", `x$${"{A}"}`, "file:relative", "file:/"].filter(isKeyReference)).toEqual(
      [],
    );
  });

  it("may be half typed", () => {
    expect(
      ["", "e", "env", "env:", "env:A", "$", `$${"{"}`, `$${"{A"}`, "f", "file:", "file:/"].every(isUnfinishedReference),
    ).toBe(true);
    expect([PASTED, "s", "env:-", "$x", "filet"].filter(isUnfinishedReference)).toEqual([]);
  });

  it("is suggested from the provider's name", () => {
    expect(["openai", "minimax-api", "my.own", "9router", "--"].map(suggestedKeyReference)).toEqual([
      "env:OPENAI_API_KEY",
      "env:MINIMAX_API_KEY",
      "env:MY_OWN_API_KEY",
      "env:_9ROUTER_API_KEY",
      "",
    ]);
  });
});

describe("lineOfLiteralKey", () => {
  it("finds a key in every way of writing an entry", () => {
    expect(lineOfLiteralKey(`providers:\n  a:\n    apiKey: ${PASTED}\n`)).toBe(3);
    expect(lineOfLiteralKey(`providers: { a: { apiKey: "${PASTED}" } }`)).toBe(1);
    expect(lineOfLiteralKey(`\n{"apiKey":'${PASTED}'}`)).toBe(2);
    expect(lineOfLiteralKey(`apiKey: env:A\napiKey:\n  ${PASTED}`)).toBe(3);
    expect(lineOfLiteralKey(`# apiKey: ${PASTED}`)).toBe(1);
  });

  it("takes references, empty values and comments for what they are", () => {
    const text = `a:\n  apiKey: env:A # the key\n  apiKey: "$${"{A}"}"\n  apiKey: $${"{A}"}\n  apiKey: *shared\n  apiKey: file:/run/key\n  apiKey:\n  apiKey: null\n# apiKey: never the key itself\n  apiKey:\n  profile: openai\n`;
    expect(lineOfLiteralKey(text)).toBeNull();
  });
});
