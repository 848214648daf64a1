/** Any server that speaks OpenAI's chat completions: MiniMax, DeepSeek, OpenRouter, Ollama, llama.cpp … as profiles. */
import type { Backend, BackendCapabilities } from "@/server/backends/backend";
import { createHttpBackend, type HttpLimits, type HttpProtocol } from "@/server/backends/http/http-backend";
import { createOpenAiBatch, OPENAI_BATCH_LIMITS } from "@/server/backends/http/openai-batch";
import type { ProviderSettings } from "@/server/config/provider-settings.schema";
import { requestBody } from "./request-body";
import { createChatTranslator } from "./translate";

/** `structuredOutput` is false: no response format is asked for, because servers that do not know it answer 400 (MiniMax) or nothing (DeepSeek). */
export const OPENAI_CHAT_CAPABILITIES: BackendCapabilities = {
  streaming: true,
  structuredOutput: false,
  usage: true,
  cancel: true,
};

const OPENAI_CHAT: HttpProtocol = {
  capabilities: OPENAI_CHAT_CAPABILITIES,
  addressOf: (baseUrl) => baseUrl,
  endsInVersion: true,
  turnPath: "/chat/completions",
  modelsPath: (after) => (after === null ? "/models" : null),
  headers: (key) => (key ? { authorization: `Bearer ${key.expose()}` } : {}),
  body: requestBody,
  createTranslator: createChatTranslator,
  batch: { limits: OPENAI_BATCH_LIMITS, create: (calls) => createOpenAiBatch(calls, "/chat/completions") },
};

/** One request a turn: no retry, no redirect. Opens its sockets at the first turn. */
export function createOpenAiChatBackend(settings: ProviderSettings, limits: Partial<HttpLimits> = {}): Backend {
  return createHttpBackend(OPENAI_CHAT, settings, limits);
}
