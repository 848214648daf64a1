/**
 * The real Claude Code of the pinned version behind our own adapter, and a scripted model on 127.0.0.1. Turns are told apart by a mark in
 * their prompt, so each has answers and a count of requests of its own, however many run at once.
 */
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { claudeBinary } from "@/scripts/launch/claude-cli.mjs";
import {
  type ClaudeCodeBackend,
  type ClaudeCodeLimits,
  createClaudeCodeBackend,
} from "@/server/backends/adapters/claude-code/adapter";
import { BackendError, type Turn, type TurnResult } from "@/server/backends/backend";
import type { ProviderAccess } from "@/server/backends/provider-access";
import type { ProviderSettings } from "@/server/config/provider-settings.schema";
import { childEnvironment } from "@/server/env";
import type { NewEvent } from "@/server/events/event.schema";
import { Secret } from "@/server/shared/secret";
import { buildSettings, usualModel } from "./build-settings";
import type { Script } from "./loopback-upstream";
import { messagesError } from "./messages-answers";
import { type MessagesRequest, type MessagesUpstream, startMessagesUpstream } from "./messages-upstream";
import { keepingSink } from "./open-codex";
import { onLinux, processesOf } from "./real-processes";
import { waitFor } from "./wait-for";

export interface RealTurn {
  /** Null when it failed. */
  result: TurnResult | null;
  error: BackendError | null;
  events: NewEvent[];
  /** Characters of each progress report. */
  characters: number[];
  requests: readonly MessagesRequest[];
}

export interface RunningTurn {
  ended: Promise<RealTurn>;
  requests(): readonly MessagesRequest[];
  events: NewEvent[];
  abort(reason: Error): void;
}

export interface RealClaude {
  readonly upstream: MessagesUpstream;
  readonly key: string;
  /** Everything of this harness on disk. */
  readonly folder: string;
  readonly homesFolder: string;
  /** Another backend with homes in the same folder; closed with this harness. */
  another(options: RealClaudeOptions): ClaudeCodeBackend;
  /** Begins a turn whose requests are answered with these, one after another, then with an error. */
  start(scripts: readonly Script[], options?: TurnOptions): RunningTurn;
  run(scripts: readonly Script[], options?: TurnOptions): Promise<RealTurn>;
  /** The default backend. */
  readonly backend: ClaudeCodeBackend;
  access(key?: string): ProviderAccess;
  /** Closes everything, removes the folder, and throws when a process was left behind. */
  close(): Promise<void>;
}

export interface RealClaudeOptions {
  settings?: Partial<ProviderSettings>;
  limits?: Partial<ClaudeCodeLimits>;
}

export interface TurnOptions {
  text?: string;
  turn?: Partial<Turn>;
  backend?: ClaudeCodeBackend;
  key?: string;
}

const WITHOUT_ANSWER = messagesError(500, "api_error", "the test has no answer left for this request");

export async function openRealClaude(): Promise<RealClaude> {
  const program = await claudeBinary({ fetch: false });
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), "switchyard-real-claude-")));
  const homesFolder = path.join(folder, "agents");
  const upstream = await startMessagesUpstream();
  const key = `sk-ant-canary-${crypto.randomUUID().replaceAll("-", "")}`;
  const marked: { scripts: Script[]; requests: MessagesRequest[] }[] = [];
  upstream.otherwise((request) => {
    const turn = marked[Number(/\[turn-(\d+)\]/.exec(request.prompt)?.[1])];
    turn?.requests.push(request);
    return turn?.scripts.shift() ?? WITHOUT_ANSWER;
  });
  const opened: ClaudeCodeBackend[] = [];
  function another({ settings = {}, limits = {} }: RealClaudeOptions): ClaudeCodeBackend {
    const backend = createClaudeCodeBackend(
      buildSettings("claude-code", { baseUrl: upstream.baseUrl, secretRefs: { apiKey: "env:CLAUDE_KEY" }, ...settings }),
      { homesFolder, programs: { claude: program }, childEnv: childEnvironment() },
      limits,
    );
    opened.push(backend);
    return backend;
  }
  const backend = another({});
  const access = (given: string = key): ProviderAccess => ({
    baseUrl: upstream.baseUrl,
    secrets: { apiKey: new Secret(given, "env:CLAUDE_KEY") },
  });

  function start(scripts: readonly Script[], options: TurnOptions = {}): RunningTurn {
    const mine = { scripts: [...scripts], requests: [] as MessagesRequest[] };
    const mark = `[turn-${marked.push(mine) - 1}]`;
    const sink = keepingSink();
    const controller = new AbortController();
    const turn: Turn = {
      ...access(options.key),
      requestId: `req${mark}`,
      model: usualModel("claude-code"),
      system: "Answer in JSON.",
      user: `${options.text ?? "The notes."} ${mark}`,
      expect: { format: "json", schema: { insights: "array" } },
      generation: {},
      timeoutMs: 60_000,
      ...options.turn,
    };
    const told = (result: TurnResult | null, error: BackendError | null): RealTurn => ({
      result,
      error,
      events: sink.events,
      characters: sink.characters,
      requests: mine.requests,
    });
    const ended = (options.backend ?? backend).runTurn(turn, sink, controller.signal).then(
      (result) => told(result, null),
      (error: unknown) => {
        if (error instanceof BackendError) return told(null, error);
        throw error;
      },
    );
    return { ended, requests: () => mine.requests, events: sink.events, abort: (reason) => controller.abort(reason) };
  }

  return {
    upstream,
    key,
    folder,
    homesFolder,
    backend,
    another,
    access,
    start,
    run: (scripts, options) => start(scripts, options).ended,
    async close() {
      for (const each of opened) await each.close();
      await upstream.close();
      try {
        if (onLinux) await waitFor("no process is left", () => processesOf(folder).length === 0);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
  };
}
