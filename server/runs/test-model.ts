/** One tiny real call to a model, told as it went. */
import { BackendError } from "@/server/backends/backend";
import type { ProviderAccess } from "@/server/backends/provider-access";
import { isSecretUnavailableError } from "@/server/config/secret-reference";
import { isCancellation } from "@/server/inference/cancellation";
import type { InferenceProvider } from "@/server/inference/inference-provider";
import { newId } from "@/server/shared/ids";
import type { ModelTest } from "./config-view.schema";

const LIMIT_MS = 60_000;
/** Room for the thoughts of a reasoning model; an answer needs a handful. */
const TEST_TOKENS = 256;
/** Characters of the answer that are shown. */
const SHOWN = 300;
const SYSTEM = "Answer in JSON.";
const QUESTION = 'This is a test of the connection. Reply with {"ok":true} and nothing else.';

export interface TestDeps {
  access(): ProviderAccess;
  redact(text: string): string;
  now(): number;
}

/** Never throws for what the provider does; throws the reason when called off. */
export async function testModel(
  provider: InferenceProvider,
  model: string,
  deps: TestDeps,
  signal: AbortSignal,
): Promise<ModelTest> {
  const reference = `${provider.id}/${model}`;
  const startedAt = performance.now();
  const failed = (failureKind: ModelTest["failureKind"], message: string): ModelTest => ({
    reference,
    ok: false,
    latencyMs: performance.now() - startedAt,
    firstTokenMs: null,
    usage: null,
    servedModel: null,
    text: "",
    failureKind,
    message: deps.redact(message).slice(0, 1_000),
  });
  try {
    const access = deps.access();
    const response = await provider.infer(
      {
        requestId: newId("req", deps.now()),
        sessionId: "test",
        stageId: "test",
        contextPack: { system: SYSTEM, user: QUESTION, expect: { format: "json", schema: {} } },
        generationConfig: { maxTokens: TEST_TOKENS },
        timeoutMs: LIMIT_MS,
      },
      { model, access, sink: { event: () => undefined, progress: () => undefined }, signal },
    );
    return {
      reference,
      ok: true,
      latencyMs: response.latencyMs,
      firstTokenMs: response.firstTokenMs ?? null,
      usage: response.tokensUsed,
      servedModel: response.servedModel === undefined ? null : deps.redact(response.servedModel).slice(0, 200),
      text: deps.redact(response.text).slice(0, SHOWN),
      failureKind: null,
      message: "",
    };
  } catch (error) {
    if (isSecretUnavailableError(error)) return failed("secret-unavailable", error.message);
    if (error instanceof BackendError) return failed(error.failureKind, error.message);
    if (isCancellation(error) && signal.aborted) throw error;
    throw error;
  }
}
