/** OpenAI's Responses API, and any server that speaks it. */
import type { Backend, BackendCapabilities } from "@/server/backends/backend";
import { createHttpBackend, type HttpLimits, type HttpProtocol } from "@/server/backends/http/http-backend";
import { createOpenAiBatch, OPENAI_BATCH_LIMITS } from "@/server/backends/http/openai-batch";
import type { ProviderSettings } from "@/server/config/provider-settings.schema";
import { requestBody } from "./request-body";
import { createResponseTranslator } from "./translate";

export const OPENAI_RESPONSES_CAPABILITIES: BackendCapabilities = {
  streaming: true,
  structuredOutput: true,
  usage: true,
  cancel: true,
};

const OPENAI_RESPONSES: HttpProtocol = {
  capabilities: OPENAI_RESPONSES_CAPABILITIES,
  addressOf: (baseUrl) => baseUrl,
  endsInVersion: true,
  turnPath: "/responses",
  modelsPath: (after) => (after === null ? "/models" : null),
  headers: (key) => (key ? { authorization: `Bearer ${key.expose()}` } : {}),
  body: requestBody,
  createTranslator: createResponseTranslator,
  batch: { limits: OPENAI_BATCH_LIMITS, create: (calls) => createOpenAiBatch(calls, "/responses") },
};

/** One request a turn: no retry, no redirect. Opens its sockets at the first turn. */
export function createOpenAiResponsesBackend(settings: ProviderSettings, limits: Partial<HttpLimits> = {}): Backend {
  return createHttpBackend(OPENAI_RESPONSES, settings, limits);
}
