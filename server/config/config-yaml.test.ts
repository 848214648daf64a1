import { describe, expect, it } from "vitest";
import { MAX_CONFIG_BYTES } from "./config.rules";
import { type FindKeys, parseConfigText } from "./config-yaml";

const CANARY = "canary-7f3a9b2c4d5e6f70";

/** Finds the canary, as the patterns of a caller find keys. */
const findKeys: FindKeys = (text) =>
  [...text.matchAll(new RegExp(CANARY, "g"))].map(({ index }) => ({ at: index, rule: "api-key" }));

function said(text: string): string[] {
  return parseConfigText(text, { findKeys }).problems.map(({ line, column, code, path }) => `${line}:${column} ${code} ${path}`);
}

describe("a document", () => {
  it.each(["", "\n\n", "# only a comment\n", "---\n", "null", "~", "{}", "\ufeff"])("that says nothing is empty (%j)", (text) => {
    const problem = {
      severity: "warning",
      code: "empty_document",
      path: "",
      line: 1,
      column: 1,
      message: "Nothing is configured here, so no scene has a model; add models: with default: provider/model.",
      details: {},
    };
    expect(parseConfigText(text)).toEqual({ document: {}, partial: {}, problems: [problem] });
  });

  it("is read whole, aliases followed", () => {
    const text = `
# A comment
providers:
  openrouter: &usual
    baseUrl: https://openrouter.ai/api/v1
    apiKey: env:OPENROUTER_API_KEY
    timeouts: { idleMs: 5000 }
  second: *usual
  ollama:
models:
  default: openrouter/qwen/qwen3:free
  extract:
    requires: [summarization]
    strategy: least_busy
    candidates:
      - second/a
      - ollama/b
profiles:
  openrouter:
    scores: { coding: 0.9 }
supervisor: { enabled: true, interval: false }
maxRounds: 5
maxDepth: 0
workflows:
  solve-issue: { anything: [1, null, "x"], at: 2026-01-01 }
`;
    const usual = { baseUrl: "https://openrouter.ai/api/v1", apiKey: "env:OPENROUTER_API_KEY", timeouts: { idleMs: 5000 } };
    expect(parseConfigText(text)).toMatchObject({
      document: {
        providers: { openrouter: usual, second: usual, ollama: {} },
        models: {
          default: "openrouter/qwen/qwen3:free",
          extract: { requires: ["summarization"], strategy: "least_busy", candidates: ["second/a", "ollama/b"] },
        },
        profiles: { openrouter: { scores: { coding: 0.9 } } },
        supervisor: { enabled: true, interval: false },
        maxRounds: 5,
        maxDepth: 0,
        workflows: { "solve-issue": { anything: [1, null, "x"], at: "2026-01-01" } },
      },
      problems: [],
    });
  });

  it("can be used while there are only warnings", () => {
    const { document, problems } = parseConfigText("models: { extract: mock/x }\n");
    expect(document).toEqual({ models: { extract: "mock/x" } });
    expect(problems).toEqual([
      {
        severity: "warning",
        code: "no_default",
        path: "models",
        line: 1,
        column: 1,
        message: "There is no default, so only the scenes listed here have a model; add default: provider/model.",
        details: {},
      },
    ]);
  });

  it("names what its sentences speak of", () => {
    const { problems } = parseConfigText("models: { default: mok/x }\nmaxRounds: 0\n");
    expect(problems.map(({ details }) => details)).toEqual([
      { name: "mok", known: "extractive, mock", meant: "mock" },
      { least: "1", most: "10000" },
    ]);
  });

  it("says what is wrong behind an alias once", () => {
    expect(said("providers:\n  a: &p { baseUrl: ftp://x }\n  b: *p\nmodels: { default: mock/x, a: a/x, b: b/x }\n")).toEqual([
      "2:20 bad_url providers.a.baseUrl",
    ]);
  });
});

describe("bounds", () => {
  it("hold for the size", () => {
    expect(parseConfigText(`# ${"ü".repeat(MAX_CONFIG_BYTES / 2)}`).problems).toEqual([
      {
        severity: "error",
        code: "too_large",
        path: "",
        line: 1,
        column: 1,
        message: "The document is larger than 256 KiB; shorten it.",
        details: { reason: "bytes", most: "256 KiB" },
      },
    ]);
    const text = "maxRounds: 1\n#";
    expect(parseConfigText(text + " ".repeat(MAX_CONFIG_BYTES - text.length))).toMatchObject({
      document: { maxRounds: 1 },
      problems: [],
    });
  });

  it("hold for the depth", () => {
    const nested = (levels: number) => `workflows: { x: ${"[".repeat(levels)}${"]".repeat(levels)} }`;
    expect(said(nested(30))).toEqual([]);
    expect(said(nested(31))).toEqual(["1:47 too_deep "]);
    expect(said(`workflows:\n  x: &a ${"[".repeat(20)}${"]".repeat(20)}\n  y: [[[[[[[[[[[*a]]]]]]]]]]]\n`)).toHaveLength(1);
  });

  // Each of these once took minutes or all memory somewhere.
  it.each([
    ["brackets", "[".repeat(200_000), "too_deep"],
    ["closed brackets", "[".repeat(100_000) + "]".repeat(100_000), "too_deep"],
    ["mappings", "{a: ".repeat(60_000), "too_deep"],
    ["dashes", `${"- ".repeat(20_000)}x`, "too_deep"],
    ["questions", "? ".repeat(20_000), "too_deep"],
    ["steps", Array.from({ length: 600 }, (_, at) => `${" ".repeat(at)}a:\n`).join(""), "too_deep"],
    ["commas", `[${",".repeat(200_000)}`, "too_large"],
    ["anchors", "&a ".repeat(80_000), "too_large"],
    ["documents", "---\n".repeat(60_000), "too_large"],
  ])("hold for %s", (_what, text, code) => {
    expect(parseConfigText(text).problems.map((problem) => problem.code)).toEqual([code]);
  });

  it("hold for aliases that multiply", () => {
    const list = (name: string) => `[${Array.from({ length: 10 }, () => `*${name}`).join(",")}]`;
    const text = `workflows:\n  a: &a [1,1,1,1,1,1,1,1,1,1]\n  b: &b ${list("a")}\n  c: &c ${list("b")}\n  d: &d ${list("c")}\n  e: ${list("d")}\n`;
    expect(parseConfigText(text).problems.map(({ code, message }) => [code, message])).toEqual([
      ["alias_bomb", "The aliases repeat more than 5000 values; write out what is needed."],
    ]);
  });

  it("hold for the number of problems", () => {
    const text = Array.from({ length: 2_000 }, (_, at) => `unknown-${at}: 1\n`).join("");
    const { problems } = parseConfigText(text);
    expect(problems).toHaveLength(500);
    expect(problems[499]).toMatchObject({ line: 500, code: "unknown_key" });
  });
});

describe("keys in the text", () => {
  it("are found in comments, names and values, once a line", () => {
    const text = `# ${CANARY}
providers:
  ollama: { apiKey: ${CANARY} } # and ${CANARY}
  ${CANARY}x: { baseUrl: https://x.test }
models:
  default: ollama/${CANARY}
  extract: [ # ${CANARY}
`;
    expect(said(text)).toEqual([
      "1:3 key_in_text ",
      "3:21 literal_key providers.ollama.apiKey",
      "4:3 key_in_text providers.…",
      "6:19 key_in_text ",
      "7:12 not_yaml ",
      "7:16 key_in_text ",
    ]);
    expect(said(text.replace("[", ""))).toEqual([
      "1:3 key_in_text ",
      "3:21 literal_key providers.ollama.apiKey",
      "4:3 key_in_text providers.…",
      "6:19 key_in_text models.default",
      "7:3 empty_scene models.extract",
      "7:15 key_in_text ",
    ]);
  });

  it.each([
    `${CANARY}: 1`,
    `- ${CANARY}`,
    CANARY,
    `providers: { ${CANARY}: { baseURL: x } }`,
    `providers: { a: { ${CANARY}: 1, baseUrl: "https://${CANARY}@x.test", apiKey: ${CANARY}, profile: ${CANARY}, concurrency: ${CANARY} } }`,
    `providers: { a: { baseUrl: "https://x.test?${CANARY}", apiKey: "env:${CANARY} x", timeouts: { ${CANARY}: 1 } } }`,
    `providers: { a: { apiKey: "\${${CANARY}", baseUrl: "\${${CANARY}" } }`,
    `providers: { a: { apiKey: "$${CANARY}" } }`,
    `models: { default: ${CANARY}, a: ${CANARY}/x, b: { provider: ${CANARY}, model: ${CANARY} }, ${CANARY}: x/y }`,
    `models: { default: { requires: [${CANARY}], strategy: ${CANARY}, candidates: [x/${CANARY}, x/${CANARY}] } }`,
    `profiles: { ${CANARY}: { kind: ${CANARY}, tokenizer: ${CANARY}, scores: { ${CANARY}: 1 } } }`,
    `extract: { provider: ${CANARY}, model: ${CANARY}, apiKey: ${CANARY}, baseUrl: "https://${CANARY}.test" }`,
    `extract: ${CANARY}/${CANARY}`,
    `workflows: { ${CANARY}: 1, ${CANARY}: 2, a: *${CANARY} }`,
    `a: "${CANARY}\n b: !${CANARY} x\n c: @${CANARY}`,
  ])("never come back in a problem (%#)", (text) => {
    const { problems } = parseConfigText(text);
    expect(problems.length).toBeGreaterThan(0);
    expect(JSON.stringify(problems)).not.toContain("7f3a9b2c");
  });
});
