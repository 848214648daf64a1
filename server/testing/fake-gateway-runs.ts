/** What a run at the fake gateway may be told to do, and what it does then. The forms are those of the recordings beside the adapter. */

import type { LoopbackSocket } from "./loopback-web-socket";
import { encodeFrame, OPCODES } from "./web-socket-frame";

/** What a run may be told to do; several are joined. */
export type FakeGatewayBehaviour =
  | "hang-before-accept"
  | "hang"
  | "cut-before-accept"
  | "cut"
  | "cut-mid-frame"
  | "goodbye"
  | "garbage"
  | "malformed"
  | "huge"
  | "binary"
  | "bad-utf8"
  | "dribble"
  | "fragments"
  | "chatter"
  | "no-usage"
  | "asked-again"
  | "truncated"
  | "truncated-empty"
  | "empty"
  | "status-notice"
  | "media-lines"
  | "leaks-key"
  | "answers-after-abort"
  | "abort-unknown-once"
  | `fails:${keyof typeof FAILING}`
  | `in-ok:${keyof typeof FAILING_IN_OK}`;

export function fakeGateway(...behaviours: readonly FakeGatewayBehaviour[]): string {
  return `[[claw:${behaviours.join("+")}]]`;
}

/** As the real one says them, in `ok: false`. */
const FAILING = {
  unauthorized:
    "Authentication failed (provider returned HTTP 401). Your provider token may have expired — try the request again in a moment. If the failure persists, re-authenticate this provider.",
  "key-rests":
    'Inline API key for provider "fake" is temporarily disabled after a provider auth/billing failure. Retry after about 1 minute, or switch to a different auth profile/API key.',
  "rate-limited": "⚠️ fake/m request failed (rate limited, HTTP 429). Try again in a moment.",
  "no-credit": "⚠️ fake/m request failed (billing, HTTP 402).",
  overloaded: "⚠️ fake/m request failed (HTTP 503).",
  "unknown-model":
    "Unknown model: zzz/nope. Run `openclaw models list --refresh --provider zzz` to inspect this provider's model choices, then retry with a model supported by your account.",
  "timed-out": "LLM request timed out.",
} as const;

/** As it says them inside an `ok: true` with another status. */
const FAILING_IN_OK = {
  context:
    "Context overflow: prompt too large for the model. Try /reset (or /new) to start a fresh session, or use a larger-context model.",
  "no-answer": "⚠️ Agent couldn't generate a response. Please try again.",
  timeout:
    "Request timed out before a response was generated. Please try again, or increase `agents.defaults.timeoutSeconds` in your config.",
} as const;

/** What is done instead of an answer. */
const MISDEEDS: Partial<Record<FakeGatewayBehaviour, (socket: LoopbackSocket, id: string) => void>> = {
  cut: (socket) => socket.destroy(),
  goodbye: (socket) => socket.close(1012),
  garbage: (socket) => socket.send("{garbage"),
  malformed: (socket, id) => socket.send(`{"type":"res","id":"${id}","ok":"perhaps"}`),
  binary: (socket) => socket.raw(encodeFrame(OPCODES.binary, Buffer.from("x"))),
  "bad-utf8": (socket) => socket.raw(encodeFrame(OPCODES.text, Buffer.from([0xff, 0xfe]))),
  // The head of a frame of 4 GiB.
  huge: (socket) => socket.raw(Buffer.from([0x81, 127, 0, 0, 0, 1, 0, 0, 0, 0])),
};

export function misdeedOf(behaviours: ReadonlySet<string>) {
  return Object.entries(MISDEEDS).find(([name]) => behaviours.has(name))?.[1];
}

/** What a connection hears of others, and of things that nobody here knows. */
export function chatter(socket: LoopbackSocket, runId: string): void {
  for (const event of ["health", "tick", "presence", "agent", "something.new"])
    socket.send(JSON.stringify({ type: "event", event, payload: { runId, novel: [1] }, seq: 1 }));
  socket.send(JSON.stringify({ type: "res", id: "of-nobody", ok: true, payload: {} }));
  socket.send(JSON.stringify({ type: "something-new" }));
  socket.raw(encodeFrame(OPCODES.ping, Buffer.from("are you there")));
}

/** Whole, in pieces, or not to its end. */
export function sendEnd(socket: LoopbackSocket, behaviours: ReadonlySet<string>, text: string): void {
  const bytes = encodeFrame(OPCODES.text, Buffer.from(text));
  if (behaviours.has("cut-mid-frame")) {
    socket.raw(bytes.subarray(0, bytes.length - 5));
    socket.close(1001);
  } else if (behaviours.has("dribble")) void socket.dribble(bytes);
  else if (behaviours.has("fragments")) void socket.dribble(inFragments(Buffer.from(text)));
  else socket.send(text);
}

/** The last frame about a run, but for its type and id. */
export function endOfRun(
  behaviours: ReadonlySet<string>,
  { params, token, answer }: { params: Record<string, unknown>; token: string; answer: string },
): { ok: boolean } & Record<string, unknown> {
  const runId = params.idempotencyKey;
  const leak = behaviours.has("leaks-key") ? ` Your key is ${token}.` : "";
  for (const behaviour of behaviours) {
    const failing = FAILING[behaviour.replace("fails:", "") as keyof typeof FAILING];
    if (behaviour.startsWith("fails:")) {
      const message = `${failing}${leak}`;
      return { ok: false, payload: { runId, status: "error", summary: message }, error: { code: "UNAVAILABLE", message } };
    }
    if (behaviour.startsWith("in-ok:")) {
      const kind = behaviour.replace("in-ok:", "") as keyof typeof FAILING_IN_OK;
      const text = FAILING_IN_OK[kind];
      const isTimeout = kind === "timeout";
      return {
        ok: true,
        payload: {
          runId,
          status: isTimeout ? "timeout" : "error",
          summary: isTimeout ? "aborted" : "failed",
          result: {
            payloads: [{ text, isError: true, mediaUrl: null }],
            meta: {
              ...(kind === "context"
                ? { finalAssistantRawText: text, error: { kind: "context_overflow", message: "400 at most 8192 tokens." } }
                : {}),
              ...(kind === "no-answer" ? { finalAssistantRawText: "NO_REPLY", error: { kind: "incomplete_turn" } } : {}),
            },
          },
        },
      };
    }
  }
  if (behaviours.has("status-notice")) {
    const payloads = [{ text: "✅ New session started.", isStatusNotice: true }];
    return { ok: true, payload: { runId, status: "ok", summary: "completed", result: { payloads, meta: { durationMs: 0 } } } };
  }
  const isCut = behaviours.has("truncated") || behaviours.has("truncated-empty");
  const text =
    behaviours.has("empty") || behaviours.has("truncated-empty") ? "" : isCut ? answer.slice(0, 8) : `${answer}${leak}`;
  const raw = behaviours.has("media-lines") ? `${text}\nMEDIA: /etc/hosts` : text;
  const notice = "⚠️ Reply truncated at the model's output token limit. The text above is partial — ask to continue it.";
  const usage = { input: 100, output: 33, cacheRead: 20, cacheWrite: 0, reasoningTokens: 5, total: 153 };
  return {
    ok: true,
    payload: {
      runId,
      status: "ok",
      summary: "completed",
      result: {
        payloads: [{ text, mediaUrl: null }, ...(isCut ? [{ text: notice, mediaUrl: null }] : [])],
        meta: {
          agentMeta: {
            provider: params.provider ?? "fake",
            model: params.model ?? "usual",
            ...(behaviours.has("no-usage") ? {} : { usage }),
            assistantTurns: behaviours.has("asked-again") ? 2 : 1,
          },
          finalAssistantVisibleText: raw,
          finalAssistantRawText: raw,
          stopReason: "stop",
        },
      },
    },
  };
}

/** One message in frames of three bytes, so that characters are cut. */
function inFragments(bytes: Buffer): Buffer {
  const frames: Buffer[] = [];
  for (let start = 0; start < bytes.length; start += 3) {
    const piece = encodeFrame(start === 0 ? OPCODES.text : OPCODES.continuation, bytes.subarray(start, start + 3));
    // The first byte's highest bit says that nothing follows.
    if (start + 3 < bytes.length) piece[0] = (piece[0] ?? 0) & 0x7f;
    frames.push(piece);
  }
  return Buffer.concat(frames);
}
