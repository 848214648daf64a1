import { describe, expect, it } from "vitest";
import { projectModel, projectProvider, resolveBaseUrl, secretStates } from "./secret-projection";
import { isSecretUnavailableError } from "./secret-reference";
import type { SecretReaders } from "./secret-source";

const VARIABLES: Record<string, string | undefined> = {
  GOOD: " sk-canary-7f3a9b2c4d5e6f70\n",
  OTHER: "other-secret-1",
  EMPTY: "",
  URL: " https://api.test/v1/ ",
  HOST: "api.test",
  NESTED: "https://${HOST}/v1",
  WITH_USER: "https://user:canary@api.test/v1",
  WITH_QUERY: "https://api.test/v1?key=canary",
  NO_ADDRESS: "sk-canary-7f3a9b2c4d5e6f70",
};
const asked: string[] = [];
const readers: SecretReaders = {
  variable: (name) => {
    asked.push(name);
    return VARIABLES[name];
  },
  file: () => ({ state: "missing", problem: "there is no such file" }),
};

function settings(secretRefs: Record<string, string>, baseUrl: string | null = null) {
  return { name: "openrouter", baseUrl, secretRefs };
}

describe("the projection", () => {
  it("holds the provider's secrets and no others, and reads no others", () => {
    asked.length = 0;
    const { baseUrl, secrets } = projectProvider(settings({ apiKey: "env:GOOD" }, "${URL}"), readers);
    expect(baseUrl).toBe("https://api.test/v1");
    expect(Object.keys(secrets)).toEqual(["apiKey"]);
    expect(secrets.apiKey?.expose()).toBe("sk-canary-7f3a9b2c4d5e6f70");
    expect(asked).toEqual(["GOOD", "URL"]);
    expect(projectProvider(settings({}), readers)).toEqual({ baseUrl: null, secrets: {} });
  });

  it("reads anew at each call", () => {
    const values = ["first", "second"];
    const changing: SecretReaders = { ...readers, variable: () => values.shift() };
    const read = () => projectProvider(settings({ apiKey: "env:GOOD" }), changing).secrets.apiKey?.expose();
    expect([read(), read()]).toEqual(["first", "second"]);
  });

  it("fails for the first that is missing", () => {
    expect(() => projectProvider(settings({ apiKey: "env:OTHER", second: "env:ABSENT" }), readers)).toThrow(
      "providers.openrouter.second: env:ABSENT is missing: the environment variable ABSENT is not set.",
    );
  });

  it("gives a model with its key, or without one", () => {
    const model = projectModel(settings({ apiKey: "env:OTHER" }, "https://${HOST}/v1/"), "vendor/model:free", readers);
    expect({ ...model, apiKey: model.apiKey?.expose() }).toEqual({
      baseUrl: "https://api.test/v1",
      apiKey: "other-secret-1",
      model: "vendor/model:free",
    });
    expect(projectModel(settings({}), "mock-1", readers)).toEqual({ baseUrl: null, apiKey: null, model: "mock-1" });
  });

  it("tells states without values", () => {
    const states = secretStates(
      settings({ apiKey: "env:GOOD", second: "env:ABSENT", third: "sk-canary-7f3a" }, "https://${HOST}/${EMPTY}"),
      readers,
    );
    expect(states).toEqual([
      { name: "apiKey", reference: "env:GOOD", state: "stray_whitespace" },
      { name: "second", reference: "env:ABSENT", state: "missing" },
      { name: "third", reference: "(not a reference)", state: "malformed" },
      { name: "baseUrl", reference: "${HOST}", state: "set" },
      { name: "baseUrl", reference: "${EMPTY}", state: "empty" },
    ]);
  });
});

describe("the address of a provider", () => {
  it.each([
    [null, null],
    ["https://api.test/v1/", "https://api.test/v1"],
    ["${URL}", "https://api.test/v1"],
    ["${URL}/more", "https://api.test/v1/more"],
    ["https://${HOST}:8443/v1", "https://api.test:8443/v1"],
  ])("%s becomes %s", (baseUrl, value) => {
    expect(resolveBaseUrl({ name: "x", baseUrl }, readers)).toBe(value);
  });

  it.each([
    ["${ABSENT}", "${ABSENT} is missing: the environment variable ABSENT is not set."],
    ["${EMPTY}", "${EMPTY} is missing: the environment variable EMPTY is set but empty."],
    ["${NO_ADDRESS}", "the address that ${NO_ADDRESS} gives is not an http:// or https:// address."],
    [
      "${WITH_USER}",
      "the address that ${WITH_USER} gives holds a user name or password, which do not belong in an address; remove them, and name a key as apiKey: env:NAME.",
    ],
    [
      "${WITH_QUERY}",
      "the address that ${WITH_QUERY} gives holds a query or a fragment (? or #); give the base of the API only, up to /v1, and put the key into apiKey.",
    ],
    ["${NESTED}", "the address that ${NESTED} gives holds ${ in the value of a variable; variables are filled in once only."],
    ["${HOST}${OTHER}", "the address that ${HOST}, ${OTHER} give is not an http:// or https:// address."],
    ["api.test", "the address is not an http:// or https:// address."],
    ["${env:URL}", 'holds a "${" that is no variable. Write ${NAME}.'],
  ])("%s is refused with a sentence that holds no value", (baseUrl, rest) => {
    let message = "";
    try {
      resolveBaseUrl({ name: "x", baseUrl }, readers);
    } catch (error) {
      if (isSecretUnavailableError(error)) message = error.message;
    }
    expect(message).toBe(`providers.x.baseUrl: ${rest}`);
    expect(message).not.toContain("canary");
  });
});
