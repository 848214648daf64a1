/** What the contract suite needs of a backend over HTTP: its wire is a loopback upstream that is told what to answer. */
import type { FailureKind } from "@/server/artifacts/failure-kind.rules";
import { createBackend } from "@/server/backends/adapter-table";
import type { BackendKind } from "@/server/config/backend-kind.rules";
import { Secret } from "@/server/shared/secret";
import { messageFrames, responseFrames, type ScriptedAnswer } from "./answer-frames";
import { buildSettings, usualModel } from "./build-settings";
import { chatFrames, hang, jsonAnswer, type Script, sseAnswer, startLoopbackUpstream } from "./loopback-upstream";
import { NO_HOST } from "./no-host";

/** How one protocol says what every one of them can say. */
interface Wire {
  kind: BackendKind;
  /** A profile of that kind. */
  profile: string;
  frames(answer?: Pick<ScriptedAnswer, "text" | "usage">): string[];
  /** The data of an event whose form the adapter cannot read. */
  malformed: string;
  /** Where a request asks for JSON. */
  formatField: string;
}

export const CHAT_WIRE: Wire = {
  kind: "openai-chat",
  profile: "openai-chat",
  frames: (answer = {}) =>
    chatFrames({
      ...(answer.text === undefined ? {} : { text: answer.text }),
      ...(answer.usage === null ? { usage: null } : {}),
    }),
  malformed: '{"choices":"none"}',
  formatField: "response_format",
};

export const MESSAGES_WIRE: Wire = {
  kind: "anthropic-messages",
  profile: "anthropic",
  frames: messageFrames,
  malformed: '{"type":"content_block_delta","delta":"none"}',
  formatField: "output_config",
};

export const RESPONSES_WIRE: Wire = {
  kind: "openai-responses",
  profile: "openai-responses",
  frames: responseFrames,
  malformed: '{"type":"response.output_text.delta","delta":{}}',
  formatField: "text",
};

/** `key` is sent with each request, `prompt` is the text of each turn. */
export async function openHttpHarness(wire: Wire, { key, prompt }: { key: string; prompt: string }) {
  const upstream = await startLoopbackUpstream();
  const backend = createBackend(
    buildSettings(wire.profile, { name: "llm-api", baseUrl: upstream.baseUrl, secretRefs: { apiKey: "env:LLM_API_KEY" } }),
    NO_HOST,
  );
  const access = { baseUrl: upstream.baseUrl, secrets: { apiKey: new Secret(key, "env:LLM_API_KEY") } };
  const scripted = (script: Script) => () => {
    upstream.next(script);
    return prompt;
  };
  const answer = (more: Pick<ScriptedAnswer, "text" | "usage"> = {}) => sseAnswer(wire.frames(more));
  const failure = (failureKind: FailureKind, script: Script) => ({ failureKind, arrange: scripted(script) });
  return {
    backend,
    access,
    model: usualModel(wire.profile),
    formatField: wire.formatField,
    answer: scripted(answer()),
    slow: scripted(hang),
    failures: [
      failure("provider-auth-failed", jsonAnswer(401, {})),
      failure("provider-rate-limited", jsonAnswer(429, {})),
      failure("provider-unavailable", jsonAnswer(503, {})),
      failure("backend-protocol-error", sseAnswer([`data: ${wire.malformed}\n\n`])),
      failure("backend-json-parse-error", sseAnswer(["data: {garbage\n\n"])),
      failure("backend-response-invalid", answer({ text: "" })),
      failure("backend-failed", jsonAnswer(400, {})),
    ],
    unknownNativeEvent: scripted(
      sseAnswer([": comment\n\n", 'event: ping\ndata: {"type":"ping","novel":[1]}\n\n', ...wire.frames()]),
    ),
    leakingError: scripted(
      jsonAnswer(401, {
        error: {
          message: `bad key ${key}, ${Buffer.from(`key:${key}`).toString("base64")}, ${encodeURIComponent(`Bearer ${key}`)}`,
        },
      }),
    ),
    leakingText: scripted(answer({ text: `Your key is ${key}.` })),
    withoutUsage: scripted(answer({ usage: null })),
    refuseKey() {
      upstream.next(jsonAnswer(401, {}));
      return access;
    },
    begun: () => upstream.received(1),
    letGo: () => upstream.disconnected(1),
    drained: () => upstream.drained(),
    requests: () => upstream.requests,
    async close() {
      await backend.close();
      await upstream.close();
    },
  };
}
