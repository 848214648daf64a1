import { describe, expect, it } from "vitest";
import { loadEnv } from "@/server/env";
import { parseConfigText } from "./config-yaml";
import { firstDocumentText } from "./first-document";
import { resolveModel } from "./resolve-model";

const KEY = { LLM_API_KEY: "sk-canary-7f3a9b2c4d5e6f70" };

function first(source: Record<string, string>) {
  const { text, problems } = firstDocumentText(loadEnv(source));
  const parsed = parseConfigText(text);
  expect(parsed.problems).toEqual([]);
  expect(text).not.toContain("canary");
  return { text, problems, document: parsed.document };
}

const NOTHING = { models: { default: "extractive/extractive-1" } };

describe("the first document", () => {
  it("picks sentences and shows how to add a provider when nothing is set", () => {
    expect(first({})).toEqual({
      text: `# Which model does which job. Every change is kept as a revision; runs keep the one they started with.
# Keys never stand here, only where they are: env:NAME, \${NAME} or file:/path.

# To use a model of an API, add it and name it below, for example:
#
# providers:
#   openrouter:
#     baseUrl: https://openrouter.ai/api/v1
#     apiKey: env:OPENROUTER_API_KEY

# A job without a line of its own uses default. extractive/extractive-1 needs no key and no network: it picks sentences of the
# text itself. For the provider above it would be, for example: openrouter/openrouter/auto
models:
  default: extractive/extractive-1
`,
      problems: [],
      document: NOTHING,
    });
  });

  it("has the provider that two variables name", () => {
    expect(first({ ...KEY, LLM_API_URL: "https://api.minimax.io/v1" }).text).toBe(
      `# Which model does which job. Every change is kept as a revision; runs keep the one they started with.
# Keys never stand here, only where they are: env:NAME, \${NAME} or file:/path.

providers:
  # Made of LLM_API_URL and LLM_API_KEY, for api.minimax.io. Both are read when a request needs them.
  minimax-api:
    baseUrl: \${LLM_API_URL}
    apiKey: env:LLM_API_KEY
    profile: minimax-api

# Which model does which job. A job without a line of its own uses default.
models:
  default: minimax-api/MiniMax-M2
`,
    );
  });

  it.each([
    ["https://api.openai.com/v1", "llm-api", "openai", "gpt-4o-mini"],
    ["https://api.minimax.io/v1", "minimax-api", "minimax-api", "MiniMax-M2"],
    ["https://eu.api.minimaxi.com/v1/", "minimax-api", "minimax-api", "MiniMax-M2"],
    ["https://api.deepseek.com", "llm-api", "deepseek-api", "deepseek-v4-flash"],
    ["https://openrouter.ai/api/v1", "llm-api", "openrouter", "openrouter/auto"],
    ["https://api.minimax.io.evil.test/v1", "llm-api", "openai-chat", "default"],
    ["http://127.0.0.1:11434/v1", "llm-api", "openai-chat", "default"],
  ])("for %s has %s of the profile %s with the model %s", (url, name, profile, model) => {
    const { document, problems } = first({ ...KEY, LLM_API_URL: url });
    expect(problems).toEqual([]);
    expect(document).toEqual({
      providers: { [name]: { baseUrl: "${LLM_API_URL}", apiKey: "env:LLM_API_KEY", profile } },
      models: { default: `${name}/${model}` },
    });
    expect(document && resolveModel(document, "extract")).toEqual({
      ok: true,
      value: { baseUrl: "${LLM_API_URL}", apiKey: "env:LLM_API_KEY", model },
    });
  });

  it.each(["MiniMax-M3", "vendor/model:free", "a: b # c", "模型", 'quo"te', "{x}"])("takes LLM_MODEL %s", (model) => {
    const { document } = first({ ...KEY, LLM_API_URL: "https://api.minimax.io/v1", LLM_MODEL: model });
    expect(document?.models).toEqual({ default: `minimax-api/${model}` });
  });

  it("takes LLM_CONCURRENCY when it is not the usual one", () => {
    const at = (concurrency: string) =>
      first({ ...KEY, LLM_API_URL: "https://api.test/v1", LLM_CONCURRENCY: concurrency }).document?.providers?.["llm-api"]
        ?.concurrency;
    expect([at("8"), at("64"), at("")]).toEqual([8, undefined, undefined]);
  });

  it.each<[Record<string, string>, string]>([
    [
      { LLM_API_URL: "https://api.test/v1" },
      "LLM_API_URL is set but LLM_API_KEY is not, so no provider uses it. Set LLM_API_KEY to the key of that API.",
    ],
    [
      KEY,
      "LLM_API_KEY is set but LLM_API_URL is not, so no provider uses it. Set LLM_API_URL to the base of the API, up to /v1.",
    ],
    [{ ...KEY, LLM_API_URL: "not an address" }, "LLM_API_URL is not an http:// or https:// address, so no provider uses it."],
    [{ ...KEY, LLM_API_URL: "ftp://api.test/v1" }, "LLM_API_URL is not an http:// or https:// address, so no provider uses it."],
    [{ ...KEY, LLM_API_URL: "https://${HOST}/v1" }, "LLM_API_URL is not an http:// or https:// address, so no provider uses it."],
    [
      { ...KEY, LLM_API_URL: "https://user:canary@api.test/v1" },
      "LLM_API_URL holds a user name or password. Put the key into LLM_API_KEY and leave the address without it.",
    ],
    [
      { ...KEY, LLM_API_URL: "https://api.test/v1?key=canary" },
      "LLM_API_URL holds a query or a fragment (? or #). Give the base of the API only, up to /v1, and put the key into LLM_API_KEY.",
    ],
    [
      { ...KEY, LLM_API_URL: "https://api.test/v1", LLM_MODEL: "m".repeat(201) },
      "LLM_MODEL is longer than 200 characters, so no provider uses it. Set it to the name of a model.",
    ],
    [
      { ...KEY, LLM_API_URL: "https://api.test/v1", LLM_MODEL: "a\nb" },
      "LLM_MODEL holds a line break or another control character, so no provider uses it. Set it to the name of a model.",
    ],
  ])("leaves out a half-made provider and says why (%#)", (source, problem) => {
    expect(first(source)).toMatchObject({ document: NOTHING, problems: [problem] });
  });

  it("warns of an address that names an endpoint", () => {
    const { document, problems } = first({ ...KEY, LLM_API_URL: "https://api.test/v1/chat/completions/" });
    expect(problems).toEqual([
      "LLM_API_URL ends in /chat/completions, which every request adds by itself. Give the base of the API only, up to /v1.",
    ]);
    expect(document?.models).toEqual({ default: "llm-api/default" });
  });

  it("warns of a key sent without encryption, but not on private networks", () => {
    const at = (url: string) => first({ ...KEY, LLM_API_URL: url }).problems;
    expect(at("http://api.test/v1")).toEqual([
      "LLM_API_URL sends the key to api.test without encryption. Use https:// unless this is meant.",
    ]);
    for (const host of ["localhost:1", "10.0.0.8", "192.168.1.2", "172.16.0.1", "ollama", "[::1]:1"])
      expect(at(`http://${host}/v1`)).toEqual([]);
  });
});
