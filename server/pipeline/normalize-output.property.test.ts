import { expect, it } from "vitest";
import { type Random, seededRandom } from "@/server/testing/random-markdown";
import { normalizeOutput } from "./normalize-output";

const STRINGS = [
  "",
  "plain",
  'quo"te',
  "it's",
  "</think>",
  "<think>",
  "```json\n{}\n```",
  "C:\\path",
  "line\nbreak\u0001",
  "规则：“好”，",
  "\u2028",
  "😀",
  "...",
  "// no comment",
  "/* none */",
  '"}], {"',
  "NaN",
  "</s>",
  "]<]minimax[>[",
  "\uFEFF",
];

function randomValue(random: Random, levels: number): unknown {
  switch (random.below(levels > 0 ? 7 : 5)) {
    case 0:
      return random.pick([null, true, false]);
    case 1:
      return random.pick([0, -1.5, 1e21, 42]);
    case 5:
      return Array.from({ length: random.below(4) }, () => randomValue(random, levels - 1));
    case 6:
      return randomObject(random, levels - 1);
    default:
      return random.pick(STRINGS) + random.pick(STRINGS);
  }
}

function randomObject(random: Random, levels: number): Record<string, unknown> {
  return Object.fromEntries(
    Array.from({ length: random.below(4) }, (_, at) => [`${random.pick(STRINGS)}${at}`, randomValue(random, levels)]),
  );
}

const randomAnswer = (random: Random) => ({
  insights: [randomValue(random, 3), randomValue(random, 3)],
  ...randomObject(random, 3),
});
const read = (text: string) => normalizeOutput(text, { schema: { insights: "array" } });

it("valid JSON is never touched, however it is written", () => {
  const random = seededRandom(7);
  for (let round = 0; round < 2_000; round++) {
    const answer = randomAnswer(random);
    const text = JSON.stringify(answer, null, random.pick([0, 2, "\t"]));
    const result = read(text);
    expect(result.ok && JSON.stringify(result.output)).toBe(JSON.stringify(answer));
    expect(result.ledger.steps.filter(({ outcome }) => outcome !== "passed")).toEqual([]);
    expect(result.ledger).toMatchObject({ repaired: false, truncated: false });
  }
});

it("what stands around valid JSON never changes its value", () => {
  const random = seededRandom(8);
  const around = [
    (text: string) => `\`\`\`json\n${text}\n\`\`\``,
    (text: string) => `<think>{"insights": [ it's</think>\n${text}`,
    (text: string) => `Here you are: ${text}\nAnything else?`,
    (text: string) => `Sure.\n\`\`\`\n${text}\n\`\`\`\n`,
    (text: string) => `${text}</tool>`,
    (text: string) => JSON.stringify(text),
  ];
  for (let round = 0; round < 2_000; round++) {
    const answer = randomAnswer(random);
    const result = read(random.pick(around)(JSON.stringify(answer)));
    expect(result.ok && JSON.stringify(result.output)).toBe(JSON.stringify(answer));
    expect(result.ledger.repaired).toBe(false);
  }
});

it("JSON that is cut anywhere is never accepted", () => {
  const random = seededRandom(9);
  for (let round = 0; round < 300; round++) {
    const text = JSON.stringify(randomAnswer(random));
    for (let cut = 1; cut < text.length; cut += 1 + random.below(5)) {
      const result = read(text.slice(0, cut));
      expect(result.ok).toBe(false);
      // One character is no object that has begun; a tag makes thinking of what stands before it.
      if (cut > 2 && !text.includes("think>"))
        expect([text.slice(0, cut), result.ledger.truncated]).toEqual([text.slice(0, cut), true]);
    }
  }
});

it("a repair gives back what valid JSON said before it was broken", () => {
  const random = seededRandom(10);
  const breaks = [
    (text: string) => text.replace(/([\]}])$/, ",$1"),
    (text: string) => text.replace(/^\{"insights"/, "{insights"),
    (text: string) => text.replace(/^\{"insights"/, "{'insights'"),
    (text: string) => text.replace(/^\{/, "{ // a comment\n"),
    (text: string) => text.replaceAll("\\n", "\n"),
  ];
  for (let round = 0; round < 2_000; round++) {
    const answer = randomAnswer(random);
    const text = random.pick(breaks)(JSON.stringify(answer));
    const result = read(text);
    expect(result.ok && JSON.stringify(result.output)).toBe(JSON.stringify(answer));
  }
});
