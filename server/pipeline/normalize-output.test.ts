import { describe, expect, it } from "vitest";
import { seededRandom } from "@/server/testing/random-markdown";
import { normalizeOutput } from "./normalize-output";

const expectation = { schema: { insights: "array" } };
const insight = { topic: "queue", content: "A lease must outlive the call." };
const answer = JSON.stringify({ insights: [insight] });
const output = { insights: [insight] };
const parse = (text: string) => normalizeOutput(text, expectation);
/** The steps that made another text of it. */
const changesOf = (text: string) =>
  parse(text)
    .ledger.steps.filter((step) => step.outcome === "changed")
    .map((step) => step.step);

describe("an answer that is taken", () => {
  it.each([
    ["as it stands", answer, []],
    ["with blanks and a byte order mark around it", `\uFEFF\n ${answer} \n`, []],
    ["out of a fence", `\`\`\`json\n${answer}\n\`\`\``, ["fence"]],
    ["out of a fence that never closes", `\`\`\`json\n${answer}\n`, ["fence"]],
    ["after thinking", `<think>The user wants {"insights": []}. Hm.</think>\n\n${answer}`, ["thinking"]],
    ["after thinking without an opening tag", `I think {"insights": []} would do.\n</think>\n${answer}`, ["thinking"]],
    ["after thinking, in a fence", `<think>x</think>\n\`\`\`json\n${answer}\n\`\`\``, ["thinking", "fence"]],
    ["after thinking twice", `<think>a</think> so <think>b</think>${answer}`, ["thinking", "extract"]],
    ["out of prose", `Here you are:\n\n${answer}\n\nAnything else?`, ["extract"]],
    ["before the rest of a tag", `${answer}</tool>`, ["extract"]],
    ["past braces and brackets of prose", `Use {name} and [1], - [ ] and [[link]]: ${answer} [2]`, ["extract"]],
    ["encoded as a string", JSON.stringify(answer), ["decode"]],
    ["encoded twice", JSON.stringify(JSON.stringify(answer)), ["decode"]],
    ["as a bare array of objects", JSON.stringify([insight]), ["wrap"]],
    ["as an array in prose", `Result: ${JSON.stringify([insight])}`, ["extract", "wrap"]],
  ])("%s", (_name, text, steps) => {
    expect(parse(text)).toEqual(expect.objectContaining({ ok: true, output }));
    expect(changesOf(text)).toEqual(steps);
  });

  it("is the last of several", () => {
    expect(parse(`Draft: {"insights": [{"content": "old"}]}\nBetter: ${answer}`)).toMatchObject({ ok: true, output });
    expect(parse(`${answer}\nSee also {"note": 1}.`)).toMatchObject({ ok: true, output });
  });

  it("may be empty", () => {
    expect(parse('{"insights": []}')).toEqual({
      ok: true,
      output: { insights: [] },
      ledger: {
        version: 1,
        repaired: false,
        truncated: false,
        steps: [
          { step: "received", outcome: "passed", detail: { characters: 16 } },
          { step: "parse", outcome: "passed" },
          { step: "schema", outcome: "passed", detail: { dialect: "keys" } },
        ],
      },
    });
    expect(parse("[]")).toMatchObject({ ok: true, output: { insights: [] } });
    expect(changesOf("[]")).toEqual(["wrap"]);
  });

  it("is not touched when it is JSON, whatever its strings hold", () => {
    const hard = {
      insights: [{ content: 'a </think> b <think> ```json {"insights": []} ``` "}] \\ \u2028 😀' }],
      more: { deep: [1, null] },
    };
    expect(parse(JSON.stringify(hard))).toMatchObject({ ok: true, output: hard });
    expect(changesOf(JSON.stringify(hard))).toEqual([]);
    const fenced = `\`\`\`json\n${JSON.stringify(hard)}\n\`\`\``;
    expect(parse(fenced)).toMatchObject({ ok: true, output: hard });
    expect(changesOf(fenced)).toEqual(["fence"]);
  });
});

describe("an answer that is refused", () => {
  it.each([
    ["", "empty", "The model answered with nothing."],
    ["  \n", "empty", "The model answered with nothing."],
    ["<think>I am still thinking about", "empty", "The model thought and gave no answer."],
    [`<think>${answer}`, "empty", "The model thought and gave no answer."],
    ["I cannot help with that.", "no_json", "The answer holds no JSON."],
    ["- [ ] buy milk\n- [1]", "no_json", "The answer holds no JSON."],
    ["null", "wrong_shape", "The answer is null, not an object."],
    ["42", "wrong_shape", "The answer is a number, not an object."],
    ['"just words"', "wrong_shape", "The answer is a JSON string, not an object."],
    ['["a", "b"]', "wrong_shape", "The answer is a JSON array, not an object."],
    ['[{"content": "a"}, "b"]', "wrong_shape", "The answer is a JSON array, not an object."],
    ['{"items": []}', "wrong_shape", "“insights” is missing from the answer, which has “items”."],
    ["{}", "wrong_shape", "“insights” is missing from the answer."],
    ['{"insights": {"a": 1}}', "wrong_shape", "“insights” is an object where an array is expected."],
    ['{"insights": null}', "wrong_shape", "“insights” is null where an array is expected."],
    ['{"insights": "[]"}', "wrong_shape", "“insights” is a string where an array is expected."],
    ['{"insights": [1], "insights": [2]}', "wrong_shape", "The key “insights” stands twice in one object of the answer."],
    [
      '{"insights": [{"content": "a", "c\\u006fntent": "b"}]}',
      "wrong_shape",
      "The key “content” stands twice in one object of the answer.",
    ],
    ['{"insights": [{"content": "a"}, {"content": "b"}', "cut_off", "The JSON in the answer is cut off before its end."],
    ['{"insights": [{"content": "a"}], "more": "no end', "cut_off", "The JSON in the answer is cut off before its end."],
    ['```json\n{"insights": [{"content": "a"}]', "cut_off", "The JSON in the answer is cut off before its end."],
    [`${answer}{"insights": []}`, "ambiguous", "The answer holds two different JSON answers side by side."],
    [`${answer}\n{"insights": []}`, "ambiguous", "The answer holds two different JSON answers side by side."],
    ['{"a": 1}{"b": 2}', "wrong_shape", "“insights” is missing from the answer, which has “b”."],
  ])("%j: %s", (text, problem, reason) => {
    expect(parse(text)).toMatchObject({ ok: false, problem, reason });
  });

  it("is judged by the request's own schema", () => {
    const schema = { title: "string", size: "number", done: "boolean", card: "object", free: { type: "string" } };
    expect(normalizeOutput('{"title":"t","size":1,"done":false,"card":{},"free":3}', { schema })).toMatchObject({ ok: true });
    expect(normalizeOutput('{"title":"t","size":"1","done":false,"card":{},"free":3}', { schema })).toMatchObject({
      reason: "“size” is a string where a number is expected.",
    });
    expect(normalizeOutput('{"title":"t","size":1,"done":false,"card":[]}', { schema })).toMatchObject({
      reason: "“card” is an array where an object is expected.",
    });
    expect(normalizeOutput("[]", { schema })).toMatchObject({ ok: false, reason: "The answer is a JSON array, not an object." });
    expect(normalizeOutput("{}", { schema: {} })).toMatchObject({ ok: true, output: {} });
  });
});

describe("an answer that nests", () => {
  const nested = (levels: number, padding: number) =>
    `{"insights":[{"content":"${"[".repeat(padding)}","x":${"[".repeat(levels)}${"]".repeat(levels)}}]}`;

  it("is read down to a thousand levels, whatever brackets its strings hold", () => {
    // The object, the array and the entry are three levels themselves.
    expect(parse(nested(997, 40_000)).ok).toBe(true);
  });

  it("is no answer beyond them, since such a text is only there to be slow", () => {
    expect(parse(nested(998, 40_000))).toMatchObject({ ok: false, problem: "broken" });
    expect(parse("[".repeat(40_000))).toMatchObject({ ok: false, problem: "no_json" });
  });
});

describe("any text", () => {
  it("is answered without throwing", () => {
    const random = seededRandom(5);
    const parts = [
      "{",
      "}",
      "[",
      "]",
      '"',
      "\\",
      ":",
      ",",
      "insights",
      "<think>",
      "</think>",
      "```",
      "\n",
      "1",
      "null",
      answer,
      "规则",
      "\uD83D",
    ];
    for (let round = 0; round < 3000; round++) {
      const text = Array.from({ length: random.below(14) }, () => random.pick(parts)).join("");
      const parsed = parse(text);
      expect(typeof parsed.ok).toBe("boolean");
      if (parsed.ok) expect(Array.isArray(parsed.output.insights)).toBe(true);
      else expect(parsed.reason.endsWith(".")).toBe(true);
    }
  });

  it.each([
    "{",
    "[",
    '{"',
    "[{",
    "}",
    '{"a":[',
    '"',
    "\\",
    "<think>",
    "</think>",
    "```\n",
    '{"a":1}',
    '[{"a":1}]',
    "{}",
    '{"a"}',
    "[{]",
    "{ ",
    '{"a":"\\"',
  ])("of %j costs with its length, not with the square of it", (part) => {
    /** The least processor time of three, in milliseconds: what else runs on the machine only adds to it. */
    const cost = (length: number) => {
      const text = `x${part.repeat(Math.ceil(length / part.length))}`;
      const times = [1, 2, 3].map(() => {
        const started = process.cpuUsage();
        expect(parse(text).ok).toBe(part === '[{"a":1}]');
        const { user, system } = process.cpuUsage(started);
        return (user + system) / 1000;
      });
      return Math.min(...times);
    };
    // Four times as long: a square would cost sixteen times as much.
    const quarter = Math.max(cost(250_000), 3);
    expect(cost(1_000_000)).toBeLessThan(quarter * 10);
  });
});
