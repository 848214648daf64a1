/** What the contract suite needs of each backend kind: the backend, and how to bring its runtime into each situation. */
import type { FailureKind } from "@/server/artifacts/failure-kind.rules";
import { createBackend } from "@/server/backends/adapter-table";
import type { Backend, ProviderAccess } from "@/server/backends/backend";
import type { BuiltKind } from "@/server/config/backend-kind.rules";
import { Secret } from "@/server/shared/secret";
import { buildSettings, usualModel } from "./build-settings";
import { chatFrames, hang, jsonAnswer, type RecordedRequest, sseAnswer, startLoopbackUpstream } from "./loopback-upstream";

export const CANARY = "sk-canary-7f3a9b2c4d5e6f70";

/** The prompt that leads to a situation; arranging it may script an upstream as well. */
type Arrange = () => string;

export interface ContractHarness {
  backend: Backend;
  access: ProviderAccess;
  model: string;
  /** A plain success. */
  answer: Arrange;
  /** A turn that is still under way when the caller aborts it. */
  slow: Arrange;
  /** Failures this kind can be brought to. */
  failures: { failureKind: FailureKind; arrange: Arrange }[];
  /** The runtime says things the adapter does not know, then succeeds. */
  unknownNativeEvent?: Arrange;
  /** The runtime repeats the key, in its error and in its text. */
  leakingError?: Arrange;
  leakingText?: Arrange;
  /** The runtime succeeds without telling what it used. */
  withoutUsage?: Arrange;
  /** Resolves when the runtime has begun the turn. */
  begun(): Promise<void>;
  /** Resolves when the runtime has noticed that the turn was ended. */
  letGo(): Promise<void>;
  /** Resolves when no connection, process or the like is open; after the backend was closed that must come by itself. */
  drained(): Promise<void>;
  /** Requests the runtime has met; null for a kind that has no wire. */
  requests(): readonly RecordedRequest[] | null;
  close(): Promise<void>;
}

const SENTENCES =
  "We decided to move the database to Oslo on 2026-04-19. The old host was too slow. Ask Ana before the next change.";

/** A kind that runs inside this process has nothing to be left open. */
function withoutWire(kind: "mock" | "extractive") {
  const backend = createBackend(buildSettings(kind));
  return {
    backend,
    access: { baseUrl: null, secrets: {} },
    model: usualModel(kind),
    answer: () => SENTENCES,
    begun: () => Promise.resolve(),
    letGo: () => Promise.resolve(),
    drained: () => Promise.resolve(),
    requests: () => null,
    close: () => backend.close(),
  };
}

const MOCK_FAILURES: FailureKind[] = [
  "provider-auth-failed",
  "provider-rate-limited",
  "provider-unavailable",
  "backend-protocol-error",
  "backend-timeout",
  "secret-unavailable",
];

async function openChatHarness(): Promise<ContractHarness> {
  const upstream = await startLoopbackUpstream();
  const backend = createBackend(
    buildSettings("openai-chat", { name: "llm-api", baseUrl: upstream.baseUrl, secretRefs: { apiKey: "env:LLM_API_KEY" } }),
  );
  const scripted = (script: Parameters<typeof upstream.next>[0]) => () => {
    upstream.next(script);
    return SENTENCES;
  };
  const answer = (more: Parameters<typeof chatFrames>[0] = {}) => sseAnswer(chatFrames({ text: '{"insights":[]}', ...more }));
  return {
    backend,
    access: { baseUrl: upstream.baseUrl, secrets: { apiKey: new Secret(CANARY, "env:LLM_API_KEY") } },
    model: usualModel("openai-chat"),
    answer: scripted(answer()),
    slow: scripted(hang),
    failures: [
      { failureKind: "provider-auth-failed", arrange: scripted(jsonAnswer(401, {})) },
      { failureKind: "provider-rate-limited", arrange: scripted(jsonAnswer(429, {})) },
      { failureKind: "provider-unavailable", arrange: scripted(jsonAnswer(503, {})) },
      { failureKind: "backend-protocol-error", arrange: scripted(sseAnswer(['data: {"choices":"none"}\n\n'])) },
      { failureKind: "backend-json-parse-error", arrange: scripted(sseAnswer(["data: {garbage\n\n"])) },
      { failureKind: "backend-response-invalid", arrange: scripted(answer({ text: "" })) },
      { failureKind: "backend-failed", arrange: scripted(jsonAnswer(400, {})) },
    ],
    unknownNativeEvent: scripted(
      sseAnswer([": comment\n\n", 'event: ping\ndata: {"type":"ping","novel":[1]}\n\n', ...chatFrames()]),
    ),
    leakingError: scripted(
      jsonAnswer(401, {
        error: {
          message: `bad key ${CANARY}, ${Buffer.from(`key:${CANARY}`).toString("base64")}, ${encodeURIComponent(`Bearer ${CANARY}`)}`,
        },
      }),
    ),
    leakingText: scripted(answer({ text: `Your key is ${CANARY}.` })),
    withoutUsage: scripted(answer({ usage: null })),
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

/** One entry a kind; the type makes a missing one an error. */
export const CONTRACT_HARNESSES: Readonly<Record<BuiltKind, () => Promise<ContractHarness>>> = {
  "openai-chat": openChatHarness,
  mock: async () => ({
    ...withoutWire("mock"),
    slow: () => `${SENTENCES} [[mock:hang]]`,
    failures: MOCK_FAILURES.map((failureKind) => ({ failureKind, arrange: () => `[[mock:fail=${failureKind}]]` })),
  }),
  extractive: async () => ({
    ...withoutWire("extractive"),
    // Enough text for many of its time slices.
    slow: () =>
      Array.from(
        { length: 40_000 },
        (_, index) => `We decided to move server number ${index} to Oslo because it was too slow.`,
      ).join("\n\n"),
    failures: [],
  }),
};
