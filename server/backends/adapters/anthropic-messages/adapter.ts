/** Any server that speaks Anthropic's Messages API. */
import type { Backend, BackendCapabilities } from "@/server/backends/backend";
import { createHttpBackend, type HttpLimits, type HttpProtocol } from "@/server/backends/http/http-backend";
import type { ProviderSettings } from "@/server/config/provider-settings.schema";
import { ANTHROPIC_BATCH_LIMITS, createAnthropicBatch } from "./batch";
import { requestBody } from "./request-body";
import { createMessageTranslator } from "./translate";

export const ANTHROPIC_MESSAGES_CAPABILITIES: BackendCapabilities = {
  streaming: true,
  structuredOutput: true,
  usage: true,
  cancel: true,
};

/** The version whose forms are read here. Later ones refuse fields that older models take. */
const PROTOCOL_VERSION = "2023-06-01";
/** The most that one page of models may hold. */
const MODELS_A_PAGE = 1000;

const ANTHROPIC_MESSAGES: HttpProtocol = {
  capabilities: ANTHROPIC_MESSAGES_CAPABILITIES,
  // Anthropic's own programs are given the address without its version, those of others with it.
  addressOf: (baseUrl) => (baseUrl.endsWith("/v1") ? baseUrl : `${baseUrl}/v1`),
  endsInVersion: false,
  turnPath: "/messages",
  modelsPath: (after) => `/models?limit=${MODELS_A_PAGE}${after === null ? "" : `&after_id=${encodeURIComponent(after)}`}`,
  headers: (key) => ({ "anthropic-version": PROTOCOL_VERSION, ...(key ? { "x-api-key": key.expose() } : {}) }),
  body: requestBody,
  createTranslator: createMessageTranslator,
  batch: { limits: ANTHROPIC_BATCH_LIMITS, create: createAnthropicBatch },
};

/** One request a turn: no retry, no redirect. Opens its sockets at the first turn. */
export function createAnthropicMessagesBackend(settings: ProviderSettings, limits: Partial<HttpLimits> = {}): Backend {
  return createHttpBackend(ANTHROPIC_MESSAGES, settings, limits);
}
