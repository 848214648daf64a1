/**
 * A key that the process knows is planted wherever text comes in. Afterwards it may stand nowhere, in no spelling: not in the
 * database or its journal, in exported files, in log lines, or in what the API answers.
 */
import path from "node:path";
import { beforeEach, expect, it, onTestFinished, vi } from "vitest";
import type { FailureKind } from "@/server/artifacts/failure-kind.rules";
import { exportRun } from "@/server/runs/export-run";
import { apiRequest, openApiContainer, untilRunRests } from "@/server/testing/api-container";
import { CANARY_KEY, EVERY_SPELLING, filesBelow, spellingsIn, spellingsInFiles } from "@/server/testing/canary";
import {
  chatFrames,
  cutAfter,
  EVENT_STREAM,
  jsonAnswer,
  type LoopbackUpstream,
  type Script,
  sseAnswer,
  startLoopbackUpstream,
  textAnswer,
} from "@/server/testing/loopback-upstream";
import { makeFolder } from "@/server/testing/make-folder";
import { handleHealth } from "./health-handler";
import { handleRest } from "./rest-handler";

const insight = (content: string) => ({ topic: content, section: "s", content, confidence: "high", quote: content });
const answer = JSON.stringify({
  insights: [insight(`The key is ${EVERY_SPELLING}.`), { [CANARY_KEY]: CANARY_KEY }],
  [CANARY_KEY]: { deep: [EVERY_SPELLING] },
});

/** One chunk each. The key comes back in every place an upstream can write to; how its turn ends. */
const ECHOES: readonly (readonly [what: string, script: Script, failureKind: FailureKind | null])[] = [
  [
    "an error body",
    jsonAnswer(401, { error: { message: `bad key ${EVERY_SPELLING}`, code: CANARY_KEY, type: CANARY_KEY } }),
    "provider-auth-failed",
  ],
  ["a text error body", textAnswer(400, `no: ${EVERY_SPELLING}`, { "content-type": "text/plain" }), "backend-failed"],
  [
    "headers",
    jsonAnswer(
      500,
      {},
      { "x-echo": CANARY_KEY, "retry-after": CANARY_KEY, "www-authenticate": `Bearer ${CANARY_KEY}`, "content-type": CANARY_KEY },
    ),
    "provider-unavailable",
  ],
  [
    "a redirect",
    textAnswer(302, "", { location: `https://example.com/?key=${encodeURIComponent(CANARY_KEY)}` }),
    "backend-failed",
  ],
  [
    "partial text, split anywhere, then a cut",
    cutAfter(chatFrames({ text: answer, pieceLength: 3 }).slice(0, -3)),
    "provider-unavailable",
  ],
  ["the answer", sseAnswer(chatFrames({ text: answer, pieceLength: 7 })), null],
  [
    "the answer without JSON",
    sseAnswer(chatFrames({ text: `I was told ${EVERY_SPELLING}`, pieceLength: 7 })),
    "backend-response-invalid",
  ],
  [
    "the served model and the finish reason",
    sseAnswer(chatFrames({ text: '{"insights":[]}', model: CANARY_KEY, finishReason: CANARY_KEY })),
    null,
  ],
  [
    "an error inside 200",
    sseAnswer([`data: ${JSON.stringify({ error: { message: EVERY_SPELLING, code: CANARY_KEY } })}\n\n`], EVENT_STREAM),
    "backend-failed",
  ],
  ["garbage", sseAnswer([`data: {${EVERY_SPELLING}\n\n`]), "backend-json-parse-error"],
  [
    "the content type",
    textAnswer(200, EVERY_SPELLING, { "content-type": `text/html; key=${encodeURIComponent(CANARY_KEY)}` }),
    "backend-protocol-error",
  ],
];

let upstream: LoopbackUpstream;
beforeEach(async () => {
  upstream = await startLoopbackUpstream();
  onTestFinished(() => upstream.close());
});

async function body(method: string, target: string, content?: unknown): Promise<string> {
  return (await handleRest(apiRequest(method, target, content))).text();
}

/** Everything of the configuration and of health, with an upstream that repeats the key wherever it can. */
async function configurationAnswers(): Promise<string[]> {
  const echo = jsonAnswer(401, { error: { message: `bad key ${EVERY_SPELLING}` } });
  const spoken = sseAnswer(chatFrames({ text: `The key is ${EVERY_SPELLING}`, model: CANARY_KEY }));
  // The capability check asks twice when it is answered; its answer is JSON whose form is wrong, so that its keys are told.
  const form = sseAnswer(chatFrames({ text: JSON.stringify({ [CANARY_KEY]: EVERY_SPELLING }), model: CANARY_KEY }));
  upstream.next(echo, echo, form, echo, echo, spoken);
  const current: { number: number; text: string } = JSON.parse(await body("GET", "/api/v1/config"));
  expect(current.text).toContain("apiKey: env:LLM_API_KEY");
  const save = (text: string) =>
    body("PUT", "/api/v1/config", { text, baseRevision: current.number, author: CANARY_KEY, comment: `for ${EVERY_SPELLING}` });
  const said = [
    await body("POST", "/api/v1/providers/llm-api/check"),
    await body("POST", "/api/v1/providers/llm-api/check", { capabilities: true }),
    await body("POST", "/api/v1/providers/llm-api/check", { capabilities: true }),
    // Typed where a model is asked for.
    await body("POST", "/api/v1/providers/llm-api/check", { model: CANARY_KEY }),
    await body("POST", "/api/v1/runs", { kind: "distill", backend: "llm-api", model: `x/${CANARY_KEY}`, text: "A sentence." }),
    await body("POST", "/api/v1/config/test", { scene: "extract" }),
    await body("POST", "/api/v1/config/test", { scene: "extract" }),
    // A document with the key in it, as a value or in a comment, is refused; one without is kept.
    await save(`${current.text}# ${CANARY_KEY}\n`),
    await save(current.text.replace("env:LLM_API_KEY", CANARY_KEY)),
    await save(`${current.text}maxDepth: 1\n`),
  ];
  expect(said.map((text) => /"code":"(\w+)"/.exec(text)?.[1] ?? /"ok":\w+|"state":"\w+"|"number":\d+/.exec(text)?.[0])).toEqual([
    '"state":"unavailable"',
    '"state":"unavailable"',
    '"state":"healthy"',
    "invalid_input",
    "invalid_input",
    '"ok":false',
    '"ok":true',
    "invalid_config",
    "invalid_config",
    `"number":${current.number + 1}`,
  ]);
  for (const target of [
    "config",
    "config/yaml",
    "config/revisions",
    "config/why/extract",
    "backends",
    "backends/openai-chat",
    "cooldowns",
  ])
    said.push(await body("GET", `/api/v1/${target}`));
  return [JSON.stringify(current), ...said];
}

it("a known key is found nowhere, whoever repeats it", async () => {
  vi.stubEnv("LLM_API_KEY", CANARY_KEY);
  vi.stubEnv("LLM_API_URL", upstream.baseUrl);
  onTestFinished(() => void vi.unstubAllEnvs());
  const logged: string[] = [];
  vi.spyOn(process.stderr, "write").mockImplementation((line) => logged.push(String(line)) > 0);
  const api = await openApiContainer({ LLM_API_URL: upstream.baseUrl, LLM_API_KEY: CANARY_KEY, LOG_LEVEL: "trace" });
  const { container } = api;
  const exported = makeFolder();
  try {
    for (const [, script] of ECHOES) upstream.next(script);
    const documents = ECHOES.map(([what], at) => ({
      name: `${CANARY_KEY} ${at}.md`,
      text: `Notes about ${what}. ${EVERY_SPELLING}. We decided to rotate the key because it was shown.\n`,
    }));
    const [run] = await container.runs.start({
      name: `Day of ${CANARY_KEY}`,
      documents,
      options: { concurrency: 1, maxAttempts: 1, timeoutMs: 10_000 },
    });
    if (!run) throw new Error("no run was made");
    const answers = [JSON.stringify(run)];
    container.executor.start();
    const rested = await untilRunRests(container, run.id);
    const chunks = (await container.runs.chunks(run.id, { limit: 20 })).items;
    expect(chunks.map(({ failureKind }, at) => [ECHOES[at]?.[0], failureKind])).toEqual(
      ECHOES.map(([what, , failureKind]) => [what, failureKind]),
    );
    expect([upstream.requests.length, rested.status]).toEqual([ECHOES.length, "incomplete"]);
    // The key went to its provider and nowhere else in the request.
    for (const request of upstream.requests) {
      expect(request.headers.authorization).toBe(`Bearer ${CANARY_KEY}`);
      expect(spellingsIn(request.body)).toEqual([]);
    }

    const base = `/api/v1/runs/${run.id}`;
    answers.push(await body("POST", `${base}/finish`, { reason: `because ${EVERY_SPELLING}`.slice(0, 500) }));
    for (const target of [
      "/api/v1/runs",
      "/api/v1/backends",
      base,
      `${base}/chunks`,
      `${base}/events?limit=500`,
      `${base}/insights`,
      `${base}/staged.md`,
    ]) {
      answers.push(await body("GET", target));
    }
    for (let index = 1; index <= ECHOES.length; index += 1) answers.push(await body("GET", `${base}/chunks/${index}`));
    const artifacts = await container.database.artifact.findMany({ select: { id: true } });
    expect(artifacts.length).toBeGreaterThanOrEqual(2 * ECHOES.length + 2);
    for (const { id } of artifacts) answers.push(await body("GET", `${base}/artifacts/${id}`));
    answers.push(
      await body("POST", `${base}/cancel`, { reason: CANARY_KEY }),
      await (await handleHealth(apiRequest("GET", "/api/health"))).text(),
    );
    expect(
      answers.flatMap((text, at) => spellingsIn(text).map((spelling) => `${at}: ${spelling} in ${text.slice(0, 200)}`)),
    ).toEqual([]);

    answers.push(...(await configurationAnswers()));
    expect(answers.flatMap((text) => spellingsIn(text))).toEqual([]);

    await exportRun(container.database, run.id, exported, Date.now());
    expect(filesBelow(exported).length).toBeGreaterThan(2 * ECHOES.length);
    expect(spellingsInFiles(exported)).toEqual({});
    container.logger.error({ error: new Error(`a message with ${EVERY_SPELLING}`), note: EVERY_SPELLING }, EVERY_SPELLING);
    await container.writer.flush();
    // With the journal beside it, and what of it the close moves into the file.
    expect(filesBelow(api.dataDir).map((file) => path.extname(file))).toContain(".db-wal");
    expect(spellingsInFiles(api.dataDir)).toEqual({});
    await container.close(0);
    expect(spellingsInFiles(api.dataDir)).toEqual({});
    expect(logged.length).toBeGreaterThan(0);
    expect(spellingsIn(logged.join("\n"))).toEqual([]);
  } finally {
    await api.close();
  }
});
