/** The wrong JSON that users of other products have reported, and the rest of each kind: the value it must become, or the refusal. */
import { describe, expect, it } from "vitest";
import { normalizeOutput } from "./normalize-output";

const schema = { insights: "array" };
const read = (text: string, finishReason?: string) => normalizeOutput(text, { schema, finishReason });
const one = { insights: [{ content: "a" }] };
const valid = JSON.stringify(one);

describe("thinking", () => {
  it.each([
    ["in tags", `<think>\nI would say {"insights": [1]}.\n</think>\n${valid}`, "closed"],
    ["without the opening tag", `I would say {"insights": [1]}.\n</think>\n${valid}`, "orphan"],
    ["that begins an object and stops", `So {"insights": [ hm, no.\n</think>\n${valid}`, "orphan"],
    ["twice", `<think>a</think><think>b</think>${valid}`, "closed"],
    ["within thinking", `<think>a <think>b</think> c</think>${valid}`, "closed"],
    ["with attributes", `<thinking budget="3">a</thinking>${valid}`, "closed"],
    ["with a namespace", `<seed:think>a</seed:think>${valid}`, "closed"],
    ["in square brackets", `[THINK]a[/THINK]${valid}`, "closed"],
    ["in triangles", `◁think▷a◁/think▷${valid}`, "closed"],
    ["in a channel", `<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>final<|message|>${valid}`, "channel"],
    ["after the answer, without an end", `${valid}\n<think>was that right?`, "unclosed"],
  ])("%s is taken away", (_name, text, form) => {
    const result = read(text);
    expect(result).toMatchObject({ ok: true, output: one, ledger: { repaired: false, truncated: false } });
    expect(result.ledger.steps.find(({ step }) => step === "thinking")?.detail?.form).toBe(form);
  });

  it("is no thinking where it is text of an answer", () => {
    const said = { insights: [{ content: "models write <think>x</think> and </think> and <think> into it" }] };
    expect(read(`Here: ${JSON.stringify(said)}`)).toMatchObject({ ok: true, output: said });
    expect(read(`<think>hm</think>Here: ${JSON.stringify(said)}`)).toMatchObject({ ok: true, output: said });
    expect(read(`<think>hm</think>${JSON.stringify(said)} Done.`)).toMatchObject({ ok: true, output: said });
  });
});

describe("what stands around an answer", () => {
  it.each([
    ["a fence", `\`\`\`json\n${valid}\n\`\`\``],
    ["a fence of tildes", `~~~\n${valid}\n~~~`],
    ["a fence in prose", `Sure!\n\`\`\`json\n${valid}\n\`\`\`\nHope it helps.`],
    ["a fence on one line", `\`\`\`json ${valid} \`\`\``],
    ["a fence within a JSON string", JSON.stringify(`\`\`\`json\n${valid}\n\`\`\``)],
    ["the rest of a tool call", `${valid}</tool>`],
    ["markers of MiniMax", `]<]minimax[>[${valid}]<]minimax[>[`],
    ["control marks", `${valid}<|im_end|>\n<|endoftext|>`],
    ["a call", `answer(${valid});`],
    ["escaped quotes without a string", JSON.stringify(valid).slice(1, -1)],
    ["escaped quotes over lines", '{\\"insights\\":\n [{\\"content\\": \\"a\\"}]}'],
  ])("%s is taken away without a repair", (_name, text) => {
    expect(read(text)).toMatchObject({ ok: true, output: one, ledger: { repaired: false } });
  });
});

describe("broken JSON of which nothing is missing", () => {
  const content = (text: string) => ({ insights: [{ content: text }] });
  it.each<[string, string, unknown]>([
    ["a comma too many", '{"insights": [{"content": "a",},],}', one],
    ["commas too many", '{"insights": [{"content": "a",,}]}', one],
    [
      "no comma between two",
      '{"insights": [{"content": "a"} {"content": "b"}]}',
      { insights: [{ content: "a" }, { content: "b" }] },
    ],
    ["no comma between lines", '{"insights": [{"topic": "t"\n"content": "a"}]}', { insights: [{ topic: "t", content: "a" }] }],
    ["no comma behind a number", '{"insights": [{"size": 1 "content": "a"}]}', { insights: [{ size: 1, content: "a" }] }],
    ["single quotes", "{'insights': [{'content': 'a'}]}", one],
    ["single quotes and an apostrophe", "{'insights': [{'content': 'it's here, isn\\'t it'}]}", content("it's here, isn't it")],
    ["curly quotes", "{“insights”: [{“content”: “a”}]}", one],
    ["keys without quotes", '{insights: [{content: "a"}]}', one],
    ["full-width punctuation", '{"insights"：[{"topic"："t"，"content"："a"}]}', { insights: [{ topic: "t", content: "a" }] }],
    ["quotes that are not escaped", '{"insights": [{"content": "he said "yes" to it"}]}', content('he said "yes" to it')],
    ["quotes before a comma", '{"insights": [{"content": "he said "yes", and left"}]}', content('he said "yes", and left')],
    ["one quote that is not escaped", '{"insights": [{"content": "a 5" disk"}]}', content('a 5" disk')],
    ["line breaks in a string", '{"insights": [{"content": "one\ntwo\tthree"}]}', content("one\ntwo\tthree")],
    ["backslashes of paths", '{"insights": [{"content": "C:\\path\\data \\d+"}]}', content("C:\\path\\data \\d+")],
    ["half an escape", '{"insights": [{"content": "\\u12 and \\x41"}]}', content("\\u12 and \\x41")],
    ["comments", '{"insights": [ // none\n {"content": "a" /* b */}]}', one],
    ["a URL that is no comment", '{"insights": [{"content": "see https://a.test/x", }]}', content("see https://a.test/x")],
    [
      "constants of Python",
      "{'insights': [{'content': 'a', 'x': None, 'y': True, 'z': False}]}",
      { insights: [{ content: "a", x: null, y: true, z: false }] },
    ],
    [
      "numbers that are none",
      '{"insights": [{"content": "a", "x": NaN, "y": -Infinity, "z": undefined,}]}',
      { insights: [{ content: "a", x: null, y: null, z: null }] },
    ],
    ["semicolons", '{"insights": [{"topic": "t"; "content": "a"}]}', { insights: [{ topic: "t", content: "a" }] }],
    ["strings that are added up", '{"insights": [{"content": "a" + "b"}]}', content("ab")],
    ["a bracket that was forgotten", '{"insights": [{"content": "a"}}', one],
    ["a bracket too many", '{"insights": [{"content": "a"}]]}', one],
    ["another bracket too many", '{"insights": [{"content": "a"}}]}', one],
    ["a single quote in prose", "It's this: {'insights': [{'content': 'a'}]}. Don't worry.", one],
    ["thinking, a fence and a comma", '<think>x</think>\n```json\n{"insights": [{"content": "a"},]}\n```', one],
    ["an array alone", "[{'content': 'a'}]", one],
  ])("%s", (_name, text, output) => {
    const result = read(text);
    expect(result).toMatchObject({ ok: true, ledger: { repaired: true, truncated: false } });
    expect(result.ok && result.output).toEqual(output);
    expect(result.ledger.steps.map(({ step }) => step)).toContain("repair");
  });

  it("says what was repaired, in counts", () => {
    expect(read("{'insights': [{'content': 'C:\\path',}],}").ledger.steps).toEqual([
      { step: "received", outcome: "passed", detail: { characters: 40 } },
      { step: "parse", outcome: "failed" },
      { step: "repair", outcome: "changed", detail: { characters: 40, quotes: 3, escapes: 1, commas: 2 } },
      { step: "schema", outcome: "passed", detail: { dialect: "keys" } },
    ]);
  });
});

describe("what is missing", () => {
  it.each([
    ["a value", '{"insights": [{"content": }]}', "value_missing"],
    ["a value behind a key", '{"insights": [{"content": "a", "topic"}]}', "value_missing"],
    ["an entry", '{"insights": [{"content": "a"},, {"content": "b"}]}', "value_missing"],
    ["what dots stand for", '{"insights": [{"content": "a"}, ...]}', "left_out"],
    ["what an ellipsis stands for", '{"insights": [{"content": "a"}, …]}', "left_out"],
    ["what is behind an early end", '{"insights": [{"content": "a"}}, {"content": "b"}]}', "unreadable"],
  ])("%s is never made up", (_name, text, reason) => {
    const result = read(text);
    expect(result).toMatchObject({ ok: false, problem: "broken", ledger: { repaired: false, truncated: false } });
    expect(result.ledger.steps.at(-1)).toEqual({ step: "repair", outcome: "failed", detail: { reason } });
  });

  it.each([
    ["in a string", '{"insights": [{"content": "a"}, {"content": "b'],
    ["in a key", '{"insights": [{"content": "a"}, {"cont'],
    ["behind a key", '{"insights": [{"content": "a"}, {"content":'],
    ["behind an entry", '{"insights": [{"content": "a"}'],
    ["before the last bracket", '{"insights": [{"content": "a"}]'],
    ["in single quotes", "{'insights': [{'content': 'a"],
    ["in a fence", '```json\n{"insights": [{"content": "a"}]'],
    ["after thinking", '<think>hm</think>{"insights": [{"content": "a"}'],
    ["within an escape", '{"insights": [{"content": "a\\'],
    ["behind a whole draft", `${valid} Better: {"insights": [{"content": "b"`],
  ])("a text that ends %s is truncated, whatever a repair could make of it", (_name, text) => {
    expect(read(text, "stop")).toMatchObject({
      ok: false,
      problem: "cut_off",
      reason: "The JSON in the answer is cut off before its end.",
      ledger: { repaired: false, truncated: true },
    });
  });

  it("is not known of a whole answer either, when the model stopped at its limit", () => {
    const ledger = {
      repaired: false,
      truncated: true,
      errors: [expect.stringMatching(/^The answer was cut at the model's output limit/)],
    };
    expect(read(valid, "length")).toMatchObject({ ok: false, problem: "cut_off", ledger });
    expect(read('{"insights": [', "length")).toMatchObject({ ok: false, problem: "cut_off", ledger });
    expect(read("", "length")).toMatchObject({ ok: false, problem: "cut_off", ledger });
    expect(read(valid, "stop")).toMatchObject({ ok: true });
  });
});

describe("more than one answer", () => {
  it.each([
    ["two that fit", `${valid}{"insights": []}`],
    ["two lines", `${valid}\n{"insights": []}`],
    ["a list without brackets", `${valid}, {"insights": []}`],
    ["one in two pieces", `${valid}{"confidence": 1}`],
    ["one in two pieces, the other way", `{"confidence": 1}\n${valid}`],
    ["two broken ones", "{'insights': [1]}\n{'insights': [2]}"],
  ])("%s side by side are refused", (_name, text) => {
    expect(read(text)).toMatchObject({ ok: false, problem: "ambiguous" });
  });

  it("is one when both say the same", () => {
    expect(read(`${valid}\n${valid}`)).toMatchObject({ ok: true, output: one });
  });

  it("is not made one by a later answer that nobody can read", () => {
    expect(read(`Draft: ${valid}\nFinal: {"insights": [{"content": }]}`)).toMatchObject({ ok: false, problem: "broken" });
    expect(read(`Draft: ${valid}\nFinal: {"insights": [{"content": "b",}]}`)).toMatchObject({
      ok: true,
      output: { insights: [{ content: "b" }] },
      ledger: { repaired: true },
    });
  });

  it("has each key once, also when it was repaired", () => {
    expect(read("{'insights': [], 'insights': [1]}")).toMatchObject({
      ok: false,
      reason: "The key “insights” stands twice in one object of the answer.",
    });
  });
});

describe("the bounds", () => {
  it("are those of the repair: 64 KiB", () => {
    const broken = (length: number) => `{"insights": [{"content": "${"x".repeat(length - 32)}",}]}`;
    expect(broken(100)).toHaveLength(100);
    expect(read(broken(64 * 1024))).toMatchObject({ ok: true, ledger: { repaired: true } });
    expect(read(broken(64 * 1024 + 1))).toMatchObject({
      ok: false,
      reason: "The JSON in the answer is broken and longer than the 65536 characters that are repaired.",
    });
  });

  it.each([
    "[[[[",
    '{"a":',
    "```",
    "<think>",
    "</think>",
    "\\",
    '"',
    "{'a':[",
    "<think></think>{",
    '{"a":"b"c',
    "“",
    "/*",
    "{a:",
    ", ",
    "[{]<think>",
  ])("hold for 4 MiB of %j", (part) => {
    const result = read(part.repeat((4 * 1024 * 1024) / part.length));
    expect(result.ok).toBe(false);
    expect(result.ledger.steps.length).toBeLessThanOrEqual(24);
  });

  it("hold for the ledger: no text of the model is in it", () => {
    const text = `<think>SECRET</think>Here: {'insights': [{'content': 'SECRET',}]} SECRET`;
    expect(JSON.stringify(read(text).ledger.steps)).not.toContain("SECRET");
  });
});
