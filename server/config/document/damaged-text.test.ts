import { describe, expect, it } from "vitest";
import { parseConfigText } from "../config-yaml";

/** `line:column code path`, and for a syntax error the lines that could not be checked. */
function said(text: string): string[] {
  return parseConfigText(text).problems.map(({ line, column, code, path, details }) => {
    const unchecked = details.uncheckedFrom === undefined ? "" : ` (${details.uncheckedFrom}-${details.uncheckedTo})`;
    return `${line}:${column} ${code}${path === "" ? "" : ` ${path}`}${unchecked}`;
  });
}

const TAIL = "maxRounds: 0\nsupervisor: { every: 3 }\n";
const GOOD_PROVIDERS = "providers:\n  ollama:\n    concurrency: 4\n";

describe("beside a syntax error, what it leaves alone is checked", () => {
  it.each<[string, string, string[]]>([
    [
      "a tab",
      `${GOOD_PROVIDERS}\tapiKey: env:X\nmodels:\n  default: ollama\n`,
      ["4:1 not_yaml (1-4)", "6:12 bad_model_reference models.default"],
    ],
    ["tabs in all lines", "models:\n\tdefault: mock/x\n\textract: mock/x\n", ["2:1 not_yaml (1-3)", "3:1 not_yaml"]],
    ["a missing colon", "models:\n  default mock/x\n  extract: mock/x\n", ["2:3 not_yaml (1-3)"]],
    ["a missing colon at the top", "models\n  default: mock/x\n", ["1:1 not_yaml (1-2)"]],
    ["no blank after a colon", "models:\n  default:mock/x\n  extract: mock/x\n", ["2:3 not_yaml (1-3)"]],
    ["a quote that another one closes", "models:\n  default: 'mock/x\n  extract: 'mock/x'\n", ["2:12 not_yaml (1-3)"]],
    ["an open bracket", `models:\n  default: { candidates: [mock/x\n`, ["2:26 not_yaml (1-2)"]],
    ["an open bracket in the middle", "models:\n  default: [mock/x, mock/y\n  extract: mock/x\n", ["2:12 not_yaml (1-3)"]],
    ["a line too far in", "models:\n  default: mock/x\n   extract: mock/x\n", ["3:4 not_yaml (1-3)"]],
    ["a colon at the end of a value", "models:\n  default: mock:\n  planner: mock/x\n", ["2:12 not_yaml (1-3)"]],
    ["two keys on a line", "models:\n  default: a: b\n", ["2:12 not_yaml (1-2)"]],
    ["a line too far out", "models:\n    default: mock/x\n  extract: mock/x\n", ["3:1 not_yaml (1-3)"]],
    ["a value that needs quotes", "models:\n  default: @x\n", ["2:12 not_yaml (1-2)"]],
    ["one broken line", "maxDepth: @x\n", ["1:11 not_yaml"]],
  ])("%s", (_name, text, problems) => {
    const line = text.split("\n").length;
    expect(said(`${text}${TAIL}`)).toEqual([
      ...problems,
      `${line}:12 out_of_range maxRounds`,
      `${line + 1}:15 unknown_key supervisor.every`,
    ]);
    expect(parseConfigText(`${text}${TAIL}`)).toMatchObject({ document: null, partial: null });
  });

  it.each<[string, string, string[]]>([
    ["an open quote swallows all that follows", `models:\n  default: "mock/x\n${TAIL}`, ["2:12 not_yaml (1-4)"]],
    ["a bracket too many derails all that follows", `models: { default: mock/x }}\n${TAIL}`, ["1:28 not_yaml (1-3)"]],
    [
      "the wrong bracket derails all that follows, and only it is told",
      `models:\n  default: { candidates: [mock/x]]}\n${TAIL}`,
      ["2:34 not_yaml (1-4)"],
    ],
    ["a document in brackets", `{ models: { default: mock/x }, maxRounds: 0, maxDepth 3: }\n}`, ["2:1 not_yaml (1-2)"]],
  ])("%s, which is said", (_name, text, problems) => {
    expect(said(text).filter((problem) => problem.includes("(") || !problem.includes("not_yaml"))).toEqual(problems);
  });
});

const GOOD = `providers:
  ollama:
    baseUrl: "http://127.0.0.1:11434/v1"
    timeouts: { requestMs: 5000 }
  mine: { profile: local, baseUrl: "http://127.0.0.1:1/v1" }
profiles:
  local:
    kind: openai-chat
    scores: { general: 0.5 }
models:
  default: ollama/x
  extract: &pair
    requires: [general]
    candidates: [ollama/x, "mine/y"]
  planner: *pair
agents:
  backends: [codex]
supervisor: { enabled: true }
maxRounds: 3
`;

describe("no problem is told that follows from a syntax error", () => {
  const damages: [string, (line: string) => string][] = [
    ["a tab", (line) => `\t${line}`],
    ["a tab instead of blanks", (line) => line.replace(/^ +/, "\t")],
    ["a missing colon", (line) => line.replace(":", "")],
    ["no blank after the colon", (line) => line.replace(": ", ":")],
    ["an open quote", (line) => line.replace(/: (?=\S)/, ': "')],
    ["an open single quote", (line) => line.replace(/: (?=\S)/, ": '")],
    ["an open bracket", (line) => line.replace(/: (?=\S)/, ": [")],
    ["an open brace", (line) => line.replace(/: (?=\S)/, ": {")],
    ["a bracket that is not closed", (line) => line.replace(/[\]}]/, "")],
    ["a bracket too many", (line) => `${line}]`],
    ["a line too far in", (line) => ` ${line}`],
    ["a line too far out", (line) => line.replace(/^ /, "")],
  ];

  it("is about a document that is right", () => {
    expect(parseConfigText(GOOD).problems).toEqual([]);
  });

  it.each(damages)("%s, on any line", (_name, damage) => {
    const lines = GOOD.split("\n").slice(0, -1);
    const follow = lines.flatMap((line, at) => {
      const text = lines.with(at, damage(line)).join("\n");
      const { problems } = parseConfigText(text);
      // What is YAML all the same says something else, and is judged as that.
      if (!problems.some(({ code }) => code === "not_yaml")) return [];
      return problems.filter(({ code }) => code !== "not_yaml").map(({ code, path }) => `line ${at + 1}: ${code} ${path}`);
    });
    expect(follow).toEqual([]);
  });
});
