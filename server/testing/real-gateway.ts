/**
 * The real OpenClaw gateway of the pinned version behind our own adapter, and a scripted model on 127.0.0.1. Turns are told apart by a mark
 * in their prompt. A refusal makes a key rest at the gateway, with every model behind it, so each test takes a provider of its own.
 */
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { openClawProgram } from "@/scripts/launch/openclaw-gateway.mjs";
import { createOpenClawGatewayBackend } from "@/server/backends/adapters/openclaw-gateway/adapter";
import { type Backend, BackendError, type Turn, type TurnResult } from "@/server/backends/backend";
import type { ProviderAccess } from "@/server/backends/provider-access";
import type { NewEvent } from "@/server/events/event.schema";
import { Secret } from "@/server/shared/secret";
import { buildSettings } from "./build-settings";
import { jsonAnswer, type RecordedRequest, type Script, startLoopbackUpstream } from "./loopback-upstream";
import { keepingSink } from "./open-codex";
import { type GatewayProcess, outgoingOf, startGatewayProcess } from "./real-gateway-process";

export interface GatewayTurn {
  /** Null when it failed. */
  result: TurnResult | null;
  error: BackendError | null;
  events: NewEvent[];
  /** What the gateway asked the model. */
  requests: readonly RecordedRequest[];
}

export interface RunningGatewayTurn {
  /** Rejects with what is no `BackendError`, such as the reason of an abort. */
  ended: Promise<GatewayTurn>;
  requests(): readonly RecordedRequest[];
  abort(reason: Error): void;
}

export interface RealGateway {
  readonly backend: Backend;
  /** Everything of the gateway on disk. */
  readonly folder: string;
  /** Of the gateway. */
  readonly token: string;
  /** Keys of the gateway's providers begin with it. */
  readonly keyMark: string;
  /** Hosts of elsewhere that the gateway wanted to reach, and did not. */
  outgoing(): string[];
  access(token?: string): ProviderAccess;
  /** A provider of the gateway that no other test has, as it stands before the slash of a model. */
  provider(): string;
  /** How requests of a provider are answered that belong to no turn of this harness, such as those of checks. */
  answerOthers(provider: string, scripts: readonly Script[]): void;
  /** Begins a turn whose requests are answered with these, one after another, then with an error. */
  start(scripts: readonly Script[], turn?: Partial<Turn>): RunningGatewayTurn;
  run(scripts: readonly Script[], turn?: Partial<Turn>): Promise<GatewayTurn>;
  /** Ends the gateway without a warning. */
  kill(): Promise<void>;
  /** Starts it again where it was. */
  startAgain(): Promise<void>;
  /** Closes everything, removes the folder, and throws when a process was left behind. */
  close(): Promise<void>;
}

const PROVIDERS = Array.from({ length: 16 }, (_, at) => `p${at}`);
const WITHOUT_ANSWER = jsonAnswer(400, { error: { message: "the test has no answer left for this request" } });

export async function openRealGateway(): Promise<RealGateway> {
  const program = await openClawProgram({ fetch: false });
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), "switchyard-real-gateway-")));
  const token = `claw-canary-${crypto.randomUUID().replaceAll("-", "")}`;
  const keyMark = `sk-canary-${crypto.randomUUID().replaceAll("-", "")}`;
  const upstream = await startLoopbackUpstream();
  const marked: { model: string; scripts: Script[]; requests: RecordedRequest[] }[] = [];
  upstream.otherwise(async (exchange) => {
    const { body, headers } = exchange.request;
    const number = /\[turn-(\d+)\]/.exec(body)?.[1];
    // When the gateway asks again it leaves the prompt out: the key says whose request it is.
    const asked = (model: string) => headers.authorization === `Bearer ${keyMark}-${model.split("/", 1)[0]}`;
    const turn = number === undefined ? marked.findLast(({ model }) => asked(model)) : marked[Number(number)];
    turn?.requests.push(exchange.request);
    await (turn?.scripts.shift() ?? WITHOUT_ANSWER)(exchange);
  });
  const config = gatewayConfig(token, keyMark, upstream.baseUrl);
  const begin = (port?: number) => startGatewayProcess({ program, folder, config, ...(port ? { port } : {}) });
  let gateway: GatewayProcess;
  try {
    gateway = await begin();
  } catch (error) {
    await upstream.close();
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
  const { baseUrl } = gateway;
  const backend = createOpenClawGatewayBackend(
    buildSettings("openclaw-auth", { name: "claw", baseUrl, secretRefs: { apiKey: "env:CLAW_TOKEN" } }),
  );
  const access = (given = token): ProviderAccess => ({ baseUrl, secrets: { apiKey: new Secret(given, "env:CLAW_TOKEN") } });
  // The first one is everybody's, for what is not refused.
  let taken = 1;
  function provider(): string {
    const name = PROVIDERS[taken++];
    if (name === undefined) throw new Error("the gateway of the tests has too few providers");
    return name;
  }

  function start(scripts: readonly Script[], more: Partial<Turn> = {}): RunningGatewayTurn {
    const mine = { model: more.model ?? "p0/m1", scripts: [...scripts], requests: [] as RecordedRequest[] };
    const mark = `[turn-${marked.push(mine) - 1}]`;
    const sink = keepingSink();
    const controller = new AbortController();
    const turn: Turn = {
      ...access(),
      requestId: `req-${crypto.randomUUID()}`,
      model: "p0/m1",
      system: "Answer in JSON.",
      expect: { format: "json", schema: { insights: "array" } },
      generation: {},
      timeoutMs: 60_000,
      ...more,
      user: `${more.user ?? "The notes."} ${mark}`,
    };
    const told = (result: TurnResult | null, error: BackendError | null): GatewayTurn => ({
      result,
      error,
      events: sink.events,
      requests: mine.requests,
    });
    const ended = backend.runTurn(turn, sink, controller.signal).then(
      (result) => told(result, null),
      (error: unknown) => {
        if (error instanceof BackendError) return told(null, error);
        throw error;
      },
    );
    return { ended, requests: () => mine.requests, abort: (reason) => controller.abort(reason) };
  }

  return {
    backend,
    folder,
    token,
    keyMark,
    outgoing: () => outgoingOf(folder),
    access,
    provider,
    answerOthers: (name, scripts) => void marked.push({ model: `${name}/m1`, scripts: [...scripts], requests: [] }),
    start,
    run: (scripts, turn) => start(scripts, turn).ended,
    kill: () => gateway.kill(),
    async startAgain() {
      gateway = await begin(Number(new URL(baseUrl).port));
    },
    async close() {
      await backend.close();
      try {
        await gateway.end();
      } finally {
        await upstream.close();
        rmSync(folder, { recursive: true, force: true });
      }
    },
  };
}

/** Only what is asked for here: no agent's work by the clock, no catalogue from elsewhere, no service that others could find. */
function gatewayConfig(token: string, keyMark: string, baseUrl: string): Record<string, unknown> {
  const model = { id: "m1", name: "m1", contextWindow: 128_000, maxTokens: 4_096 };
  const providers = PROVIDERS.map((name) => [
    name,
    { baseUrl, apiKey: `${keyMark}-${name}`, api: "openai-completions", models: [model] },
  ]);
  return {
    gateway: { mode: "local", bind: "loopback", auth: { mode: "token", token }, controlUi: { enabled: false } },
    discovery: { mdns: { mode: "off" } },
    update: { checkOnStart: false },
    cron: { enabled: false },
    browser: { enabled: false },
    models: { mode: "replace", catalogRefresh: { enabled: false }, providers: Object.fromEntries(providers) },
    agents: { defaults: { model: "p0/m1", heartbeat: { every: "0m" } } },
  };
}
