import type { BackendKind, Profile } from "@/server/config/profile.schema";
import { createExtractiveBackend } from "./adapters/extractive/adapter";
import { createMockBackend } from "./adapters/mock/adapter";
import { createOpenAiChatBackend } from "./adapters/openai-chat/adapter";
import type { Backend } from "./backend";

/** The only place that knows the adapters: one line a kind. */
const ADAPTERS = {
  extractive: createExtractiveBackend,
  mock: createMockBackend,
  "openai-chat": createOpenAiChatBackend,
} as const satisfies Record<BackendKind, (profile: Profile) => Backend>;

/** The transport for a profile. Opens nothing until the first turn; the caller closes it. */
export function createBackend(profile: Profile): Backend {
  return ADAPTERS[profile.kind](profile);
}
