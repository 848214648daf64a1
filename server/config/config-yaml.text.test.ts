import { describe, expect, it } from "vitest";
import { keysInText } from "@/server/events/keys-in-text";
import { redactorOf } from "@/server/events/redactor-of";
import { parseConfigText } from "./config-yaml";

/** `line:column severity code path | sentence`, as many as there are. */
function said(text: string): string[] {
  return parseConfigText(text).problems.map(
    ({ line, column, severity, code, path, message }) => `${line}:${column} ${severity} ${code} ${path} | ${message}`,
  );
}

describe("an address with a user name and a password", () => {
  const said = (text: string) =>
    parseConfigText(text, { findKeys: (whole) => keysInText(whole, redactorOf({})) }).problems.map(
      ({ line, column, code, path, message }) => `${line}:${column} ${code} ${path} | ${message}`,
    );
  const url = "http://ann:hunter2@llm.test/v1";

  it("is told once, as what it is, without them", () => {
    expect(said(`providers:\n  llm: { baseUrl: "${url}" }\nmodels: { default: llm/x }\n`)).toEqual([
      "2:19 bad_url providers.llm.baseUrl | This holds a user name or password, which do not belong in an address; remove them, and name a key as apiKey: env:NAME.",
    ]);
  });

  it("is told in a comment too, and beside another key of the line", () => {
    const key = "sk-7f3a9b2c4d5e6f70a1b2c3d4";
    const lines = said(`# was ${url}\nmodels: { default: mock/x }\nworkflows: { a: "${url}", b: ${key} }\n`);
    const sentence =
      "This address holds a user name and a password, which do not belong there, and every revision is kept and shown; remove them, and name a key as apiKey: env:NAME.";
    expect(lines).toEqual([
      `1:18 key_in_text  | ${sentence}`,
      `3:29 key_in_text workflows.a | ${sentence}`,
      "3:54 key_in_text workflows.b | This looks like a key, and every revision is kept and shown; remove it here, and name where it is kept, as in apiKey: env:NAME.",
    ]);
    expect(lines.join()).not.toContain("hunter2");
  });
});

describe("what is said of the text as a whole", () => {
  it.each<[string, string[]]>([
    ["- a", ["1:1 error not_a_mapping  | The document must be a mapping of keys such as providers and models, not a list."]],
    [
      "just text",
      ["1:1 error not_a_mapping  | The document must be a mapping of keys such as providers and models, not a text."],
    ],
    [
      "maxRounds: 1\n---\nb: 2\n",
      [
        "2:1 error several_documents  | A second document begins here; a configuration is one document, so remove this line and what belongs to the other one.",
      ],
    ],
    [
      "maxRounds: 1\n---\n",
      [
        "2:1 error several_documents  | A second document begins here; a configuration is one document, so remove this line and what belongs to the other one.",
      ],
    ],
    [
      "%YAML 1.1\n---\nmaxRounds: 1\n",
      ["1:1 error not_yaml  | The configuration is YAML 1.2; remove the line that begins with %YAML."],
    ],
    [
      "models:\n\tdefault: mock/x\n",
      [
        "2:1 error not_yaml  | Indent with spaces; YAML allows no tabs here. Until that is mended, lines 1 to 2 cannot be checked.",
      ],
    ],
    [
      "models: {default: mock/x\n",
      ["1:9 error not_yaml  | The bracket that opens here is never closed; close it where the list or mapping ends."],
    ],
    [
      "models:\n  default: 'mock/x\n",
      [
        "2:12 error not_yaml  | The quote that opens here is never closed; add one where the value ends. Until that is mended, lines 1 to 2 cannot be checked.",
      ],
    ],
    [
      "models:\n  default: a: b\n",
      [
        "2:12 error not_yaml  | A second key stands on this line; put it on a line of its own, or the value in quotes. Until that is mended, lines 1 to 2 cannot be checked.",
      ],
    ],
    [
      "models:\n  default: @x\nmaxRounds: `3`\n",
      [
        "2:12 error not_yaml  | A value cannot begin with this character; put it in quotes. Until that is mended, lines 1 to 3 cannot be checked.",
        "3:12 error not_yaml  | A value cannot begin with this character; put it in quotes.",
      ],
    ],
    ["models:\n  default: !foo mock/x\n", ["2:12 error not_yaml  | Tags such as !name are not used here; remove it."]],
    [
      'models:\n  default: "\\q"\n',
      [
        "2:13 error not_yaml  | This is no escape sequence in double quotes; write \\\\ for a backslash, or use single quotes. Until that is mended, lines 1 to 2 cannot be checked.",
      ],
    ],
    [
      "models: { default: mock/x ]\n",
      ["1:27 error not_yaml  | This bracket does not fit the one that is open here; remove it, or write the one that fits."],
    ],
    [
      "maxRounds: 1\nmaxRounds: 2\nworkflows:\n  a: 1\n  a: 2\n",
      [
        '2:1 error duplicate_key maxRounds | "maxRounds" stands here a second time (the first is in line 1); keep one of them.',
        '5:3 error duplicate_key workflows.a | "a" stands here a second time (the first is in line 4); keep one of them.',
      ],
    ],
    [
      "workflows: {a: 1, a: 2}",
      ['1:19 error duplicate_key workflows.a | "a" stands here a second time (the first is in line 1); keep one of them.'],
    ],
    [
      "1: x\ntrue: y\n? [a]\n: z\n: e\n",
      [
        "1:1 error key_not_text  | A key must be a text, not a number; put it in quotes.",
        "2:1 error key_not_text  | A key must be a text, not true or false; put it in quotes.",
        "3:3 error key_not_text  | A key must be a text, not a list; put it in quotes.",
        "5:1 error key_not_text  | A key must be a text, not nothing; put it in quotes.",
      ],
    ],
    [
      "__proto__: x\nworkflows: { constructor: 1, a: { prototype: 1 } }\n",
      [
        '1:1 error bad_name  | "__proto__" cannot be a name; choose another one.',
        '2:14 error bad_name workflows | "constructor" cannot be a name; choose another one.',
        '2:35 error bad_name workflows.a | "prototype" cannot be a name; choose another one.',
      ],
    ],
    [
      "workflows: { c: *nope, d: &d [*d] }\n",
      [
        "1:17 error not_yaml workflows.c | There is no anchor &nope before this alias.",
        "1:31 error alias_bomb workflows.d[0] | This alias stands inside what it repeats; write the value out.",
      ],
    ],
    ["maxRounds: 3 # c\r\nmaxDepth: 99\r\n", ["2:11 error out_of_range maxDepth | This must be from 0 to 16."]],
    ["\ufeffmaxRounds: 0", ["1:12 error out_of_range maxRounds | This must be from 1 to 10000."]],
    [
      "workflows: { x: .nan, y: -.inf }",
      [
        "1:17 error out_of_range workflows.x | This number is too large or is none; write a finite one.",
        "1:26 error out_of_range workflows.y | This number is too large or is none; write a finite one.",
      ],
    ],
  ])("%#", (text, problems) => {
    expect(said(text)).toEqual(problems);
  });
});

describe("what is said of keys", () => {
  it.each<[string, string[]]>([
    ["model: {}\n", ['1:1 error unknown_key model | There is no "model" in the document; did you mean models?']],
    [
      "providerz: { p: {} }\nmodels: { default: p/x }\n",
      ['1:1 error unknown_key providerz | There is no "providerz" in the document; did you mean providers?'],
    ],
    [
      "providerz: { p: {} }\nproviders: { q: { baseUrl: 'https://q.test' } }\nmodels: { default: p/x, extract: r/x, planner: q/x }\n",
      [
        '1:1 error unknown_key providerz | There is no "providerz" in the document; did you mean providers?',
        '3:34 error unknown_provider models.extract | There is no provider "r"; there are q, p, extractive, mock.',
      ],
    ],
    [
      "backends: x\nproviders: { q: { baseUrl: 'https://q.test' } }\nmodels: { default: p/x }\n",
      ['1:1 error unknown_key backends | There is no "backends" in the document; did you mean providers?'],
    ],
    [
      "providers:\n  mine: { profile: codex, apiKey: env:K }\n  other: { profile: codex, apiKey: env:K }\nagents: { backends: [mine] }\nmodels: { default: mock/x }\n",
      [
        "3:3 warning unused_provider providers.other | No scene uses this provider; name it in models, as other/MODEL, or remove it.",
      ],
    ],
    ["providers: { mine: { profile: codex, apiKey: env:K } }\nmodels: { default: mock/x }\n", []],
    [
      "models:\n  default: mock/x\n  extrct: mock/x\n  translate: mock/x\n  plannr: mock/x\n  planner: mock/x\n",
      [
        "3:3 warning near_scene models.extrct | This is a scene of your own, which no job asks for by itself; did you mean extract? Else all is well.",
      ],
    ],
    [
      "models:\n  default: mock/command-r+\n  a: mock/x,\n  b: mock/x。\n  c: { candidates: ['mock/y(2)', 'mock/y)'] }\n  d: mock/x/\n",
      [3, 4, 5, 6].map(
        (line) =>
          `${line}:${line === 5 ? 34 : 6} error bad_model_reference models.${"abcd"[line - 3]}${line === 5 ? ".candidates[1]" : ""} | The name of the model ends with a mark that belongs to no name, or a bracket that nothing opens; remove it.`,
      ),
    ],
    [
      'models:\n  default: mock/x[1m]\n  extract: mock/x]\n  planner: mock/x"\n',
      [
        "3:12 error bad_model_reference models.extract | The name of the model ends with a mark that belongs to no name, or a bracket that nothing opens; remove it.",
        "4:12 error bad_model_reference models.planner | The name of the model ends with a mark that belongs to no name, or a bracket that nothing opens; remove it.",
      ],
    ],
    [
      "model: { default: q/x }\nproviders: { q: {} }\nmodels: { extract: r/x }\n",
      [
        '1:1 error unknown_key model | There is no "model" in the document; did you mean models?',
        "2:14 error no_base_url providers.q | The provider names no address, and its profile openai-chat has none; add baseUrl: with the base of the API, up to /v1.",
        '3:20 error unknown_provider models.extract | There is no provider "r"; there are q, extractive, mock.',
      ],
    ],
    [
      "profile: { fast: { kind: openai-chat } }\nproviders: { q: { profile: fast }, s: {} }\nmodels: { default: q/x, extract: s/x }\n",
      [
        '1:1 error unknown_key profile | There is no "profile" in the document; did you mean profiles?',
        "2:36 error no_base_url providers.s | The provider names no address, and its profile openai-chat has none; add baseUrl: with the base of the API, up to /v1.",
      ],
    ],
    ["scenes: {}\n", ['1:1 error unknown_key scenes | There is no "scenes" in the document; did you mean models?']],
    [
      "supervisorInterval: 3\n",
      [
        '1:1 error unknown_key supervisorInterval | There is no "supervisorInterval" in the document; write it as interval in supervisor.',
      ],
    ],
    [
      "logging: x\n",
      [
        '1:1 error unknown_key logging | There is no "logging" in the document; there are providers, models, profiles, prices, agents, supervisor, maxRounds, maxDepth, workflows.',
      ],
    ],
    [
      "<<: {}\n",
      [
        '1:1 error unknown_key << | There is no "<<" in the document, for YAML 1.2 merges no mappings; write the keys out or give the whole value by an alias.',
      ],
    ],
    [
      "providers: { ollama: { baseURL: x, base_url: x, url: x, api_key: x, token: x, model: x, kind: x, timeout: 3, headers: x, <<: 1 } }\nmodels: { default: ollama/x }",
      [
        '1:24 error unknown_key providers.ollama.baseURL | There is no "baseURL" in a provider; did you mean baseUrl?',
        '1:36 error unknown_key providers.ollama.base_url | There is no "base_url" in a provider; did you mean baseUrl?',
        '1:49 error unknown_key providers.ollama.url | There is no "url" in a provider; did you mean baseUrl?',
        '1:57 error unknown_key providers.ollama.api_key | There is no "api_key" in a provider; did you mean apiKey?',
        '1:69 error unknown_key providers.ollama.token | There is no "token" in a provider; did you mean apiKey?',
        '1:79 error unknown_key providers.ollama.model | There is no "model" in a provider; name the model in models, as provider/model.',
        '1:89 error unknown_key providers.ollama.kind | There is no "kind" in a provider; the kind belongs to a profile; name one as profile.',
        '1:98 error unknown_key providers.ollama.timeout | There is no "timeout" in a provider; did you mean timeouts?',
        '1:110 error unknown_key providers.ollama.headers | There is no "headers" in a provider; there are baseUrl, apiKey, profile, concurrency, timeouts.',
        '1:122 error unknown_key providers.ollama.<< | There is no "<<" in a provider, for YAML 1.2 merges no mappings; write the keys out or give the whole value by an alias.',
      ],
    ],
    [
      "profiles: { openai: { model: x, apiKey: env:X, type: x } }\n",
      [
        '1:23 error unknown_key profiles.openai.model | There is no "model" in a profile; did you mean defaultModel?',
        '1:33 error unknown_key profiles.openai.apiKey | There is no "apiKey" in a profile; name the key at the provider that uses the profile.',
        '1:48 error unknown_key profiles.openai.type | There is no "type" in a profile; did you mean kind?',
      ],
    ],
    [
      "supervisor: { every: 3, model: x }\n",
      [
        '1:15 error unknown_key supervisor.every | There is no "every" in supervisor; did you mean interval?',
        '1:25 error unknown_key supervisor.model | There is no "model" in supervisor; name its model in models, as supervisor: provider/model.',
      ],
    ],
    [
      "providers: { ollama: { timeouts: { timeoutMs: 5, idle: 3, wait: 1 } } }\nmodels: { default: ollama/x }",
      [
        '1:36 error unknown_key providers.ollama.timeouts.timeoutMs | There is no "timeoutMs" in timeouts; did you mean requestMs?',
        '1:50 error unknown_key providers.ollama.timeouts.idle | There is no "idle" in timeouts; did you mean idleMs?',
        '1:59 error unknown_key providers.ollama.timeouts.wait | There is no "wait" in timeouts; there are requestMs, idleMs, connectMs.',
      ],
    ],
    [
      "models: { default: { candidate: [mock/x] }, extract: { models: [mock/x], strategie: best_score } }",
      [
        '1:22 error unknown_key models.default.candidate | There is no "candidate" in a scene; did you mean candidates?',
        '1:56 error unknown_key models.extract.models | There is no "models" in a scene; did you mean candidates?',
        '1:74 error unknown_key models.extract.strategie | There is no "strategie" in a scene; did you mean strategy?',
      ],
    ],
    [
      "providers: { 'a b': , .x: , <<: { a: b } }\nprofiles: { -x: { kind: mock } }\nmodels: { default: a b/x, '': mock/x }",
      [
        '1:14 error bad_name providers.a b | "a b" cannot be the name of a provider; use up to 63 letters, digits, dots, dashes and underscores, and begin with a letter or a digit.',
        '1:23 error bad_name providers..x | ".x" cannot be the name of a provider; use up to 63 letters, digits, dots, dashes and underscores, and begin with a letter or a digit.',
        '1:29 error bad_name providers.<< | "<<" is no name of a provider, for YAML 1.2 merges no mappings; write the entries out.',
        '2:13 error bad_name profiles.-x | "-x" cannot be the name of a profile; use up to 63 letters, digits, dots, dashes and underscores, and begin with a letter or a digit.',
        '3:27 error bad_name models.… | "" cannot be the name of a scene; use up to 63 letters, digits, dots, dashes and underscores, and begin with a letter or a digit.',
      ],
    ],
  ])("%#", (text, problems) => {
    expect(said(text)).toEqual(problems);
  });
});

describe("what is said of types and ranges", () => {
  it.each<[string, string[]]>([
    [
      "supervisor: { enabled: yes, interval: true }\nmaxRounds: 5.5\nmaxDepth: .inf\nworkflows: 3\nmodels: 4\nproviders: []\nprofiles: x\n",
      [
        "1:24 error wrong_type supervisor.enabled | This must be true or false, not a text.",
        "1:39 error wrong_type supervisor.interval | This must be a whole number or false, not true or false.",
        "2:12 error wrong_type maxRounds | This must be a whole number; remove what stands after the point.",
        "3:11 error out_of_range maxDepth | This number is too large or is none; write a finite one.",
        "4:12 error wrong_type workflows | This must be a mapping, not a number.",
        "5:9 error wrong_type models | This must be a mapping, not a number.",
        "6:12 error wrong_type providers | This must be a mapping, not a list.",
        "7:11 error wrong_type profiles | This must be a mapping, not a text.",
      ],
    ],
    [
      "supervisor: 3\nmaxRounds: '20'\nmaxDepth: -1",
      [
        "1:13 error wrong_type supervisor | This must be a mapping of enabled and interval, not a number.",
        "2:12 error wrong_type maxRounds | This must be a whole number, not a text; remove the quotes.",
        "3:11 error out_of_range maxDepth | This must be from 0 to 16.",
      ],
    ],
    [
      "supervisor: { enabled: 'true', interval: 1001 }\nmaxRounds: 10001\nmaxDepth: 17",
      [
        "1:24 error wrong_type supervisor.enabled | This must be true or false, not a text; remove the quotes.",
        "1:42 error out_of_range supervisor.interval | This must be from 0 to 1000.",
        "2:12 error out_of_range maxRounds | This must be from 1 to 10000.",
        "3:11 error out_of_range maxDepth | This must be from 0 to 16.",
      ],
    ],
    [
      "providers: { ollama: { baseUrl: , profile: '', timeouts: 3, concurrency: 1.5 } }\nmodels: { default: ollama/x }",
      [
        "1:24 error wrong_type providers.ollama.baseUrl | There is no value here; write a text or remove the key.",
        "1:44 error wrong_type providers.ollama.profile | There is no value here; write a text or remove the key.",
        "1:58 error wrong_type providers.ollama.timeouts | This must be a mapping such as requestMs, not a number.",
        "1:74 error wrong_type providers.ollama.concurrency | This must be a whole number; remove what stands after the point.",
      ],
    ],
    [
      "providers: { ollama: { concurrency: 0, timeouts: { requestMs: 99, idleMs: 3600001, connectMs: '5' } } }\nmodels: { default: ollama/x }",
      [
        "1:37 error out_of_range providers.ollama.concurrency | This must be from 1 to 1024.",
        "1:63 error out_of_range providers.ollama.timeouts.requestMs | This must be from 100 to 3600000.",
        "1:75 error out_of_range providers.ollama.timeouts.idleMs | This must be from 100 to 3600000.",
        "1:95 error wrong_type providers.ollama.timeouts.connectMs | This must be a whole number, not a text; remove the quotes.",
      ],
    ],
    [
      "providers: { ollama: 5 }\nmodels: { default: ollama/x }",
      ["1:22 error wrong_type providers.ollama | This must be a mapping such as baseUrl and apiKey, not a number."],
    ],
    [
      `profiles: { openai: { description: '${"d".repeat(301)}', tokenizer: gpt, scores: { coding: 2, cooking: 1, general: high } } }`,
      [
        "1:36 error out_of_range profiles.openai.description | This must have at most 300 characters.",
        '1:352 error out_of_range profiles.openai.tokenizer | There is no tokenizer "gpt"; there are pieces, o200k, mock-4-chars.',
        "1:375 error out_of_range profiles.openai.scores.coding | This must be from 0 to 1.",
        '1:378 error unknown_capability profiles.openai.scores.cooking | There is no capability "cooking"; did you mean coding?',
        "1:399 error wrong_type profiles.openai.scores.general | This must be a number, not a text.",
      ],
    ],
    [
      "profiles: { mine: , other: { kind: openai-chatt }, third: { description: x }, mock: { kind: 5 } }\nproviders: { a: { profile: mine }, b: { profile: other } }\nmodels: { default: a/x, b: b/x, c: mock/x }",
      [
        "1:13 error missing_key profiles.mine | A new profile needs a kind; add kind: with one of extractive, mock, openai-chat, openai-responses, anthropic-messages, codex-app-server-stdio, claude-code-cli, openclaw-gateway.",
        '1:36 error out_of_range profiles.other.kind | There is no kind "openai-chatt"; did you mean openai-chat?',
        "1:52 error missing_key profiles.third | A new profile needs a kind; add kind: with one of extractive, mock, openai-chat, openai-responses, anthropic-messages, codex-app-server-stdio, claude-code-cli, openclaw-gateway.",
        "1:93 error wrong_type profiles.mock.kind | This must be a text, not a number.",
      ],
    ],
  ])("%#", (text, problems) => {
    expect(said(text)).toEqual(problems);
  });
});
