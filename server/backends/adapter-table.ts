import type { BackendKind } from "@/server/config/backend-kind.rules";
import type { ProviderSettings } from "@/server/config/provider-settings.schema";
import { ANTHROPIC_MESSAGES_CAPABILITIES, createAnthropicMessagesBackend } from "./adapters/anthropic-messages/adapter";
import { CLAUDE_CODE_CAPABILITIES, createClaudeCodeBackend } from "./adapters/claude-code/adapter";
import { CODEX_CAPABILITIES, createCodexBackend } from "./adapters/codex-app-server/adapter";
import { createExtractiveBackend, EXTRACTIVE_CAPABILITIES } from "./adapters/extractive/adapter";
import { createMockBackend, MOCK_CAPABILITIES } from "./adapters/mock/adapter";
import { createOpenAiChatBackend, OPENAI_CHAT_CAPABILITIES } from "./adapters/openai-chat/adapter";
import { createOpenAiResponsesBackend, OPENAI_RESPONSES_CAPABILITIES } from "./adapters/openai-responses/adapter";
import { createOpenClawGatewayBackend, OPENCLAW_GATEWAY_CAPABILITIES } from "./adapters/openclaw-gateway/adapter";
import type { Backend, BackendCapabilities } from "./backend";
import type { BackendHost } from "./backend-host";

/** The only place that knows the adapters: one line a kind. */
const ADAPTERS = {
  extractive: createExtractiveBackend,
  mock: createMockBackend,
  "openai-chat": (settings) => createOpenAiChatBackend(settings),
  "openai-responses": (settings) => createOpenAiResponsesBackend(settings),
  "anthropic-messages": (settings) => createAnthropicMessagesBackend(settings),
  "codex-app-server-stdio": createCodexBackend,
  "claude-code-cli": createClaudeCodeBackend,
  "openclaw-gateway": (settings) => createOpenClawGatewayBackend(settings),
} as const satisfies Record<BackendKind, (settings: ProviderSettings, host: BackendHost) => Backend>;

/** What each adapter declares, without making one; the contract suite holds it to it. */
export const BACKEND_CAPABILITIES: Readonly<Record<BackendKind, BackendCapabilities>> = {
  extractive: EXTRACTIVE_CAPABILITIES,
  mock: MOCK_CAPABILITIES,
  "openai-chat": OPENAI_CHAT_CAPABILITIES,
  "openai-responses": OPENAI_RESPONSES_CAPABILITIES,
  "anthropic-messages": ANTHROPIC_MESSAGES_CAPABILITIES,
  "codex-app-server-stdio": CODEX_CAPABILITIES,
  "claude-code-cli": CLAUDE_CODE_CAPABILITIES,
  "openclaw-gateway": OPENCLAW_GATEWAY_CAPABILITIES,
};

/** The transport for a provider. Opens nothing until the first turn; the caller closes it. */
export function createBackend(settings: ProviderSettings, host: BackendHost): Backend {
  return ADAPTERS[settings.kind](settings, host);
}
