import { describe, expect, it } from "vitest";
import { parseConfigText } from "./config-yaml";

/** `line:column severity code path | sentence`, as many as there are. */
function said(text: string): string[] {
  return parseConfigText(text).problems.map(
    ({ line, column, severity, code, path, message }) => `${line}:${column} ${severity} ${code} ${path} | ${message}`,
  );
}

it("the token of this server is nobody's key", () => {
  const own = "SWITCHYARD_TOKEN lets people into this server and is no provider's; write";
  expect(
    said(
      "models: { default: a/m }\nproviders: { a: { baseUrl: 'http://x', apiKey: 'env:SWITCHYARD_TOKEN' },\n b: { baseUrl: 'http://x', apiKey: '$" +
        "{SWITCHYARD_TOKEN}' },\n c: { baseUrl: 'http://x/$" +
        "{SWITCHYARD_TOKEN}' } }",
    ).filter((line) => line.includes("error")),
  ).toEqual([
    `2:48 error bad_reference providers.a.apiKey | ${own} apiKey: env:A_API_KEY.`,
    `3:36 error bad_reference providers.b.apiKey | ${own} apiKey: env:B_API_KEY.`,
    `4:16 error bad_reference providers.c.baseUrl | ${own} another variable.`,
  ]);
});

describe("what is said of scenes", () => {
  it.each<[string, string[]]>([
    [
      "models:\n  default:\n  extract: ''\n  planner: ' '\n",
      [
        "2:3 error empty_scene models.default | The scene names no model; write provider/model.",
        "3:12 error empty_scene models.extract | The scene names no model; write provider/model, or remove the line so that it uses default.",
        "4:12 error empty_scene models.planner | The scene names no model; write provider/model, or remove the line so that it uses default.",
      ],
    ],
    [
      "models: { default: gpt-4o, a: /x, b: x/, c: 'mock / x', d: 5, e: \"mock/a\\nb\", f: [mock/x], g: true }",
      [
        "1:20 error bad_model_reference models.default | A model is named with its provider; write provider/model, with a slash between.",
        "1:31 error bad_model_reference models.a | The provider is missing before the slash; write provider/model.",
        "1:38 error bad_model_reference models.b | The model is missing after the slash; write provider/model.",
        "1:45 error bad_model_reference models.c | Blanks stand around the provider or the model; remove them.",
        "1:60 error wrong_type models.d | This must be a text such as provider/model, not a number.",
        "1:66 error bad_model_reference models.e | The name of the model holds a line break or another control character; remove it.",
        "1:82 error wrong_type models.f | Several models stand under candidates; write candidates: and this list below it.",
        "1:95 error wrong_type models.g | This must be a text such as provider/model, not true or false.",
      ],
    ],
    [
      "models: { default: 'mock/mmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmm' }",
      ["1:20 error bad_model_reference models.default | The name of a model has at most 200 characters."],
    ],
    [
      "models: { default: openai/x, extract: opneai/x, planner: mok/x }\nproviders: { openai2: { baseUrl: 'https://x.test' } }",
      [
        '1:20 error unknown_provider models.default | There is no provider "openai", only a profile of that name; add openai: to providers. There are openai2, extractive, mock.',
        '1:39 error unknown_provider models.extract | There is no provider "opneai"; there are openai2, extractive, mock.',
        '1:58 error unknown_provider models.planner | There is no provider "mok"; did you mean mock? There are openai2, extractive, mock.',
      ],
    ],
    [
      "models: { default: { provider: openrouter, model: x } }",
      ["1:20 error wrong_type models.default | A scene names its provider and model in one text; write default: openrouter/x."],
    ],
    [
      "models: { default: { model: 5 } }",
      ["1:20 error wrong_type models.default | A scene names its provider and model in one text; write default: PROVIDER/MODEL."],
    ],
    [
      "models: { default: {}, a: { candidates: [] }, b: { candidates: }, c: { candidates: mock/x }, d: { candidates: [mock/x, mock/x, 5, gpt] } }",
      [
        "1:11 error no_candidates models.default | The scene lists no models; add candidates: with at least one provider/model.",
        "1:41 error no_candidates models.a.candidates | The list is empty; name at least one provider/model.",
        "1:52 error no_candidates models.b.candidates | The list is empty; name at least one provider/model.",
        "1:84 error wrong_type models.c.candidates | This must be a list of provider/model, not a text.",
        "1:120 error duplicate_candidate models.d.candidates[1] | mock/x stands in the list twice; remove one.",
        "1:128 error wrong_type models.d.candidates[2] | This must be a text such as provider/model, not a number.",
        "1:131 error bad_model_reference models.d.candidates[3] | A model is named with its provider; write provider/model, with a slash between.",
      ],
    ],
    [
      "models: { default: { candidates: [mock/m0, mock/m1, mock/m2, mock/m3, mock/m4, mock/m5, mock/m6, mock/m7, mock/m8, mock/m9, mock/m10, mock/m11, mock/m12, mock/m13, mock/m14, mock/m15, mock/m16] } }",
      ["1:34 error out_of_range models.default.candidates | A scene has at most 16 candidates."],
    ],
    [
      "models: { default: { requires: [codng, reasoning, reasoning], strategy: random, candidates: [mock/x] }, a: { requires: coding, strategy: 3, candidates: [mock/x] } }",
      [
        '1:33 error unknown_capability models.default.requires[0] | There is no capability "codng"; did you mean coding?',
        '1:51 error duplicate_key models.default.requires[2] | "reasoning" is required twice; remove one.',
        '1:73 error unknown_strategy models.default.strategy | There is no strategy "random"; there are best_score, round_robin, fallback_chain, least_busy.',
        "1:120 error wrong_type models.a.requires | This must be a list such as [coding], not a text.",
        "1:138 error wrong_type models.a.strategy | This must be a text, not a number.",
      ],
    ],
    [
      "models: { default: { requires: [coding], candidates: [mock/x, extractive/y] } }",
      [
        "1:33 warning capability_not_offered models.default.requires[0] | None of the candidates offers coding; add one that does, or give its profile a score for it.",
      ],
    ],
    [
      "models: { extract: mock/x }",
      [
        "1:1 warning no_default models | There is no default, so only the scenes listed here have a model; add default: provider/model.",
      ],
    ],
    [
      "providers: { codex: { apiKey: env:C } }\nmodels: { default: mock/x, a: { candidates: [codex/x, mock/x] } }",
      [
        "2:45 error chosen_exactly models.a.candidates | The provider codex is chosen exactly, so it cannot stand beside others; make it the only candidate or remove it.",
      ],
    ],
    [
      "providers: { ollama: , spare: { baseUrl: 'https://x.test' } }\nmodels: { default: ollama/x }",
      [
        "1:24 warning unused_provider providers.spare | No scene uses this provider; name it in models, as spare/MODEL, or remove it.",
      ],
    ],
  ])("%#", (text, problems) => {
    expect(said(text)).toEqual(problems);
  });
});

describe("what is said of addresses and keys", () => {
  it.each<[string, string[]]>([
    [
      "providers: { x: , openrouter: , minimax-m3: , 9router: { profile: openrouter } }\nmodels: { default: mock/x, a: x/y, b: openrouter/y }",
      [
        "1:14 error no_base_url providers.x | The provider names no address, and its profile openai-chat has none; add baseUrl: with the base of the API, up to /v1.",
        "1:19 error missing_key providers.openrouter | The profile openrouter needs a key; add apiKey: env:OPENROUTER_API_KEY.",
        "1:33 error missing_key providers.minimax-m3 | The profile minimax-m3 needs a key; add apiKey: env:MINIMAX_M3_API_KEY.",
        "1:47 error missing_key providers.9router | The profile openrouter needs a key; add apiKey: env:_9ROUTER_API_KEY.",
        "1:47 warning unused_provider providers.9router | No scene uses this provider; name it in models, as 9router/MODEL, or remove it.",
      ],
    ],
    [
      "providers: { a: { baseUrl: 'ftp://a.test' }, b: { baseUrl: 'https://u:p@b.test' }, c: { baseUrl: 'https://c.test/?k=v' }, d: { baseUrl: d.test }, e: { baseUrl: $E }, f: { baseUrl: '${F' }, g: { baseUrl: 'https://${G}/v1?x' }, h: { baseUrl: ' https://h.test' } }\nmodels: { default: mock/x, a: a/x, b: b/x, c: c/x, d: d/x, e: e/x, f: f/x, g: g/x, h: h/x }",
      [
        "1:28 error bad_url providers.a.baseUrl | This is not an http:// or https:// address; write it in full, as in https://api.example.com/v1.",
        "1:60 error bad_url providers.b.baseUrl | This holds a user name or password, which do not belong in an address; remove them, and name a key as apiKey: env:NAME.",
        "1:98 error bad_url providers.c.baseUrl | This holds a query or a fragment (? or #); give the base of the API only, up to /v1, and put the key into apiKey.",
        "1:137 error bad_url providers.d.baseUrl | This is not an http:// or https:// address; write it in full, as in https://api.example.com/v1.",
        "1:161 error bad_url providers.e.baseUrl | This is not an http:// or https:// address; write a variable as ${NAME}.",
        "1:181 error bad_reference providers.f.baseUrl | A ${ in an address begins the name of a variable, of letters, digits and _; write it as ${NAME}.",
        "1:204 error bad_url providers.g.baseUrl | This holds a query or a fragment (? or #); give the base of the API only, up to /v1, and put the key into apiKey.",
        "1:241 error bad_url providers.h.baseUrl | This is not an http:// or https:// address; remove the blanks around it.",
      ],
    ],
    [
      "providers:\n  a: { baseUrl: 'http://a.test/v1', apiKey: env:A }\n  b: { baseUrl: 'http://a.test/v1' }\n  c: { baseUrl: 'http://127.0.0.1/v1', apiKey: env:A }\n  d: { profile: plain, apiKey: env:A }\nprofiles: { plain: { kind: openai-chat, baseUrl: 'http://plain.test' } }\nmodels: { default: a/x, b: b/x, c: c/x, d: d/x }",
      [
        "2:17 warning unencrypted providers.a.baseUrl | The key is sent without encryption; use https:// unless this is meant.",
        "5:3 warning unencrypted providers.d | The key is sent without encryption; use https:// unless this is meant.",
      ],
    ],
    [
      "providers:\n  a: { baseUrl: 'https://a.test/v1/chat/completions' }\n  b: { baseUrl: 'https://b.test/v1/messages/' }\n  c: { baseUrl: '${C}/responses' }\n  d: { baseUrl: 'https://d.test/messages/v1' }\n  e: { profile: plain }\nprofiles: { plain: { kind: openai-chat, baseUrl: 'https://e.test/Chat/Completions' } }\nmodels: { default: a/x, b: b/x, c: c/x, d: d/x, e: e/x }",
      [
        "2:17 warning endpoint_in_url providers.a.baseUrl | The address ends in /chat/completions, which every request adds by itself; write https://a.test/v1.",
        "3:17 warning endpoint_in_url providers.b.baseUrl | The address ends in /messages, which every request adds by itself; write https://b.test/v1.",
        "4:17 warning endpoint_in_url providers.c.baseUrl | The address ends in /responses, which every request adds by itself; leave that out.",
        "7:50 warning endpoint_in_url profiles.plain.baseUrl | The address ends in /Chat/Completions, which every request adds by itself; write https://e.test.",
      ],
    ],
    [
      "providers: { anthropic: { baseUrl: 'https://x.test', apiKey: hunter2 }, b: { baseUrl: 'https://x.test', apiKey: 12345 }, c: { baseUrl: 'https://x.test', apiKey: $2b$10$abc }, d: { baseUrl: 'https://x.test', apiKey: '' }, e: { baseUrl: 'https://x.test', apiKey: [x] } }\nmodels: { default: mock/x, a: anthropic/x, b: b/x, c: c/x, d: d/x, e: e/x }",
      [
        "1:62 error literal_key providers.anthropic.apiKey | A key must not stand in the document, for every revision is kept and shown; put it into an environment variable and write apiKey: env:ANTHROPIC_API_KEY, or into a file and write apiKey: file:/run/secrets/NAME.",
        "1:113 error literal_key providers.b.apiKey | A key must not stand in the document, for every revision is kept and shown; put it into an environment variable and write apiKey: env:B_API_KEY, or into a file and write apiKey: file:/run/secrets/NAME.",
        "1:162 error literal_key providers.c.apiKey | A key must not stand in the document, for every revision is kept and shown; put it into an environment variable and write apiKey: env:C_API_KEY, or into a file and write apiKey: file:/run/secrets/NAME.",
        "1:216 error bad_reference providers.d.apiKey | There is no reference to a key here; write apiKey: env:D_API_KEY, or remove the line when the provider needs no key.",
        "1:262 error wrong_type providers.e.apiKey | This must be a text such as env:NAME, not a list.",
      ],
    ],
    [
      "providers:\n  ollama0: { baseUrl: 'https://x.test', apiKey: 'env:' }\n  ollama1: { baseUrl: 'https://x.test', apiKey: 'env:1X' }\n  ollama2: { baseUrl: 'https://x.test', apiKey: '$MY_KEY' }\n  ollama3: { baseUrl: 'https://x.test', apiKey: '${env:MY_KEY}' }\n  ollama4: { baseUrl: 'https://x.test', apiKey: '${MY_KEY' }\n  ollama5: { baseUrl: 'https://x.test', apiKey: 'file:relative' }\n  ollama6: { baseUrl: 'https://x.test', apiKey: 'file:~/key' }\n  ollama7: { baseUrl: 'https://x.test', apiKey: 'ENV:MY_KEY' }\n  ollama8: { baseUrl: 'https://x.test', apiKey: ' env:MY_KEY ' }\n  ollama9: { baseUrl: 'https://x.test', apiKey: '${A}${B}' }\n  ollama10: { baseUrl: 'https://x.test', apiKey: 'env:my key' }\n",
      [
        "2:3 warning unused_provider providers.ollama0 | No scene uses this provider; name it in models, as ollama0/MODEL, or remove it.",
        "2:49 error bad_reference providers.ollama0.apiKey | This is not a reference to a key: after env: stands the name of a variable, of letters, digits and _, not beginning with a digit; write for example apiKey: env:OLLAMA0_API_KEY.",
        "3:3 warning unused_provider providers.ollama1 | No scene uses this provider; name it in models, as ollama1/MODEL, or remove it.",
        "3:49 error bad_reference providers.ollama1.apiKey | This is not a reference to a key: after env: stands the name of a variable, of letters, digits and _, not beginning with a digit; write for example apiKey: env:OLLAMA1_API_KEY.",
        "4:3 warning unused_provider providers.ollama2 | No scene uses this provider; name it in models, as ollama2/MODEL, or remove it.",
        "4:49 error bad_reference providers.ollama2.apiKey | This is not a reference to a key: a variable is written env:NAME or ${NAME}; write for example apiKey: env:MY_KEY.",
        "5:3 warning unused_provider providers.ollama3 | No scene uses this provider; name it in models, as ollama3/MODEL, or remove it.",
        "5:49 error bad_reference providers.ollama3.apiKey | This is not a reference to a key: it mixes env:NAME and ${NAME}; write for example apiKey: env:MY_KEY.",
        "6:3 warning unused_provider providers.ollama4 | No scene uses this provider; name it in models, as ollama4/MODEL, or remove it.",
        "6:49 error bad_reference providers.ollama4.apiKey | This is not a reference to a key: ${NAME} holds the name of a variable and stands alone; write for example apiKey: env:MY_KEY.",
        "7:3 warning unused_provider providers.ollama5 | No scene uses this provider; name it in models, as ollama5/MODEL, or remove it.",
        "7:49 error bad_reference providers.ollama5.apiKey | This is not a reference to a key: after file: stands an absolute path, as in file:/run/secrets/NAME; write for example apiKey: env:OLLAMA5_API_KEY.",
        "8:3 warning unused_provider providers.ollama6 | No scene uses this provider; name it in models, as ollama6/MODEL, or remove it.",
        "8:49 error bad_reference providers.ollama6.apiKey | This is not a reference to a key: after file: stands an absolute path, as in file:/run/secrets/NAME; write for example apiKey: env:OLLAMA6_API_KEY.",
        "9:3 warning unused_provider providers.ollama7 | No scene uses this provider; name it in models, as ollama7/MODEL, or remove it.",
        "9:49 error bad_reference providers.ollama7.apiKey | This is not a reference to a key: env: is written in small letters; write for example apiKey: env:MY_KEY.",
        "10:3 warning unused_provider providers.ollama8 | No scene uses this provider; name it in models, as ollama8/MODEL, or remove it.",
        "10:49 error bad_reference providers.ollama8.apiKey | This is not a reference to a key: blanks stand around it; write for example apiKey: env:MY_KEY.",
        "11:3 warning unused_provider providers.ollama9 | No scene uses this provider; name it in models, as ollama9/MODEL, or remove it.",
        "11:49 error bad_reference providers.ollama9.apiKey | This is not a reference to a key: ${NAME} holds the name of a variable and stands alone; write for example apiKey: env:OLLAMA9_API_KEY.",
        "12:3 warning unused_provider providers.ollama10 | No scene uses this provider; name it in models, as ollama10/MODEL, or remove it.",
        "12:50 error bad_reference providers.ollama10.apiKey | This is not a reference to a key: after env: stands the name of a variable, of letters, digits and _, not beginning with a digit; write for example apiKey: env:OLLAMA10_API_KEY.",
      ],
    ],
    [
      "providers: { x: { profile: opnai, apiKey: env:X }, y: { profile: nonsense-profile, apiKey: env:X } }\nmodels: { default: x/y, a: y/z }",
      [
        '1:28 error unknown_profile providers.x.profile | There is no profile "opnai"; did you mean openai?',
        '1:66 error unknown_profile providers.y.profile | There is no profile "nonsense-profile"; there are openrouter, openai, deepseek-api, anthropic, extractive, openai-chat … (+14).',
      ],
    ],
  ])("%#", (text, problems) => {
    expect(said(text)).toEqual(problems);
  });
});

describe("what is said of the old shape", () => {
  it.each<[string, string[]]>([
    [
      "extract: openrouter/x\n",
      [
        "1:1 error old_shape extract | The section extract is of an older version; remove it and write instead:\nmodels:\n  extract: openrouter/x",
      ],
    ],
    [
      "extract: gpt-4o\n",
      [
        "1:1 error old_shape extract | The section extract is of an older version; remove it and write instead:\nmodels:\n  extract: PROVIDER/MODEL",
      ],
    ],
    [
      "extract:\n",
      [
        "1:1 error old_shape extract | The section extract is of an older version; remove it and write instead:\nmodels:\n  extract: PROVIDER/MODEL",
      ],
    ],
    [
      "extract: { provider: anthropic, model: claude-x, apiKey: hunter2hunter2, baseUrl: 'https://x.test/v1' }\nproviders: { ollama: }\nmodels: { planner: ollama/x }\n",
      [
        "1:1 error old_shape extract | The section extract is of an older version; remove it and write instead:\nproviders:\n  anthropic:\n    baseUrl: https://x.test/v1\n    apiKey: env:ANTHROPIC_API_KEY\nmodels:\n  extract: anthropic/claude-x",
      ],
    ],
    [
      "extract:\n  provider: openrouter\n  model: qwen/qwen3\n  apiKey: env:MY_ROUTER\n  baseUrl: https://openrouter.ai/api/v1\n",
      [
        "1:1 error old_shape extract | The section extract is of an older version; remove it and write instead:\nproviders:\n  openrouter:\n    baseUrl: https://openrouter.ai/api/v1\n    apiKey: env:MY_ROUTER\nmodels:\n  extract: openrouter/qwen/qwen3",
      ],
    ],
    [
      "extract: { provider: mock, model: mock-1 }",
      [
        "1:1 error old_shape extract | The section extract is of an older version; remove it and write instead:\nmodels:\n  extract: mock/mock-1",
      ],
    ],
    [
      "extract: { provider: hunter2hunter2hunter2h, model: sk-hunter2hunter2, base_url: 'https://u:hunter2@x.test' }",
      [
        "1:1 error old_shape extract | The section extract is of an older version; remove it and write instead:\nproviders:\n  my-provider:\n    baseUrl: https://HOST/v1\nmodels:\n  extract: my-provider/MODEL",
      ],
    ],
  ])("%#", (text, problems) => {
    expect(said(text)).toEqual(problems);
  });
});

describe("what is said of prices", () => {
  it("reads a table as it stands, and a price of nothing only where it is written", () => {
    const text = `
providers: { router: { baseUrl: 'http://127.0.0.1:1/v1' }, ollama: }
models: { default: router/a }
prices:
  router/a: { input: 0.3, cachedInput: 0.075, cacheWrite: 0.375, output: 2.5, reasoning: 3, currency: EUR }
  router/*: { input: 1, output: 2 }
  mock/*: { input: 0, output: 0 }
`;
    const { document, problems } = parseConfigText(text);
    expect(problems.filter(({ code }) => code !== "unused_provider")).toEqual([]);
    expect(document?.prices).toEqual({
      "router/a": { input: 0.3, cachedInput: 0.075, cacheWrite: 0.375, output: 2.5, reasoning: 3, currency: "EUR" },
      "router/*": { input: 1, output: 2 },
      "mock/*": { input: 0, output: 0 },
    });
  });

  it.each<[string, string[]]>([
    [
      "prices:\n  mock/x: { input: -1, output: '2', cached: 1, currency: usd, tax: 3 }\n  mock/y: { input: .inf, output: 2000000 }\n",
      [
        "2:20 error out_of_range prices.mock/x.input | This must be from 0 to 1000000.",
        "2:32 error wrong_type prices.mock/x.output | This must be a number, not a text; remove the quotes.",
        '2:37 error unknown_key prices.mock/x.cached | There is no "cached" in a price; did you mean cachedInput?',
        "2:58 error out_of_range prices.mock/x.currency | A currency is written in three capital letters, as in USD or CNY.",
        '2:63 error unknown_key prices.mock/x.tax | There is no "tax" in a price; there are input, cachedInput, cacheWrite, output, reasoning, currency.',
        "3:20 error out_of_range prices.mock/y.input | This number is too large or is none; write a finite one.",
        "3:34 error out_of_range prices.mock/y.output | This must be from 0 to 1000000.",
      ],
    ],
    [
      "prices:\n  mock/x: { input: 1 }\n  mock/y:\n  mock/z: 3\n  mock/w: { prompt: 1, output: 1 }\n",
      [
        "2:3 error missing_key prices.mock/x | A price says what a million tokens cost as input and as output; add output:, with 0 when nothing is paid for it.",
        "3:3 error missing_key prices.mock/y | A price says what a million tokens cost as input and as output; add input:, with 0 when nothing is paid for it.",
        "3:3 error missing_key prices.mock/y | A price says what a million tokens cost as input and as output; add output:, with 0 when nothing is paid for it.",
        "4:11 error wrong_type prices.mock/z | This must be a mapping such as input and output, not a number.",
        '5:13 error unknown_key prices.mock/w.prompt | There is no "prompt" in a price; did you mean input?',
      ],
    ],
    [
      "prices: { gpt: &p { input: 1, output: 1 }, 'mock/*x': *p, '*': *p, 'mock/': *p, '/x': *p, 'mock/x,': *p }",
      [
        "1:11 error bad_model_reference prices.gpt | A model is named with its provider; write provider/model, with a slash between.",
        "1:44 error bad_model_reference prices.mock/*x | A * stands for the rest of a name, so it can only be at the end, as in provider/*.",
        "1:59 error bad_model_reference prices.* | A model is named with its provider; write provider/model, with a slash between.",
        "1:68 error bad_model_reference prices.mock/ | The model is missing after the slash; write provider/model.",
        "1:81 error bad_model_reference prices./x | The provider is missing before the slash; write provider/model.",
        "1:91 error bad_model_reference prices.mock/x, | The name of the model ends with a mark that belongs to no name, or a bracket that nothing opens; remove it.",
      ],
    ],
    [
      "prices: { mok/*: { input: 1, output: 1 }, gone/x: { input: 1, output: 1 } }",
      [
        '1:11 warning price_without_provider prices.mok/* | There is no provider "mok", so this price counts only for what was asked of it before; did you mean mock?',
        '1:43 warning price_without_provider prices.gone/x | There is no provider "gone", so this price counts only for what was asked of it before; there are extractive, mock.',
      ],
    ],
  ])("%#", (text, problems) => {
    expect(said(text)).toEqual(problems);
  });
});
