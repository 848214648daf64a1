import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import type { Profile } from "./profile.schema";
import { projectSecrets, secretStates } from "./secret-projection";
import { isSecretUnavailableError, parseSecretReference, resolveSecret, secretState } from "./secret-reference";

const VALUES: Record<string, string | undefined> = {
  GOOD: " sk-canary-7f3a9b2c4d5e6f70\n",
  OTHER: "other-secret-1",
  EMPTY: "",
  BLANK: " \t",
  LINES: "one\ntwo",
};
const read = (name: string) => VALUES[name];

function profile(secretRefs: Record<string, string>): Profile {
  return {
    name: "llm-api",
    kind: "openai-chat",
    description: "A profile.",
    defaultModel: "model-1",
    secretRefs,
    concurrency: 1,
    timeoutMs: 1000,
    tokenizer: "o200k",
    tokenizerIsEstimate: true,
  };
}

describe("a secret reference", () => {
  it.each([
    ["env:LLM_API_KEY", "LLM_API_KEY"],
    ["env:_x1", "_x1"],
    ["env:", null],
    ["env:1X", null],
    ["env:A B", null],
    ["ENV:A", null],
    ["sk-pasted-key", null],
  ])("%s names %s", (reference, name) => {
    expect(parseSecretReference(reference)).toBe(name);
  });

  it.each([
    ["env:GOOD", "set"],
    ["env:ABSENT", "missing"],
    ["env:EMPTY", "empty"],
    ["env:BLANK", "whitespace"],
    ["env:LINES", "malformed"],
    ["GOOD", "malformed"],
  ])("%s is %s", (reference, state) => {
    expect(secretState(reference, read)).toBe(state);
  });

  it("gives a trimmed secret that does not print", () => {
    const secret = resolveSecret("env:GOOD", read);
    expect(secret.expose()).toBe("sk-canary-7f3a9b2c4d5e6f70");
    expect(`${secret} ${JSON.stringify(secret)} ${inspect(secret)}`).not.toContain("canary");
    expect(secret.label).toBe("env:GOOD");
  });

  it.each([
    ["env:ABSENT", "The environment variable ABSENT is not set."],
    ["env:EMPTY", "The environment variable EMPTY is set but empty."],
    ["env:BLANK", "The environment variable BLANK is set but blank."],
    ["env:LINES", "The value of LINES holds a line break or another control character, so it cannot be a key."],
    ["sk-canary-7f3a9b2c4d5e6f70", 'The secret reference "sk-c…" is not of the form env:NAME.'],
  ])("%s fails with a sentence", (reference, message) => {
    let caught: unknown;
    try {
      resolveSecret(reference, read);
    } catch (error) {
      caught = error;
    }
    expect(isSecretUnavailableError(caught)).toBe(true);
    expect(caught).toMatchObject({ message, failureKind: "secret-unavailable" });
  });
});

describe("the projection", () => {
  it("holds the profile's secrets and no others", () => {
    const secrets = projectSecrets(profile({ apiKey: "env:GOOD" }), read);
    expect(Object.keys(secrets)).toEqual(["apiKey"]);
    expect(secrets.apiKey?.expose()).toBe("sk-canary-7f3a9b2c4d5e6f70");
    expect(projectSecrets(profile({}), read)).toEqual({});
  });

  it("fails for the first that is missing", () => {
    expect(() => projectSecrets(profile({ apiKey: "env:OTHER", second: "env:ABSENT" }), read)).toThrow("ABSENT is not set");
  });

  it("tells states without values", () => {
    expect(secretStates(profile({ apiKey: "env:GOOD", second: "env:ABSENT" }), read)).toEqual([
      { name: "apiKey", reference: "env:GOOD", state: "set" },
      { name: "second", reference: "env:ABSENT", state: "missing" },
    ]);
  });
});
