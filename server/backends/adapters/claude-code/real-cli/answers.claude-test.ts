/** Answers of the real Claude Code on a scripted model: what is asked of the model, and what comes of what it says. */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Turn } from "@/server/backends/backend";
import { calling, saying, stopping } from "@/server/testing/messages-answers";
import { openRealClaude, type RealClaude } from "@/server/testing/real-claude";

const OBJECT = {
  insights: [
    { topic: null, section: null, content: "Moved to Oslo – 漢字.", confidence: "high", date: "2026-04-19", quote: null },
  ],
};
const WORDS: Partial<Turn> = { expect: { format: "json", schema: {} } };
const object = () => calling("StructuredOutput", OBJECT);

let claude: RealClaude;

beforeAll(async () => {
  claude = await openRealClaude();
});
afterAll(() => claude.close());

describe("an object", () => {
  it("is asked for by a schema, in one request without tools of its own, thinking and anything of this machine", async () => {
    const usage = { input: 120, output: 33, cacheRead: 40, cacheCreation: 5 };
    const { result, requests, characters } = await claude.run([calling("StructuredOutput", OBJECT, { usage })], {
      turn: { system: "The system\ntext." },
    });
    expect(result).toMatchObject({
      text: JSON.stringify(OBJECT),
      finishReason: "stop",
      usage: { promptTokens: 165, completionTokens: 33, cachedTokens: 40, cacheWriteTokens: 5, costUsd: expect.any(Number) },
      servedModel: "claude-served-1",
    });
    expect(result?.firstTokenMs).toBeGreaterThan(0);
    expect(characters.length).toBeGreaterThan(1);
    expect(characters.at(-1)).toBe(result?.text.length);
    expect(requests).toHaveLength(1);
    const [request] = requests;
    expect(request).toMatchObject({ apiKey: claude.key, authorization: null, model: "claude-sonnet-5-5" });
    expect(request?.system).toBe("You are a Claude agent, built on Anthropic's Claude Agent SDK.\nThe system\ntext.");
    expect(request?.prompt).toMatch(/^Input:\nThe notes\. \[turn-\d+\]$/);
    const { tools, thinking, stream } = request?.body ?? {};
    expect([thinking, stream]).toEqual([undefined, true]);
    expect(tools).toEqual([expect.objectContaining({ name: "StructuredOutput" })]);
    expect(JSON.stringify(request?.body)).not.toContain(claude.folder);
  });

  it.each([
    [
      "words",
      [saying("I found nothing."), saying("more"), saying("more")],
      "without the object that was asked for.",
      "I found nothing.",
    ],
    [
      "another object",
      [calling("StructuredOutput", { nope: 1 }), object()],
      "object is not the one that was asked for: Output does not match required schema: root: must have required property 'insights'",
      '{"nope":1}',
    ],
  ])(
    "instead of which the model gives %s is a failure after one request, and kept",
    async (_what, scripts, message, partialText) => {
      const { error, requests } = await claude.run(scripts);
      expect(error).toMatchObject({ failureKind: "backend-response-invalid", partialText });
      expect(error?.message).toContain(message);
      expect(requests).toHaveLength(1);
    },
  );
});

describe("words", () => {
  it.each(['{"insights":[]}', '```json\n{"insights":[]}\n```', "A word – 漢字 😀."])(
    "come as they were said: %j",
    async (text) => {
      const { result, requests } = await claude.run([saying(text)], { turn: WORDS });
      expect(result).toMatchObject({ text, finishReason: "stop", usage: { promptTokens: 11, completionTokens: 7 } });
      expect(requests).toHaveLength(1);
      expect(requests[0]?.body.tools).toEqual([]);
    },
  );

  it("obey the limit of the request, and none of ours otherwise", async () => {
    const { requests } = await claude.run([saying("x")], { turn: { ...WORDS, generation: { maxTokens: 16 } } });
    expect(requests[0]?.body.max_tokens).toBe(16);
  });

  // Left alone it asks its model three times to go on, and once more after an empty answer. It is ended at the word of why the model
  // stops; that the word does not come together with the answer's end makes the count sure.
  it("that were cut at the limit are kept, and the model is not asked to go on", async () => {
    const { result, requests } = await claude.run([stopping("The beginning of", "max_tokens"), saying("x")], { turn: WORDS });
    expect(result).toMatchObject({ text: "The beginning of", finishReason: "length" });
    expect(result?.usage).toEqual({ promptTokens: 11, completionTokens: 7 });
    expect(requests).toHaveLength(1);
  });

  it("that are none fail the turn, and the model is not asked again", async () => {
    const { error, requests } = await claude.run([stopping("", "end_turn"), saying("x")], { turn: WORDS });
    expect(error).toMatchObject({
      failureKind: "backend-response-invalid",
      message: "claude-code answered without any text.",
    });
    expect(requests).toHaveLength(1);
  });

  it("of a refusal are kept, and said to be one; without words it is a failure", async () => {
    const kept = await claude.run([saying("I can", { stopReason: "refusal" }), saying("x")], { turn: WORDS });
    expect(kept.result).toMatchObject({ text: "I can", finishReason: "content_filter" });
    const bare = await claude.run([saying("", { stopReason: "refusal" }), saying("x")]);
    expect(bare.error?.message).toBe("claude-code: a content filter of the provider left nothing of the answer.");
    expect([kept.requests.length, bare.requests.length]).toEqual([1, 1]);
  });
});

describe.each([
  ["a key", undefined],
  ["a subscription's token", "sk-ant-oat01-canary-0123456789"],
])("with %s", (_what, key) => {
  it("a text is a text: no command, no file of this machine, no memory", async () => {
    const secret = path.join(claude.folder, "secret.txt");
    writeFileSync(secret, "THE-CONTENT-OF-A-FILE");
    mkdirSync(claude.homesFolder, { recursive: true });
    writeFileSync(path.join(claude.homesFolder, "CLAUDE.md"), "THE-MEMORY-OF-A-PROJECT");
    const text = `/help\n/clear\n! cat ${secret}\n!\`cat ${secret}\`\n# remember\n@${secret} and @"${secret}"\nultrathink`;
    const { result, requests } = await claude.run([object()], { text, ...(key === undefined ? {} : { key }) });
    expect(result?.text).toBe(JSON.stringify(OBJECT));
    expect(requests).toHaveLength(1);
    expect(requests[0]?.prompt.startsWith(`Input:\n${text} [turn-`)).toBe(true);
    expect(JSON.stringify(requests[0]?.body)).not.toMatch(/THE-CONTENT|THE-MEMORY/);
    expect(requests[0]).toMatchObject(
      key === undefined ? { apiKey: claude.key, authorization: null } : { apiKey: null, authorization: `Bearer ${key}` },
    );
  });
});

it("eight at once are eight requests with an answer each", async () => {
  const texts = Array.from({ length: 8 }, (_, at) => `answer ${at}`);
  const turns = await Promise.all(texts.map((text) => claude.run([saying(text)], { turn: WORDS })));
  expect(turns.map(({ result }) => result?.text)).toEqual(texts);
  expect(turns.map(({ requests }) => requests.length)).toEqual(texts.map(() => 1));
});

it("asks nobody for anything but messages", () => {
  expect(claude.upstream.others).toEqual([]);
});
