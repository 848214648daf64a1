/** Chunks through the real CLI: what goes over the wire, and what comes back. */
import { readdirSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openRealCodex, type RealCodex } from "@/server/testing/real-codex";
import { chunkTurn } from "@/server/testing/real-codex-turns";
import {
  answer,
  applyPatch,
  held,
  messageFrames,
  noHeaders,
  reasonedReply,
  reply,
  runCommand,
  twoMessages,
} from "@/server/testing/responses-answers";
import { waitFor } from "@/server/testing/wait-for";
import pin from "../../../codex-cli.json";

let codex: RealCodex;

beforeAll(async () => {
  codex = await openRealCodex();
});
afterAll(() => codex.close());

it("answers with the model's text, its tokens and one real request", async () => {
  const { result, told, events, progress, requests } = await chunkTurn(codex, [reply('{"insights":[]} and more')]);
  expect(result).toEqual({
    text: '{"insights":[]} and more',
    finishReason: "stop",
    usage: { promptTokens: 11, completionTokens: 7 },
    firstTokenMs: expect.any(Number),
  });
  expect(told).toEqual([
    "status started",
    "status thread-started",
    'message final: {"insights":[]} and more',
    "status suppressed",
  ]);
  expect(events[0]?.payload).toEqual({
    phase: "started",
    backend: "deepseek",
    backendKind: "codex-app-server-stdio",
    protocol: "codex-app-server-jsonrpc-stdio",
    model: "deepseek-flash",
  });
  expect(progress).toEqual([12, 24]);
  expect(requests).toMatchObject([{ method: "POST", path: "/v1/responses", authorization: `Bearer ${codex.key}` }]);
});

it("sends the prompt, the system text and the schema, to the very model, and asks for nothing to be kept", async () => {
  const { requests } = await chunkTurn(codex, [reply("{}")], { turn: { system: "You distil notes." } });
  const [request] = requests;
  expect(request?.model).toBe("deepseek-flash");
  expect(request?.body).toMatchObject({ stream: true, store: false });
  expect(request?.body.instructions).toBeUndefined();
  expect(JSON.stringify(request?.body.input)).toContain("You distil notes.");
  const nullable = { type: ["string", "null"] };
  expect(request?.body.text).toEqual({
    format: {
      type: "json_schema",
      strict: true,
      name: "codex_output_schema",
      schema: {
        type: "object",
        additionalProperties: false,
        required: ["insights"],
        properties: {
          insights: {
            type: "array",
            items: {
              type: "object",
              additionalProperties: false,
              required: ["topic", "section", "content", "confidence", "date", "quote"],
              properties: {
                topic: nullable,
                section: nullable,
                content: { type: "string" },
                confidence: { type: ["string", "null"], enum: ["high", "medium", "low", null] },
                date: nullable,
                quote: nullable,
              },
            },
          },
        },
      },
    },
  });
});

it("asks for no form where the answer may have any", async () => {
  const { requests } = await chunkTurn(codex, [reply("words")], { turn: { expect: { format: "json", schema: {} } } });
  expect(requests[0]?.body.text).toBeUndefined();
});

it("takes the last of two messages, and tells both", async () => {
  const { result, told, requests } = await chunkTurn(codex, [twoMessages("I am thinking.", "The answer.")]);
  expect(result?.text).toBe("The answer.");
  expect(told).toEqual([
    "status started",
    "status thread-started",
    "message without authority: I am thinking.",
    "message final: The answer.",
    "status suppressed",
  ]);
  expect(requests).toHaveLength(1);
});

it("keeps what the model thinks out of answer and trace", async () => {
  const { result, events } = await chunkTurn(codex, [reasonedReply("a summary-canary", "a thought-canary", "The answer.")]);
  expect(result?.text).toBe("The answer.");
  expect(JSON.stringify(events)).not.toContain("canary");
});

it("counts the tokens of one turn alone, whatever its process did before", async () => {
  const frames = answer(messageFrames("one"));
  const first = await chunkTurn(codex, [frames]);
  const second = await chunkTurn(codex, [answer(messageFrames("two"))]);
  expect([first.result?.usage, second.result?.usage]).toEqual([
    { promptTokens: 11, completionTokens: 7 },
    { promptTokens: 11, completionTokens: 7 },
  ]);
});

it("offers the model no shell, and runs no command that it asks for all the same", async () => {
  const { result, requests, told } = await chunkTurn(codex, [runCommand("touch shell-ran"), reply("no tool")]);
  expect(result?.text).toBe("no tool");
  const tools = requests[0]?.body.tools;
  expect(Array.isArray(tools) ? tools.map((tool: { name?: string }) => tool.name) : tools).toEqual([
    "request_user_input",
    "apply_patch",
  ]);
  expect(requests).toHaveLength(2);
  expect(requests[1]?.toolOutputs.map(({ output }) => output)).toEqual(["unsupported call: exec_command"]);
  expect(told).toEqual(["status started", "status thread-started", "message final: no tool", "status suppressed"]);
});

it("lets a patch change nothing", async () => {
  const patch = "*** Begin Patch\n*** Add File: planted.txt\n+planted\n*** End Patch";
  const { result, requests } = await chunkTurn(codex, [applyPatch(patch), reply("no patch")]);
  expect(result?.text).toBe("no patch");
  expect(requests[1]?.toolOutputs.map(({ output }) => output)).toEqual([
    "patch rejected: writing is blocked by read-only sandbox; rejected by user approval settings",
  ]);
  const [home = ""] = readdirSync(codex.homesFolder);
  expect(readdirSync(path.join(codex.homesFolder, home, "empty"))).toEqual([]);
});

it("passes on a text of every kind of character unchanged", async () => {
  const text = 'Ünïcödé — 数据库搬到奥斯陆 🛰️ "quoted" \\ back\\slash\ttab\nline\u2028separator';
  const { result, requests } = await chunkTurn(codex, codex.scripted([reply(text)], text));
  expect(result?.text).toBe(text);
  expect(requests[0]?.prompt).toMatch(
    /^Ünïcödé — 数据库搬到奥斯陆 🛰️ "quoted" \\ back\\slash\ttab\nline\u2028separator \[turn-\d+\]$/,
  );
});

it("runs turns at once in one process, and none hears of another", async () => {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const prompts = Array.from({ length: 8 }, (_, index) => codex.scripted([held(released, reply(`answer ${index}`))]));
  const turns = Promise.all(prompts.map((prompt) => chunkTurn(codex, prompt)));
  await Promise.all(prompts.map((prompt) => prompt.received(1)));
  expect(codex.backend.running()).toHaveLength(1);
  release();
  expect((await turns).map(({ result }) => result?.text)).toEqual(Array.from({ length: 8 }, (_, index) => `answer ${index}`));
});

it("goes on with the same process and, after an abort, leaves no request open", async () => {
  let hasEnded = false;
  const silent: typeof noHeaders = async (exchange) => {
    await noHeaders(exchange);
    hasEnded = true;
  };
  const prompt = codex.scripted([silent]);
  const [before] = codex.backend.running();
  const controller = new AbortController();
  const reason = new Error("nobody wants it any more");
  const aborted = chunkTurn(codex, prompt, { signal: controller.signal });
  await prompt.received(1);
  controller.abort(reason);
  await expect(aborted).rejects.toBe(reason);
  await waitFor("the connection of the request ends", () => hasEnded);
  const { result } = await chunkTurn(codex, [reply("afterwards")]);
  expect(result?.text).toBe("afterwards");
  expect(codex.backend.running().map(({ pid }) => pid)).toEqual([before?.pid]);
});

it("is the pinned version, and healthy when the model answers a tiny request", async () => {
  codex.upstream.next(reply("OK"));
  await expect(codex.backend.probe(new AbortController().signal, codex.access, codex.model)).resolves.toEqual({
    state: "healthy",
    reason: "",
    latencyMs: expect.any(Number),
  });
  expect(pin.version).toBe("0.171.0");
});
