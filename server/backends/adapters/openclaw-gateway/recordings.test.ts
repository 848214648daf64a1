/** What the adapter makes of recorded frames of the real gateway (2026.9.6): its own requests get them as answers, one recording a turn. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { BackendError, type Turn } from "@/server/backends/backend";
import { Secret } from "@/server/shared/secret";
import { buildSettings } from "@/server/testing/build-settings";
import { startLoopbackWebSocketServer } from "@/server/testing/loopback-web-socket";
import { keepingSink } from "@/server/testing/open-codex";
import { createOpenClawGatewayBackend } from "./adapter";

const FOLDER = path.join(import.meta.dirname, "fixtures");

type Frame = Record<string, unknown>;

function framesOf(name: string): Frame[] {
  const lines = readFileSync(path.join(FOLDER, `${name}.jsonl`), "utf8")
    .trimEnd()
    .split("\n");
  // One recorded frame a line.
  return lines.map((line) => JSON.parse(line) as Frame);
}

/** The challenge at once, the second frame for `connect`, and whatever follows for the run; answers to an abort are left out. */
async function replay(name: string) {
  const [challenge, hello, ...rest] = framesOf(name);
  const server = await startLoopbackWebSocketServer({
    onOpen: (socket) => socket.send(JSON.stringify(challenge)),
    onMessage(socket, text) {
      // What our own adapter wrote.
      const { id, method } = JSON.parse(text) as { id: string; method: string };
      if (method === "connect") socket.send(JSON.stringify({ ...hello, id }));
      if (method !== "agent") return;
      for (const frame of rest) if (!String(frame.id).startsWith("chat.abort")) socket.send(JSON.stringify({ ...frame, id }));
    },
  });
  const backend = createOpenClawGatewayBackend(buildSettings("openclaw-auth", { name: "claw", baseUrl: server.baseUrl }));
  onTestFinished(async () => {
    await backend.close();
    await server.close();
  });
  const turn: Turn = {
    baseUrl: server.baseUrl,
    secrets: { apiKey: new Secret("claw-token", "env:CLAW_TOKEN") },
    requestId: "req_1",
    model: "fake/fake-ok",
    system: "",
    user: "hi",
    expect: { format: "json", schema: {} },
    generation: {},
    timeoutMs: 60_000,
  };
  return backend.runTurn(turn, keepingSink(), new AbortController().signal).catch((error: unknown) => {
    if (!(error instanceof BackendError)) throw error;
    const { failureKind, message, retryable, retryAfterMs, partialText, usage } = error;
    return [
      failureKind,
      message,
      {
        ...(retryable === undefined ? {} : { retryable }),
        ...(retryAfterMs ? { retryAfterMs } : {}),
        ...(partialText ? { partialText } : {}),
        ...(usage ? { usage } : {}),
      },
    ];
  });
}

const USAGE = { promptTokens: 100, completionTokens: 33 };
/** Of both answers: the gateway asks for a second time when the first is empty. */
const TWICE = { promptTokens: 200, completionTokens: 66 };
const TEXT = '{"summary":"hello from fake","score":7, "u":"漢字😀"}';

const OUTCOMES: Record<string, unknown> = {
  words: { text: TEXT, finishReason: "stop", usage: USAGE, servedModel: "fake/fake-ok" },
  fence: {
    text: 'Sure!\n```json\n{"summary":"hello from fake","score":7}\n```',
    finishReason: "stop",
    usage: { promptTokens: 120, completionTokens: 33, cachedTokens: 20, reasoningTokens: 5 },
    servedModel: "pfence/fake-fence",
  },
  // The payload's text is without the line.
  "media-lines": {
    text: '{"a":"MEDIA:/etc/hosts"}\nMEDIA: /etc/hosts\nNO_REPLY',
    finishReason: "stop",
    usage: USAGE,
    servedModel: "fake/fake-tags",
  },
  truncated: { text: '{"summary":"hel', finishReason: "length", usage: USAGE, servedModel: "fake/fake-trunc" },
  empty: ["backend-response-invalid", "claw failed: Agent couldn't generate a response. Please try again.", { usage: TWICE }],
  "no-reply": [
    "backend-response-invalid",
    "claw failed: Agent couldn't generate a response. Please try again.",
    { partialText: "NO_REPLY", usage: TWICE },
  ],
  "no-answer": ["backend-response-invalid", "claw failed: Agent couldn't generate a response. Please try again.", {}],
  "context-overflow": [
    "backend-failed",
    "claw failed: Context overflow: 400 This model's maximum context length is 8192 tokens.",
    { retryable: false },
  ],
  unauthorized: [
    "provider-auth-failed",
    "claw failed: bad/fake-e401 request failed (authentication failed, HTTP 401). Re-authenticate the provider and try again.",
    {},
  ],
  "key-rests": [
    "provider-rate-limited",
    'claw failed: Inline API key for provider "bad" is temporarily disabled after a provider auth/billing failure. Retry after about 1 minute, or switch to a different auth profile/API key.',
    { retryAfterMs: 60_000 },
  ],
  "unknown-provider": [
    "backend-failed",
    "claw failed: Unknown model: zzz/nope. Run `openclaw models list --refresh --provider zzz` to inspect this provider's model choices, then retry with a model supported by your account.",
    {},
  ],
  "status-notice": ["backend-failed", "claw: the gateway answered by itself and asked no model.", {}],
  "silent-in-stream": [
    "backend-timeout",
    "claw failed: Request timed out before a response was generated. Please try again, or increase `agents.defaults.timeoutSeconds` in your config.",
    { partialText: '{"summary":"hello from f' },
  ],
  "stream-cut": ["backend-timeout", "claw failed: LLM request timed out.", {}],
  aborted: ["backend-failed", "claw: the run was called off at the gateway.", {}],
  "aborted-in-queue": ["backend-failed", "claw: the run was called off at the gateway.", {}],
  "protocol-mismatch": [
    "backend-failed",
    "claw: the OpenClaw gateway does not speak protocol 4, the only one known here; use a gateway that is known here.",
    {},
  ],
  "wrong-token": [
    "provider-auth-failed",
    "claw: the gateway refuses the token: unauthorized: gateway token mismatch (provide gateway auth token)",
    {},
  ],
  "missing-scope": [
    "provider-auth-failed",
    "claw: the gateway did not grant the right operator.write, which a run needs; reach it on loopback, for example through an SSH tunnel.",
    {},
  ],
};

it("there is an outcome for every recording", () => {
  const names = readdirSync(FOLDER).map((name) => name.replace(".jsonl", ""));
  expect(names.sort()).toEqual(Object.keys(OUTCOMES).sort());
});

it.each(Object.entries(OUTCOMES))("%s", async (name, outcome) => {
  expect(await replay(name)).toEqual(outcome);
});
