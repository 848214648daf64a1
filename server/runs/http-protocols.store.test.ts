/** One chain over the three protocols on real sockets: what each says of a failure and of usage must reach the run. */
import { expect, it, onTestFinished } from "vitest";
import { resultArtifactSchema } from "@/server/artifacts/result-artifact.schema";
import { messageFrames, responseFrames } from "@/server/testing/answer-frames";
import { chatFrames, jsonAnswer, type Script, sseAnswer, startLoopbackUpstream } from "@/server/testing/loopback-upstream";
import { openContainer, untilResting } from "@/server/testing/test-container";

const VARIABLES = { CLAUDE_KEY: "key-canary-claude-11", GPT_KEY: "key-canary-gpt-22", CHAT_KEY: "key-canary-chat-33" };
const TEXT = '{"insights":[{"content":"We moved the database to Oslo."}]}';

/** A run of one chunk over a chain of the three, each answering as scripted. */
async function runOver(scripts: Record<"claude" | "gpt" | "chat", Script>) {
  const open = async (script: Script) => {
    const upstream = await startLoopbackUpstream();
    onTestFinished(() => upstream.close());
    upstream.otherwise(script);
    return upstream;
  };
  const [claude, gpt, chat] = [await open(scripts.claude), await open(scripts.gpt), await open(scripts.chat)];
  const text = `providers:
  claude: { profile: anthropic, baseUrl: "${claude.baseUrl.replace(/\/v1$/, "")}", apiKey: env:CLAUDE_KEY }
  gpt: { profile: openai-gpt, baseUrl: "${gpt.baseUrl}", apiKey: env:GPT_KEY }
  chat: { profile: openai-chat, baseUrl: "${chat.baseUrl}", apiKey: env:CHAT_KEY }
models:
  default: mock/mock-1
  extract: { candidates: [claude/claude-haiku-5-5, gpt/gpt-6-luna, chat/m3] }
`;
  const container = await openContainer({ config: { text, variables: VARIABLES } });
  const { id } = await container.begin({
    scene: "extract",
    chunks: ["We moved the database to Oslo."],
    options: { concurrency: 1, backoffMs: 0 },
  });
  const run = await untilResting(container, id);
  const { attempts } = await container.runs.chunk(id, 1);
  const paths = [claude, gpt, chat].map(({ requests }) => requests.map(({ path }) => path));
  return { run, attempts, paths, result: resultArtifactSchema.parse(JSON.parse(attempts.at(-1)?.result?.body ?? "null")) };
}

const answers = {
  claude: sseAnswer(
    messageFrames({
      text: TEXT,
      usage: { cache_read_input_tokens: 30, output_tokens: 9, output_tokens_details: { thinking_tokens: 4 } },
    }),
  ),
  gpt: sseAnswer(
    responseFrames({ text: TEXT, usage: { input_tokens: 40, input_tokens_details: { cached_tokens: 32 }, output_tokens: 8 } }),
  ),
  chat: sseAnswer(chatFrames({ text: TEXT })),
};

it("takes the answer of Anthropic's Messages, with what its cache held and what it thought", async () => {
  const { run, paths, result } = await runOver(answers);
  expect([run.status, run.insights]).toEqual(["completed", 1]);
  expect(result).toMatchObject({
    ok: true,
    backend: "claude",
    served_model: "served-1",
    usage: { promptTokens: 41, completionTokens: 9, cachedTokens: 30, reasoningTokens: 4 },
  });
  expect(paths).toEqual([["/v1/messages"], [], []]);
});

it("goes on to the Responses of OpenAI when Anthropic is overloaded", async () => {
  const error = { type: "overloaded_error", message: "Overloaded" };
  const { attempts, result } = await runOver({ ...answers, claude: jsonAnswer(529, { type: "error", error }) });
  expect(attempts.map(({ backend, failureKind }) => [backend, failureKind])).toEqual([
    ["claude", "provider-unavailable"],
    ["gpt", null],
  ]);
  expect(result).toMatchObject({ ok: true, usage: { promptTokens: 40, completionTokens: 8, cachedTokens: 32 } });
});
