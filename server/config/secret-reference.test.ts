import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import {
  isSecretUnavailableError,
  looksLikeReference,
  parseSecretReference,
  resolveSecret,
  secretState,
  shownReference,
} from "./secret-reference";
import type { SecretReaders, SourceReading } from "./secret-source";

const CANARY = "sk-canary-7f3a9b2c4d5e6f70";
const VARIABLES: Record<string, string | undefined> = {
  GOOD: CANARY,
  SPACED: ` ${CANARY}\n`,
  DOLLARS: "a$b${GOOD}$$c$1",
  EMPTY: "",
  BLANK: " \t",
  LINES: "one\ntwo",
  WIDE: "sk-canary\u200b7f3a",
  LATIN: "cl\u00e9",
};
const FILES: Record<string, SourceReading> = {
  "/run/key:apiKey": { state: "read", text: `${CANARY}\n` },
  "/run/windows:apiKey": { state: "read", text: `${CANARY}\r\n` },
  "/run/spaced:apiKey": { state: "read", text: ` ${CANARY}\n\n` },
  "/run/lines:apiKey": { state: "read", text: "one\ntwo\n" },
  "/run/blank:apiKey": { state: "read", text: "\n" },
  "/run/none:apiKey": { state: "read", text: "" },
  "/run/locked:apiKey": { state: "unreadable", problem: "this process may not read the file" },
};
const readers: SecretReaders = {
  variable: (name) => VARIABLES[name],
  file: (file, key) => FILES[`${file}:${key}`] ?? { state: "missing", problem: "there is no such file" },
};

describe("a secret reference", () => {
  it.each([
    ["env:LLM_API_KEY", { form: "variable", name: "LLM_API_KEY" }],
    ["env:_x1", { form: "variable", name: "_x1" }],
    ["${LLM_API_KEY}", { form: "variable", name: "LLM_API_KEY" }],
    ["file:/run/secrets/openrouter", { form: "file", path: "/run/secrets/openrouter" }],
    ["file:///run/key", { form: "file", path: "/run/key" }],
    ["file:/Schlüssel/密钥", { form: "file", path: "/Schlüssel/密钥" }],
    ["env:", null],
    ["env:1X", null],
    ["env:A B", null],
    ["env:A\n", null],
    ["ENV:A", null],
    ["$A", null],
    ["${}", null],
    ["${1X}", null],
    ["${env:A}", null],
    ["${A}x", null],
    ["x${A}", null],
    ["file:", null],
    ["file:/", null],
    ["file:relative", null],
    ["file://host/key", null],
    ["file:/run/a\nb", null],
    ["sk-pasted-key", null],
  ])("%s is read as %j", (text, reference) => {
    expect(parseSecretReference(text)).toEqual(reference);
  });

  it.each([
    ["env:", true],
    ["Env:A", true],
    ["file:x", true],
    ["${", true],
    ["$A", true],
    ["$2b$10$abcdefghijklmnopqrstuv", false],
    ["sk-pasted-key", false],
    ["environment", false],
    ["A", false],
  ])("%s was meant as one: %s", (text, meant) => {
    expect(looksLikeReference(text)).toBe(meant);
  });

  it("is shown, but what may be a key is not", () => {
    expect(shownReference("env:GOOD")).toBe("env:GOOD");
    expect(shownReference(CANARY)).toBe("(not a reference)");
  });

  it.each([
    ["env:GOOD", "set"],
    ["${GOOD}", "set"],
    ["env:LATIN", "set"],
    ["env:SPACED", "stray_whitespace"],
    ["env:ABSENT", "missing"],
    ["env:EMPTY", "empty"],
    ["env:BLANK", "empty"],
    ["env:LINES", "malformed"],
    ["env:WIDE", "malformed"],
    ["GOOD", "malformed"],
    ["file:/run/key", "set"],
    ["file:/run/windows", "set"],
    ["file:/run/spaced", "stray_whitespace"],
    ["file:/run/lines", "malformed"],
    ["file:/run/blank", "empty"],
    ["file:/run/locked", "unreadable"],
    ["file:/run/absent", "missing"],
  ])("%s is %s", (reference, state) => {
    expect(secretState(reference, "apiKey", readers)).toBe(state);
  });

  it.each(["env:SPACED", "${SPACED}", "file:/run/spaced"])("gives a trimmed secret that does not print (%s)", (reference) => {
    const secret = resolveSecret({ path: "providers.x.apiKey", reference }, readers);
    expect(secret.expose()).toBe(CANARY);
    expect(`${secret} ${JSON.stringify(secret)} ${inspect(secret)}`).not.toContain("canary");
    expect(secret.label).toBe(reference);
  });

  it("never expands a $ inside a value", () => {
    expect(resolveSecret({ path: "p", reference: "env:DOLLARS" }, readers).expose()).toBe("a$b${GOOD}$$c$1");
  });

  it.each([
    ["env:ABSENT", "missing", "env:ABSENT is missing: the environment variable ABSENT is not set."],
    ["${ABSENT}", "missing", "${ABSENT} is missing: the environment variable ABSENT is not set."],
    ["env:EMPTY", "empty", "env:EMPTY is missing: the environment variable EMPTY is set but empty."],
    ["env:BLANK", "empty", "env:BLANK is missing: the environment variable BLANK is set but blank."],
    [
      "env:LINES",
      "malformed",
      "env:LINES is malformed: the environment variable LINES holds a line break or another character that a key cannot have.",
    ],
    ["file:/run/absent", "missing", "file:/run/absent is missing: there is no such file."],
    ["file:/run/none", "empty", "file:/run/none is missing: the file is empty."],
    ["file:/run/blank", "empty", "file:/run/blank is missing: the file is blank."],
    ["file:/run/locked", "unreadable", "file:/run/locked is unreadable: this process may not read the file."],
    [
      "file:/run/lines",
      "malformed",
      "file:/run/lines is malformed: the file holds a line break or another character that a key cannot have.",
    ],
  ])("%s fails with a sentence", (reference, state, rest) => {
    const error = errorOf(() => resolveSecret({ path: "providers.openrouter.apiKey", reference }, readers));
    expect(isSecretUnavailableError(error)).toBe(true);
    expect(error).toMatchObject({
      message: `providers.openrouter.apiKey: ${rest}`,
      failureKind: "secret-unavailable",
      reference,
      state,
    });
  });

  it("that is a pasted key fails without any part of it", () => {
    const error = errorOf(() => resolveSecret({ path: "providers.x.apiKey", reference: CANARY }, readers));
    expect(error).toMatchObject({
      message:
        "providers.x.apiKey: what is written here is no reference to a secret. Write env:NAME, ${NAME} or file:/absolute/path.",
      reference: "(not a reference)",
      state: "malformed",
    });
    expect(inspect(error)).not.toContain("canary");
  });
});

function errorOf(action: () => unknown): unknown {
  try {
    action();
  } catch (error) {
    return error;
  }
  return undefined;
}
