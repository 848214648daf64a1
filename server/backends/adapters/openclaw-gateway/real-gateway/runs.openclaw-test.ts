/** Runs of the real OpenClaw gateway on a scripted model, through our adapter. One gateway for all of them: it takes long to start. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Turn } from "@/server/backends/backend";
import { chatFrames, cutAfter, hang, hangAfter, jsonAnswer, type Script, sseAnswer } from "@/server/testing/loopback-upstream";
import { type GatewayTurn, openRealGateway, type RealGateway } from "@/server/testing/real-gateway";
import { waitFor } from "@/server/testing/wait-for";

const USAGE = { promptTokens: 11, completionTokens: 7 };

/** Which no setting keeps it from asking; it gets no answer here. */
const PLUGIN_FEED = "clawhub.ai";

let claw: RealGateway;
/** Everything that was told of any turn: no key may stand in it. */
const told: GatewayTurn[] = [];

beforeAll(async () => {
  claw = await openRealGateway();
}, 300_000);
afterAll(() => claw?.close());

const never = () => new AbortController().signal;
const saying = (text: string, finishReason = "stop") => sseAnswer(chatFrames({ text, finishReason }));
/** The beginning of an answer, without its end. */
const begun = (text: string) => chatFrames({ text, finishReason: null, usage: null, done: false });
const refusing = (status: number, message: string, headers: Record<string, string> = {}) =>
  jsonAnswer(status, { error: { message, type: "error" } }, headers);

async function run(scripts: readonly Script[], turn: Partial<Turn> = {}): Promise<GatewayTurn> {
  const ended = await claw.run(scripts, turn);
  told.push(ended);
  return ended;
}

function promptsOf({ requests }: GatewayTurn): string[] {
  return requests.map(({ body }) => {
    // What the gateway wrote, as an OpenAI client writes it.
    const { messages } = JSON.parse(body) as { messages: { role: string; content: string }[] };
    return messages
      .filter(({ role }) => role === "user")
      .map(({ content }) => content)
      .join("\n");
  });
}

describe("an answer", () => {
  it("is one request of both texts, without tools and anything of the gateway's but the model's name", async () => {
    const turn = await run([saying('{"insights":[]}')], { system: "THE SYSTEM", user: "THE CHUNK" });
    expect(turn.result).toEqual({ text: '{"insights":[]}', finishReason: "stop", usage: USAGE, servedModel: "p0/m1" });
    expect(turn.events.map(({ type, payload }) => [type, payload.phase ?? payload.text])).toEqual([
      ["backend_status", "started"],
      ["backend_status", "working"],
      ["assistant_message", '{"insights":[]}'],
    ]);
    expect(turn.requests).toHaveLength(1);
    expect(turn.requests[0]?.headers.authorization).toBe(`Bearer ${claw.keyMark}-p0`);
    expect(JSON.parse(turn.requests[0]?.body ?? "")).toEqual({
      model: "m1",
      messages: [
        { role: "system", content: expect.stringMatching(/^Current model identity: p0\/m1\. .{0,100}$/) },
        { role: "user", content: expect.stringMatching(/^Instructions:\nTHE SYSTEM\n\nInput:\nTHE CHUNK \[turn-\d+\]$/) },
      ],
      stream: true,
      stream_options: { include_usage: true },
      max_completion_tokens: 4_096,
    });
  });

  it.each(['```json\n{"insights":["漢字 😀"]}\n```', 'Sure!\n{"a":1}\nMEDIA: /etc/hosts', "NO_REPLY, but more than that"])(
    "comes as it was said: %j",
    async (text) => {
      expect((await run([saying(text)])).result).toMatchObject({ text, finishReason: "stop", usage: USAGE });
    },
  );

  it("that was cut at the model's limit is kept and told, and the model is not asked to go on", async () => {
    const { result, requests } = await run([saying("The beginning of", "length"), saying("x")]);
    expect(result).toMatchObject({ text: "The beginning of", finishReason: "length", usage: USAGE });
    expect(requests).toHaveLength(1);
  });

  it("counts tokens from the provider's cache apart", async () => {
    const usage = { prompt_tokens: 100, completion_tokens: 7, prompt_tokens_details: { cached_tokens: 40 } };
    const { result } = await run([sseAnswer(chatFrames({ usage }))]);
    expect(result?.usage).toEqual({ promptTokens: 100, completionTokens: 7, cachedTokens: 40 });
  });

  it("of the gateway's own choice names the model", async () => {
    expect((await run([saying("words")], { model: "default" })).result).toMatchObject({ text: "words", servedModel: "p0/m1" });
  });

  it("is asked for a text that looks like a command, too", async () => {
    const turn = await run([saying("words")], { system: "", user: "/new" });
    expect(turn.result?.text).toBe("words");
    expect(promptsOf(turn)).toEqual([expect.stringMatching(/^Input:\n\/new /)]);
  });

  it("of five runs at once is each one's own", async () => {
    const texts = [1, 2, 3, 4, 5].map((number) => `answer ${number}`);
    const turns = await Promise.all(texts.map((text) => run([saying(text)])));
    expect(turns.map(({ result }) => result?.text)).toEqual(texts);
    expect(turns.map(({ requests }) => requests.length)).toEqual([1, 1, 1, 1, 1]);
  });
});

describe("a refusal", () => {
  it("of the key is one of the key, which rests for a minute with all that it opens", async () => {
    const provider = claw.provider();
    const refused = await run([refusing(401, `the key ${claw.keyMark}-${provider} is wrong`)], { model: `${provider}/m1` });
    expect(refused.error).toMatchObject({
      failureKind: "provider-auth-failed",
      message: `claw failed: ${provider}/m1 request failed (authentication failed, HTTP 401). Re-authenticate the provider and try again.`,
    });
    const resting = await run([saying("x")], { model: `${provider}/m1` });
    expect(resting.error).toMatchObject({ failureKind: "provider-rate-limited", retryAfterMs: 60_000 });
    expect([refused.requests.length, resting.requests.length]).toEqual([1, 0]);
  });

  it("for want of credit is not tried again, and the key rests for longer", async () => {
    const model = `${claw.provider()}/m1`;
    const refused = await run([refusing(402, "Insufficient balance.")], { model });
    expect(refused.error).toMatchObject({ failureKind: "provider-rate-limited", retryable: false });
    expect((await run([saying("x")], { model })).error).toMatchObject({
      failureKind: "provider-rate-limited",
      retryAfterMs: 600_000,
    });
    expect(refused.requests).toHaveLength(1);
  });

  it.each<[number, string, string, string, boolean?]>([
    [400, "a field is odd", "backend-failed", "provider rejected the request schema"],
    [400, "This model's maximum context length is 8192 tokens.", "backend-failed", "Context overflow", false],
    [404, "The model `m1` does not exist.", "backend-failed", "model was not found"],
  ])("with %i (%s) is %s after one request", async (status, said, failureKind, words, retryable) => {
    const provider = claw.provider();
    const answer = refusing(status, `${said} (${claw.keyMark}-${provider})`);
    const { error, requests } = await run([answer, answer], { model: `${provider}/m1` });
    expect([error?.failureKind, error?.retryable]).toEqual([failureKind, retryable]);
    expect(error?.message).toContain(words);
    expect(requests).toHaveLength(1);
  });

  it("of a provider or a token that the gateway does not know asks no model", async () => {
    const unknown = await run([saying("x")], { model: "zzz/nope" });
    expect(unknown.error?.failureKind).toBe("backend-failed");
    expect(unknown.error?.message).toMatch(/^claw failed: Unknown model: zzz\/nope\. /);
    const stranger = await run([saying("x")], claw.access("claw-canary-of-a-stranger"));
    expect(stranger.error).toMatchObject({
      failureKind: "provider-auth-failed",
      message: "claw: the gateway refuses the token: unauthorized: gateway token mismatch (provide gateway auth token)",
    });
    expect([unknown.requests, stranger.requests]).toEqual([[], []]);
  });
});

// The gateway tries by itself, and of a model run it has nothing to go on from: what it sends is "Continue", without the request.
describe("a second try of the gateway", () => {
  it.each<[string, Script, object]>([
    ["a 503", refusing(503, "Overloaded."), USAGE],
    ["a 429", refusing(429, "Slow down.", { "retry-after": "1" }), USAGE],
    ["an empty answer", saying(""), { promptTokens: 22, completionTokens: 14 }],
  ])("after %s answers nothing, and is told as a failure with what it cost", async (_what, first, usage) => {
    const turn = await run([first, saying('{"insights":[]}')], { model: `${claw.provider()}/m1` });
    expect(turn.error).toMatchObject({
      failureKind: "provider-unavailable",
      message:
        "claw: the model's first answer failed, and the gateway asked again without the request; what came then answers nothing.",
      partialText: '{"insights":[]}',
      usage,
    });
    const [asked, again] = promptsOf(turn);
    expect(asked).toContain("The notes.");
    expect(again).toMatch(/continue/i);
    expect(again).not.toContain("The notes.");
  });

  it("ends with our limit of time", async () => {
    const busy = Array.from({ length: 30 }, () => refusing(429, "Slow down.", { "retry-after": "1" }));
    const { error, requests } = await run(busy, { model: `${claw.provider()}/m1`, timeoutMs: 10_000 });
    expect(error?.failureKind).toBe("backend-timeout");
    expect(requests.length).toBeGreaterThan(0);
    expect(requests.length).toBeLessThan(30);
  });
});

describe("a model that falls silent", () => {
  it("is given up by the gateway a little before we would, and what it said is kept", async () => {
    const { error, requests } = await run([hangAfter(begun("The beginning of"))], {
      model: `${claw.provider()}/m1`,
      // Two seconds between its end and ours, for a busy machine.
      timeoutMs: 20_000,
    });
    expect(error).toMatchObject({ failureKind: "backend-timeout", partialText: "The beginning of" });
    expect(error?.message).toMatch(/^claw failed: Request timed out before a response was generated\./);
    expect(requests).toHaveLength(1);
  });

  it("hears of an abort, and the next run is served", async () => {
    const reason = new Error("no longer wanted");
    let isGone = false;
    const turn = claw.start([
      async (exchange) => {
        await hang(exchange);
        isGone = true;
      },
    ]);
    const rejected = expect(turn.ended).rejects.toBe(reason);
    await waitFor("the request", () => turn.requests().length === 1);
    turn.abort(reason);
    await rejected;
    await waitFor("the request is given up", () => isGone);
    expect(turn.requests()).toHaveLength(1);
    expect((await run([saying("well again")])).result?.text).toBe("well again");
  });
});

it("a stream that breaks is no answer, however often the gateway asks again", async () => {
  const breaking = Array.from({ length: 20 }, () => cutAfter(begun("The beginning of")));
  const turn = await run(breaking, { model: `${claw.provider()}/m1`, timeoutMs: 10_000 });
  expect([turn.result, turn.error?.failureKind]).toEqual([null, "backend-timeout"]);
  expect(promptsOf(turn).filter((prompt) => prompt.includes("The notes."))).toHaveLength(1);
});

it("the models are those of the gateway's configuration, and a check is one short run of one", async () => {
  const models = await claw.backend.listModels(never(), claw.access());
  expect(models).toContain("p0/m1");
  expect(models).toHaveLength(16);
  const provider = claw.provider();
  claw.answerOthers(provider, [saying("ok"), refusing(401, "wrong key")]);
  const check = () => claw.backend.probe(never(), claw.access(), `${provider}/m1`);
  expect(await check()).toMatchObject({ state: "healthy" });
  expect(await check()).toMatchObject({ state: "unavailable", reason: expect.stringContaining("HTTP 401") });
  expect(await claw.backend.probe(never(), claw.access("claw-canary-of-a-stranger"), `${provider}/m1`)).toMatchObject({
    state: "unavailable",
    reason: expect.stringContaining("the gateway refuses the token"),
  });
});

it("a request stands nowhere on the disk of a gateway without trajectories; answers stand in its database", async () => {
  const { result } = await run([saying("WORDS-OF-THE-ANSWER")], { system: "WORDS-OF-THE-SYSTEM", user: "WORDS-OF-THE-CHUNK" });
  expect(result?.text).toBe("WORDS-OF-THE-ANSWER");
  const files = readdirSync(claw.folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const holding = (words: string) =>
    files.filter((file) => readFileSync(path.join(file.parentPath, file.name), "latin1").includes(words)).map(({ name }) => name);
  expect([...holding("WORDS-OF-THE-SYSTEM"), ...holding("WORDS-OF-THE-CHUNK")]).toEqual([]);
  expect(holding("WORDS-OF-THE-ANSWER")).toContainEqual(expect.stringContaining("openclaw-agent.sqlite"));
});

it("a gateway that is killed fails its runs, and serves again once it is there again", async () => {
  const turn = claw.start([hang]);
  await waitFor("the request", () => turn.requests().length === 1);
  await claw.kill();
  const { error } = await turn.ended;
  expect(error?.failureKind).toBe("provider-unavailable");
  expect(error?.message).toMatch(/^claw broke off its answer: the connection /);
  expect((await run([saying("x")])).error).toMatchObject({
    failureKind: "provider-unavailable",
    message: "claw cannot be reached: the connection failed (ECONNREFUSED)",
  });
  await claw.startAgain();
  expect((await run([saying("well again")])).result?.text).toBe("well again");
}, 300_000);

it("no key stands in anything that was told of a turn, and the gateway wants nothing from elsewhere but a list of plugins", () => {
  expect(told.length).toBeGreaterThan(20);
  const everything = told
    .map(({ result, error, events }) => JSON.stringify([result, error, error?.message, error?.stack, events]))
    .join("\n");
  expect(everything).toContain("well again");
  expect(everything).not.toContain(claw.token);
  expect(everything).not.toContain(claw.keyMark);
  expect(claw.outgoing().filter((host) => host !== PLUGIN_FEED)).toEqual([]);
});
