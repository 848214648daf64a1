/** Every kind of problem, made by the server's own checks, said in both languages: none loses a fact. */
import { expect, it } from "vitest";
import { languageOf } from "@/components/i18n/testing-language";
import { CONFIG_PROBLEM_CODES, type ConfigProblem } from "@/server/config/config.rules";
import { parseConfigText } from "@/server/config/config-yaml";
import { SYNTAX_SENTENCES } from "@/server/config/document/syntax-sentences";
import { keysInText } from "@/server/events/keys-in-text";
import { redactorOf } from "@/server/events/redactor-of";
import { evaluateDocument } from "@/server/runs/config-evaluation";
import { problemSentence, REASON_KEYS } from "./problem-sentence";

const english = languageOf("en").t;
const chinese = languageOf("zh").t;

const MIXED = "$" + "{env:X}";
const OWN = "$" + "{SWITCHYARD_TOKEN}";

/** Documents that are wrong in every way there is. */
const TEXTS = [
  "- a",
  `# ${"x".repeat(300 * 1024)}`,
  `workflows: [${"1,".repeat(60_000)}1]`,
  `workflows: ${"[".repeat(40)}${"]".repeat(40)}`,
  "a: &a { b: *a }",
  `workflows:\n  a: &a [${"1,".repeat(99)}1]\n  b: &b [${"*a,".repeat(99)}*a]\n  c: [*b, *b, *b]`,
  "maxRounds: 1\n---\nb: 2\n",
  "1: x\ntrue: y\n? [a]\n: z\n: e\n? { a: 1 }\n: f\nworkflows: { &x a: 1, *x : 2 }\n",
  "maxRounds: 1\nmaxRounds: 2\nmodels: { default: { requires: [coding, coding], candidates: [mock/x] } }",
  "providr: 1\nnonsense: 1\n<<: { a: 1 }\nsupervisorInterval: 3\nsupervisor: { model: x, nonsense: 1 }\nagents: { approval: x, nonsense: 1 }",
  "providers: { ollama: { model: x, kind: y, nonsense: 1, timeouts: { nonsense: 1 } } }\nprofiles: { openai: { apiKey: x, nonsense: 1 } }\nmodels: { default: { nonsense: 1, candidates: [ollama/x] } }",
  "profiles: { mine: { description: x }, other: { kind: openai-chatt, tokenizer: gpt } }\nagents: { sandbox: none }\nproviders: { a: { profile: openai, baseUrl: 'https://x.test' } }",
  "maxRounds: '20'\nmaxDepth: 1.5\nsupervisor: { enabled: yes, interval: true }\nworkflows: 3\nproviders: { a: 5, b: { timeouts: 3, baseUrl: , apiKey: [x] } }\nprofiles: { a: 3, b: { kind: mock, scores: 3 } }",
  "agents: 3\nsupervisor: 3\nmodels: { a: 5, b: [mock/x], c: { provider: mock, model: x }, d: { requires: 3, candidates: 4 }, e: { candidates: [4] } }",
  "agents: { backends: x, workspaces: x }",
  `agents: { workspaces: [x] }\nmaxRounds: 0\nmaxDepth: .inf\nprofiles: { openai: { description: '${"d".repeat(301)}', scores: { general: high } } }\nmodels: { default: { candidates: [${Array.from({ length: 17 }, (_, at) => `mock/${at}`).join()}] } }`,
  "providers: { 'my scene!': , <<: { a: b } }\nworkflows: { __proto__: 1 }",
  "models: { default: , extract: '' }",
  "models: { default: mock/x, extrct: mock/x, planner: mock/x }",
  "models: { default: { candidates: ['mock/x\"', 'mock/[1', '', /x, x/, gpt, 'mock / x', \"mock/a\\nb\"] } }",
  `models: { default: { candidates: [mock/${"m".repeat(201)}] } }`,
  "models: { default: openai/x, extract: mok/x, planner: nonsense/x }\nproviders: { a: { profile: opnai }, b: { profile: nonsense } }",
  "models: { default: { candidates: [agent/x, mock/y] } }\nproviders: { agent: { profile: codex, apiKey: env:X } }",
  "providers: { anthropic: { baseUrl: 'https://x.test', apiKey: hunter2 } }",
  "# sk-7f3a9b2c4d5e6f70a1b2c3d4\n# http://ann:hunter2@llm.test/v1\nmodels: { default: mock/x }",
  `providers: { a: { apiKey: '' }, b: { apiKey: env:SWITCHYARD_TOKEN }, c: { baseUrl: 'http://${OWN}' }, d: { baseUrl: 'http://x.test/$\{' }, e: { apiKey: ' env:X' }, f: { apiKey: file:x }, g: { apiKey: '${MIXED}' }, h: { apiKey: '$\{X' }, i: { apiKey: $X }, j: { apiKey: env:1X }, k: { apiKey: ENV:X } }`,
  "providers: { a: { baseUrl: ' http://x.test' }, b: { baseUrl: $X }, c: { baseUrl: x.test }, d: { baseUrl: 'http://u:p@x.test' }, e: { baseUrl: 'http://x.test/?a=b' }, f: { profile: openai-chat } }",
  "providers: { a: { baseUrl: 'https://x.test/v1/chat/completions' }, b: { baseUrl: 'https://x(1).test/v1/chat/completions' } }",
  "models: { default: { strategy: random }, a: { candidates: }, b: { requires: [cooking, codin], candidates: [mock/x, mock/x] } }",
  "extract: { provider: openrouter, model: qwen/qwen3 }",
  "prices: { mock/x: { inputt: 1 }, 'mock*/x': { input: 1, output: 1 }, nonsense/x: { input: 1, output: 1 }, mok/*: { input: 1, output: 1, currency: usd }, mock/y: { input: -1, output: '1', nonsense: 1 } }",
  "",
  "models: { planner: { requires: [coding], candidates: [extractive/extractive-1] } }",
  "providers: { spare: { profile: ollama }, a: { profile: openai-chat, baseUrl: 'http://x.test/v1', apiKey: env:X } }\nmodels: { default: a/x }",
  "providers: { minimax-api: }\nmodels: { default: minimax-api/x }",
  "%YAML 1.1\n---\nmaxRounds: 1\n",
  "workflows: *nowhere",
  "models:\n\tdefault: mock/x\nmaxRounds: 3\n",
  "models: {default: mock/x\n",
  "models:\n  default: 'mock/x\n",
  "models:\n  default: a: b\n",
  "models:\n  default: @x\n",
  "models:\n  default: !foo mock/x\n",
  'models:\n  default: "\\q"\n',
  "models:\n  default mock/x\n  extract: mock/x\n",
  "models: { default: mock/x }}\n",
  "workflows: { a: &a 1, b: &b *a, c: &a &b 1, d: !x !y 1, e: * }",
  "%x\n---\na: 1",
  "workflows: [\n- a\n]",
  "workflows: { - a }",
  `${"k".repeat(1_100)}: 1`,
  "workflows: &a\n  - 1\nmodels: !x &y\n  - 1",
  "&a - 1",
  "workflows: !!map [1]",
];

const KEY_STATES: ConfigProblem[] = (["missing", "stray_whitespace"] as const).flatMap(
  (state) =>
    evaluateDocument({ providers: { a: { baseUrl: "https://x.test", apiKey: "env:A_KEY" } } }, [], () => [
      { name: "apiKey", reference: "env:A_KEY", state },
      { name: "baseUrl", reference: "env:A_URL", state },
    ]).problems,
);

const PROBLEMS: ConfigProblem[] = [
  ...TEXTS.flatMap((text) => parseConfigText(text, { findKeys: (whole) => keysInText(whole, redactorOf({})) }).problems),
  ...KEY_STATES,
  // Some of what the library can say is met by no text that was found.
  ...Object.entries(SYNTAX_SENTENCES).map(([reason, message]) => ({
    severity: "error" as const,
    code: "not_yaml" as const,
    path: "",
    line: 1,
    column: 1,
    message,
    details: { reason },
  })),
];

/** Numbers, names in quotes, and words that are code: with a mark inside, a capital inside, or in capitals. */
function factsOf(sentence: string): string[] {
  return [
    ...sentence.matchAll(/"([^"]*)"/g),
    ...sentence.matchAll(/(\d+)/g),
    ...sentence.matchAll(/(?<![\w"])([\w$*&!]+[:/_{.-][^\s,;"]*[\w}])/g),
    ...sentence.matchAll(/\b([a-z]+[A-Z]\w*|[A-Z]{2,}[A-Z_]*)\b/g),
  ].flatMap(([, fact]) => fact ?? []);
}

it("the sentences of every code are tried", () => {
  const met = new Set(PROBLEMS.map(({ code }) => code));
  expect(CONFIG_PROBLEM_CODES.filter((code) => !met.has(code))).toEqual([]);
});

it("the English sentence by code and facts is the server's own", () => {
  const different = PROBLEMS.filter((problem) => problem.message !== problemSentence(english, problem));
  expect(different.map((problem) => [problem.message, problemSentence(english, problem)])).toEqual([]);
});

it("the Chinese one has the same facts", () => {
  const lost = PROBLEMS.flatMap((problem) => {
    const said = problemSentence(chinese, problem);
    const missing = factsOf(problem.message).filter((fact) => !said.includes(fact));
    return missing.length === 0 ? [] : [{ missing, message: problem.message, said }];
  });
  expect(lost).toEqual([]);
});

it("every sentence of a reason is met by a problem", () => {
  const met = new Set<string>();
  for (const problem of PROBLEMS)
    problemSentence((key, variables) => {
      met.add(key);
      return english(key, variables);
    }, problem);
  expect([...REASON_KEYS].filter((key) => !met.has(key))).toEqual([]);
});
