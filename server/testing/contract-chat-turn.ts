/** What the tests of the chat adapter share: a provider at an upstream, a turn, and ears. */
import { BackendError, type Turn } from "@/server/backends/backend";
import type { ProviderSettings } from "@/server/config/provider-settings.schema";
import type { NewEvent } from "@/server/events/event.schema";
import { Secret } from "@/server/shared/secret";
import { buildSettings } from "./build-settings";
import { CANARY } from "./contract-harness";

export const CHAT_SECRETS = { apiKey: new Secret(CANARY, "env:LLM_API_KEY") };

export function chatSettings(baseUrl: string, more: Partial<ProviderSettings> = {}): ProviderSettings {
  return buildSettings("openai-chat", {
    name: "llm-api",
    description: "A test upstream.",
    baseUrl,
    secretRefs: { apiKey: "env:LLM_API_KEY" },
    concurrency: 4,
    timeoutMs: 60_000,
    ...more,
  });
}

export function chatTurn(baseUrl: string | null, more: Partial<Turn> = {}): Turn {
  return {
    requestId: "req_1",
    model: "test-model",
    system: "Answer in JSON.",
    user: "The chunk.",
    expect: { format: "json", schema: {} },
    generation: {},
    timeoutMs: 10_000,
    baseUrl,
    secrets: CHAT_SECRETS,
    ...more,
  };
}

export interface Heard {
  events: NewEvent[];
  /** The characters of each progress report. */
  characters: number[];
}

export function listen(): Heard & { sink: { event(event: NewEvent): void; progress(progress: { characters: number }): void } } {
  const events: NewEvent[] = [];
  const characters: number[] = [];
  return {
    events,
    characters,
    sink: { event: (event) => events.push(event), progress: (progress) => characters.push(progress.characters) },
  };
}

/** The `BackendError` that the work rejects with; anything else fails the test. */
export async function failureOf(work: Promise<unknown>): Promise<BackendError> {
  const error = await work.then(
    () => new Error("it succeeded"),
    (reason: unknown) => reason,
  );
  if (!(error instanceof BackendError)) throw error;
  return error;
}
