/** What recorded runs of the real program come to: Claude Code 2.1.332 with our own arguments and environment, on a scripted upstream. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { BackendError } from "@/server/backends/backend";
import { outcomeOf } from "./outcome";
import { createClaudeTranslator } from "./translate";

const FOLDER = path.join(import.meta.dirname, "fixtures");
const names = readdirSync(FOLDER).map((name) => name.replace(/\.jsonl$/, ""));

/** Recordings whose request wanted text, not an object. */
const IN_WORDS = new Set(["words", "overloaded-in-stream", "cut", "silent-in-stream", "max-tokens", "refusal", "empty", "slash"]);
/** Recordings of processes that ended with 0. */
const ENDED_WELL = new Set(["object", "words", "empty", "slash"]);

/** As the adapter reads a recording: line by line, and no further than it would. */
function outcome(name: string): unknown {
  const translator = createClaudeTranslator();
  const heights: number[] = [];
  for (const line of readFileSync(path.join(FOLDER, `${name}.jsonl`), "utf8")
    .trimEnd()
    .split("\n")) {
    expect(translator.push(line)).toBe(true);
    heights.push(translator.characters);
    if (translator.earlyEnd !== null) break;
  }
  expect(heights).toEqual([...heights].sort((left, right) => left - right));
  const end = {
    code: ENDED_WELL.has(name) ? 0 : 1,
    signal: null,
    stderr: "",
    wasStopped: translator.earlyEnd !== null,
    badLine: null,
  };
  const turn = { providerName: "claude", wantsObject: !IN_WORDS.has(name), redact: (text: string) => text };
  try {
    return outcomeOf(turn, translator, end);
  } catch (error) {
    if (!(error instanceof BackendError)) throw error;
    const { failureKind, message, retryable, httpStatus, partialText } = error;
    return [failureKind, message, { retryable, httpStatus, partialText }];
  }
}

const EXPECTED: Record<string, unknown> = {
  "bad-request": ["backend-failed", "claude answered 400: API Error: 400 max_tokens: too large", { httpStatus: 400 }],
  cut: [
    "provider-unavailable",
    "claude failed: API Error: Connection to the API was lost (ECONNRESET). This is usually temporary — try again.",
    {},
  ],
  empty: ["backend-response-invalid", "claude answered without any text.", {}],
  forbidden: [
    "provider-auth-failed",
    "claude answered 403: Failed to authenticate. API Error: 403 Not allowed.",
    { httpStatus: 403 },
  ],
  "max-tokens": {
    text: "The beginning of",
    finishReason: "length",
    usage: { promptTokens: 11, completionTokens: 7 },
    servedModel: "claude-served-1",
  },
  "model-not-found": [
    "backend-failed",
    "claude answered 404: There's an issue with the selected model (claude-sonnet-5-5). It may not exist or you may not have access to it. Run --model to pick a different model.",
    { httpStatus: 404 },
  ],
  "no-credit": ["provider-rate-limited", "claude answered 400: Credit balance is too low", { retryable: false, httpStatus: 400 }],
  "no-headers": [
    "backend-timeout",
    "claude failed: Request timed out. If the API is slow to answer, or a proxy or gateway holds responses, set API_TIMEOUT_MS above 3000.",
    {},
  ],
  "no-key": ["provider-auth-failed", "claude failed: Not logged in · Please run /login", {}],
  object: {
    text: '{"insights":[{"topic":null,"section":null,"content":"We moved to Oslo – 漢字.","confidence":"high","date":"2026-04-19","quote":null}]}',
    finishReason: "stop",
    usage: { promptTokens: 165, completionTokens: 33, cachedTokens: 40, cacheWriteTokens: 5, costUsd: 0.0005865 },
    servedModel: "claude-served-1",
  },
  "overloaded-in-stream": [
    "provider-unavailable",
    "claude answered 529: API Error: Overloaded",
    { httpStatus: 529, partialText: "The beginning of" },
  ],
  overloaded: [
    "provider-unavailable",
    "claude answered 529: API Error: 529 Overloaded. This is a server-side issue, usually temporary — try again in a moment. If it persists, check your inference gateway (127.0.0.1:1).",
    { httpStatus: 529 },
  ],
  "payment-required": [
    "provider-rate-limited",
    "claude answered 402: API Error: 402 Payment required.",
    { retryable: false, httpStatus: 402 },
  ],
  "prompt-too-long": [
    "backend-failed",
    "claude answered 400: Prompt is too long · the request is ~210000 tokens (limit 200000) but this conversation is only ~19 tokens — the rest is system prompt, tool definitions, and attachment content. A single-exchange conversation cannot be compacted; reduce attached files/tools or start with less context.",
    { retryable: false, httpStatus: 400 },
  ],
  "prose-for-object": [
    "backend-response-invalid",
    "claude: the model answered without the object that was asked for.",
    { partialText: "I found nothing." },
  ],
  "rate-limited": [
    "provider-rate-limited",
    "claude answered 429: API Error: Request rejected (429) · Slow down.",
    { httpStatus: 429 },
  ],
  "refusal-without-text": [
    "backend-response-invalid",
    "claude: a content filter of the provider left nothing of the answer.",
    {},
  ],
  refusal: {
    text: "I can",
    finishReason: "content_filter",
    usage: { promptTokens: 11, completionTokens: 7, costUsd: 0.00009199999999999999 },
    servedModel: "claude-served-1",
  },
  "refused-connection": [
    "provider-unavailable",
    "claude failed: API Error: Connection refused — a firewall or proxy may be blocking it (ECONNREFUSED)",
    {},
  ],
  "server-error": [
    "provider-unavailable",
    "claude answered 500: API Error: 500 Internal. This is a server-side issue, usually temporary — try again in a moment. If it persists, check your inference gateway (127.0.0.1:1).",
    { httpStatus: 500 },
  ],
  "silent-in-stream": [
    "backend-timeout",
    "claude failed: API Error: Stream idle timeout - no chunks received",
    { partialText: "The beginning of" },
  ],
  slash: [
    "backend-failed",
    "claude: Claude Code answered by itself and asked no model: /help isn't available in this environment.",
    {},
  ],
  unauthorized: ["provider-auth-failed", "claude answered 401: Invalid API key · Fix external API key", { httpStatus: 401 }],
  words: {
    text: '```json\n{"insights":[]}\n```',
    finishReason: "stop",
    usage: { promptTokens: 11, completionTokens: 7, costUsd: 0.00009199999999999999 },
    servedModel: "claude-served-1",
  },
  "wrong-object": [
    "backend-response-invalid",
    "claude: the model's object is not the one that was asked for: Output does not match required schema: root: must have required property 'insights', root: must NOT have additional properties ('nope' is not allowed)",
    { partialText: '{"nope":1}' },
  ],
};

describe("a recording", () => {
  it.each(names)("%s", (name) => {
    expect(outcome(name)).toEqual(EXPECTED[name]);
  });
});
