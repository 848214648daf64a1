/** What the contract suite needs of each backend kind: the backend, and how to bring its runtime into each situation. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { FailureKind } from "@/server/artifacts/failure-kind.rules";
import { createBackend } from "@/server/backends/adapter-table";
import type { Backend } from "@/server/backends/backend";
import type { ProviderAccess } from "@/server/backends/provider-access";
import type { BackendKind } from "@/server/config/backend-kind.rules";
import { childEnvironment } from "@/server/env";
import type { NewEvent } from "@/server/events/event.schema";
import { Secret } from "@/server/shared/secret";
import { buildSettings, usualModel } from "./build-settings";
import { writeFakeAppServer } from "./fake-app-server-command";
import { writeFakeClaude } from "./fake-claude-command";
import { startFakeGateway } from "./fake-gateway";
import type { FakeGatewayBehaviour } from "./fake-gateway-runs";
import { CHAT_WIRE, MESSAGES_WIRE, openHttpHarness, RESPONSES_WIRE } from "./http-contract-harness";
import { jsonAnswer, type RecordedRequest, startLoopbackUpstream } from "./loopback-upstream";
import { NO_HOST } from "./no-host";
import { waitFor } from "./wait-for";

/** The runtime of kinds that have one refuses this key. */
const REFUSED_KEY = "sk-refused-canary-0a1b2c3d4e5f";

export const CANARY = "sk-canary-7f3a9b2c4d5e6f70";

/** The prompt that leads to a situation; arranging it may script an upstream as well. */
type Arrange = () => string;

export interface ContractHarness {
  backend: Backend;
  access: ProviderAccess;
  model: string;
  /** The field of a request on the wire that asks for JSON; absent for kinds without a wire. */
  formatField?: string;
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
  /** Brings about that the next request is refused for its key; what it is then sent with. Absent for kinds without a key. */
  refuseKey?(): ProviderAccess;
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
  const backend = createBackend(buildSettings(kind), NO_HOST);
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

function pidsIn(file: string): number[] {
  return existsSync(file) ? readFileSync(file, "utf8").trim().split("\n").map(Number) : [];
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function openCodexHarness(): Promise<ContractHarness> {
  const folder = mkdtempSync(path.join(tmpdir(), "switchyard-codex-"));
  const pids = path.join(folder, "pids");
  const upstream = await startLoopbackUpstream();
  upstream.otherwise((exchange) =>
    jsonAnswer(exchange.request.headers.authorization === `Bearer ${REFUSED_KEY}` ? 401 : 200, {})(exchange),
  );
  const { baseUrl } = upstream;
  const codex = writeFakeAppServer(folder, "asks-upstream", { key: CANARY, pids });
  const inner = createBackend(buildSettings("codex", { name: "codex", baseUrl, secretRefs: { apiKey: "env:CODEX_KEY" } }), {
    homesFolder: path.join(folder, "agents"),
    programs: { codex },
    childEnv: childEnvironment(),
  });
  const access = { baseUrl, secrets: { apiKey: new Secret(CANARY, "env:CODEX_KEY") } };
  let hasBegun = false;
  let turnOver: Promise<unknown> = Promise.resolve();
  const backend: Backend = {
    ...inner,
    runTurn(turn, sink, signal) {
      hasBegun = false;
      const heard = {
        ...sink,
        event: (event: NewEvent) => {
          if (event.type === "backend_status" && event.payload.phase === "thread-started") hasBegun = true;
          sink.event(event);
        },
      };
      const work = inner.runTurn(turn, heard, signal);
      turnOver = work.catch(() => undefined);
      return work;
    },
  };
  const marked = (mark: string) => () => (mark === "" ? SENTENCES : `${SENTENCES} [[fake:${mark}]]`);
  return {
    backend,
    access,
    model: "model-1",
    answer: marked(""),
    slow: marked("silent-turn"),
    failures: [
      { failureKind: "provider-auth-failed", arrange: marked("fails:unauthorized") },
      { failureKind: "provider-rate-limited", arrange: marked("fails:rateLimitExceeded") },
      { failureKind: "provider-unavailable", arrange: marked("fails:serverOverloaded") },
      { failureKind: "backend-response-invalid", arrange: marked("empty-reply") },
      { failureKind: "backend-failed", arrange: marked("die-mid-turn-3") },
    ],
    unknownNativeEvent: marked("unknown-notification+unknown-response-id+asks:something/new"),
    leakingError: marked("leaks-key+fails:other"),
    leakingText: marked("leaks-key"),
    refuseKey: () => ({ ...access, secrets: { apiKey: new Secret(REFUSED_KEY, "env:CODEX_KEY") } }),
    begun: () => waitFor("the turn begins", () => hasBegun).then(() => undefined),
    letGo: () => turnOver.then(() => undefined),
    drained: () => waitFor("the processes end", () => !pidsIn(pids).some(isAlive)).then(() => undefined),
    requests: () => null,
    async close() {
      await inner.close();
      await upstream.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const OVER_HTTP = { key: CANARY, prompt: SENTENCES };
async function openClaudeHarness(): Promise<ContractHarness> {
  const folder = mkdtempSync(path.join(tmpdir(), "switchyard-claude-"));
  const pids = path.join(folder, "pids");
  const claude = writeFakeClaude(folder, { refused: REFUSED_KEY, pids });
  const inner = createBackend(
    buildSettings("claude-code", { baseUrl: "http://127.0.0.1:1/v1", secretRefs: { apiKey: "env:CLAUDE_KEY" } }),
    { homesFolder: path.join(folder, "agents"), programs: { claude }, childEnv: childEnvironment() },
  );
  const access = { baseUrl: "http://127.0.0.1:1/v1", secrets: { apiKey: new Secret(CANARY, "env:CLAUDE_KEY") } };
  let hasBegun = false;
  let turnOver: Promise<unknown> = Promise.resolve();
  const backend: Backend = {
    ...inner,
    runTurn(turn, sink, signal) {
      hasBegun = false;
      const heard = {
        ...sink,
        event: (event: NewEvent) => {
          if (event.type === "backend_status" && event.payload.phase === "responding") hasBegun = true;
          sink.event(event);
        },
      };
      const work = inner.runTurn(turn, heard, signal);
      turnOver = work.catch(() => undefined);
      return work;
    },
  };
  const marked = (mark: string) => () => (mark === "" ? SENTENCES : `${SENTENCES} [[fake:${mark}]]`);
  return {
    backend,
    access,
    model: usualModel("claude-code"),
    answer: marked(""),
    slow: marked("silent-after-text"),
    failures: [
      { failureKind: "provider-auth-failed", arrange: marked("status:401") },
      { failureKind: "provider-rate-limited", arrange: marked("status:429") },
      { failureKind: "provider-unavailable", arrange: marked("status:529") },
      { failureKind: "backend-json-parse-error", arrange: marked("only-garbage") },
      { failureKind: "backend-response-invalid", arrange: marked("prose") },
      { failureKind: "backend-failed", arrange: marked("die") },
    ],
    unknownNativeEvent: marked("unknown-lines"),
    leakingError: marked("leaks-key+status:401"),
    leakingText: marked("leaks-key"),
    refuseKey: () => ({ ...access, secrets: { apiKey: new Secret(REFUSED_KEY, "env:CLAUDE_KEY") } }),
    begun: () => waitFor("the turn begins", () => hasBegun).then(() => undefined),
    letGo: () => turnOver.then(() => undefined),
    drained: () => waitFor("the processes end", () => !pidsIn(pids).some(isAlive)).then(() => undefined),
    requests: () => null,
    async close() {
      await inner.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function openGatewayHarness(): Promise<ContractHarness> {
  const gateway = await startFakeGateway({ refusedToken: REFUSED_KEY });
  // The suite uses one id for many requests.
  gateway.forgetIds();
  const backend = createBackend(
    buildSettings("openclaw-auth", { baseUrl: gateway.baseUrl, secretRefs: { apiKey: "env:CLAW_TOKEN" } }),
    NO_HOST,
  );
  const access = { baseUrl: gateway.baseUrl, secrets: { apiKey: new Secret(CANARY, "env:CLAW_TOKEN") } };
  // Not by marks in the prompt: the capability check has a prompt of its own.
  const scripted =
    (...behaviours: FakeGatewayBehaviour[]) =>
    () => {
      gateway.next(behaviours);
      return SENTENCES;
    };
  return {
    backend,
    access,
    model: "fake/model-1",
    answer: scripted(),
    slow: scripted("hang"),
    failures: [
      { failureKind: "provider-auth-failed", arrange: scripted("fails:unauthorized") },
      { failureKind: "provider-rate-limited", arrange: scripted("fails:key-rests") },
      { failureKind: "provider-unavailable", arrange: scripted("fails:overloaded") },
      { failureKind: "provider-unavailable", arrange: scripted("cut") },
      { failureKind: "backend-protocol-error", arrange: scripted("malformed") },
      { failureKind: "backend-json-parse-error", arrange: scripted("garbage") },
      { failureKind: "backend-response-invalid", arrange: scripted("in-ok:no-answer") },
      { failureKind: "backend-failed", arrange: scripted("fails:unknown-model") },
      { failureKind: "backend-timeout", arrange: scripted("in-ok:timeout") },
    ],
    unknownNativeEvent: scripted("chatter"),
    leakingError: scripted("leaks-key", "fails:unauthorized"),
    leakingText: scripted("leaks-key"),
    withoutUsage: scripted("no-usage"),
    refuseKey: () => ({ ...access, secrets: { apiKey: new Secret(REFUSED_KEY, "env:CLAW_TOKEN") } }),
    begun: () => gateway.until(() => gateway.waiting === 1),
    letGo: () => gateway.until(() => gateway.aborted.length === 1),
    drained: () => gateway.until(() => gateway.openConnections === 0),
    requests: () => gateway.runs.map(({ params }) => ({ method: "agent", path: "", headers: {}, body: JSON.stringify(params) })),
    async close() {
      await backend.close();
      await gateway.close();
    },
  };
}

/** One entry a kind; the type makes a missing one an error. */
export const CONTRACT_HARNESSES: Readonly<Record<BackendKind, () => Promise<ContractHarness>>> = {
  "openai-chat": () => openHttpHarness(CHAT_WIRE, OVER_HTTP),
  "anthropic-messages": () => openHttpHarness(MESSAGES_WIRE, OVER_HTTP),
  "openai-responses": () => openHttpHarness(RESPONSES_WIRE, OVER_HTTP),
  "codex-app-server-stdio": openCodexHarness,
  "claude-code-cli": openClaudeHarness,
  "openclaw-gateway": openGatewayHarness,
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
