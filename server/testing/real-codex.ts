/**
 * The real Codex CLI of the pinned version behind our own adapter, and a scripted model on 127.0.0.1. Turns are told apart by a
 * mark in their prompt, so each has answers and a count of requests of its own, however many run at once.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { codexBinary } from "@/scripts/launch/codex-cli.mjs";
import { type CodexBackend, type CodexLimits, createCodexBackend } from "@/server/backends/adapters/codex-app-server/adapter";
import type { ProviderAccess } from "@/server/backends/provider-access";
import type { ProviderSettings } from "@/server/config/provider-settings.schema";
import { childEnvironment } from "@/server/env";
import { Secret } from "@/server/shared/secret";
import { buildSettings, usualModel } from "./build-settings";
import type { Script } from "./loopback-upstream";
import { onLinux, processesOf } from "./real-processes";
import { refusal } from "./responses-answers";
import { type ResponsesRequest, type ResponsesUpstream, startResponsesUpstream } from "./responses-upstream";
import { waitFor } from "./wait-for";

export interface RealCodexOptions {
  /** A built-in profile; its name is the provider's. */
  profile?: string;
  settings?: Partial<ProviderSettings>;
  limits?: Partial<CodexLimits>;
  /** Null = the provider has no key. */
  key?: string | null;
  /** Instead of the scripted model's own address. */
  baseUrl?: string;
}

/** A prompt that the scripted model knows. */
export interface ScriptedPrompt {
  prompt: string;
  /** Requests of that turn, in order. */
  requests(): readonly ResponsesRequest[];
  /** Resolves as soon as so many of them have come in. */
  received(count: number): Promise<void>;
}

export interface RealCodex {
  readonly upstream: ResponsesUpstream;
  /** The one that is open now; `reopen` replaces it. */
  readonly backend: CodexBackend;
  readonly settings: ProviderSettings;
  readonly access: ProviderAccess;
  readonly model: string;
  readonly key: string;
  /** Everything of this harness on disk. */
  readonly folder: string;
  /** Where its Codex homes are. */
  readonly homesFolder: string;
  /** An empty folder inside `folder`, made now; absolute, without links. */
  makeWorkspace(name?: string): string;
  /** `text` with a mark; the model answers its requests with these, one after another, then with an error. */
  scripted(scripts: readonly Script[], text?: string): ScriptedPrompt;
  /** Another backend with homes in the same folder. Closed with this harness. */
  another(options?: RealCodexOptions): { backend: CodexBackend; access: ProviderAccess; model: string; key: string };
  /** Ends the backend, processes and all, and opens a new one on the same homes. */
  reopen(): Promise<void>;
  /** Closes everything, removes the folder, and throws when a process was left behind. */
  close(): Promise<void>;
}

/** The program; a sentence that says how to get it where it is absent. */
export function realCodexProgram(): Promise<string> {
  return codexBinary({ fetch: false });
}

/** A PATH whose first `codex` is that program. */
export async function pathToRealCodex(): Promise<string> {
  return [path.dirname(await realCodexProgram()), childEnvironment().PATH ?? ""].join(path.delimiter);
}

/** " (not run: why)" where this machine lets nobody confine a command, else "". Asked of the CLI itself. */
export async function withoutSandbox(): Promise<string> {
  const home = mkdtempSync(path.join(tmpdir(), "switchyard-sandbox-"));
  try {
    const env = { ...childEnvironment(), HOME: home, CODEX_HOME: home, NODE_ENV: "test" as const };
    const tried = spawnSync(await realCodexProgram(), ["sandbox", "--", "/bin/true"], { env, encoding: "utf8" });
    const reason = tried.stderr.split("\n").find((line) => line.startsWith("bwrap: "));
    return tried.status === 0 || reason === undefined ? "" : ` (not run: no sandbox on this machine, ${reason})`;
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** A key that occurs nowhere else. */
export function freshKey(name: string): string {
  return `sk-${name}-canary-${crypto.randomUUID().replaceAll("-", "")}`;
}

const WITHOUT_ANSWER = refusal(400, "invalid_request_error", "the test has no answer left for this request");

export async function openRealCodex(options: RealCodexOptions = {}): Promise<RealCodex> {
  const program = await realCodexProgram();
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), "switchyard-real-codex-")));
  const homesFolder = path.join(folder, "agents");
  const upstream = await startResponsesUpstream();
  const prompts = answerByMark(upstream);
  const opened: CodexBackend[] = [];

  function open(given: RealCodexOptions = {}) {
    const { profile = "deepseek", baseUrl = upstream.baseUrl, key = freshKey(profile) } = given;
    const settings = buildSettings(profile, { baseUrl, secretRefs: { apiKey: "env:PROFILE_KEY" }, ...given.settings });
    const backend = createCodexBackend(
      settings,
      { homesFolder, programs: { codex: program }, childEnv: childEnvironment() },
      given.limits,
    );
    opened.push(backend);
    const secrets: ProviderAccess["secrets"] = key === null ? {} : { apiKey: new Secret(key, "env:PROFILE_KEY") };
    return { backend, settings, key: key ?? "", access: { baseUrl, secrets }, model: usualModel(profile) };
  }

  let current = open(options);
  let workspaces = 0;
  return {
    upstream,
    get backend() {
      return current.backend;
    },
    settings: current.settings,
    access: current.access,
    model: current.model,
    key: current.key,
    folder,
    homesFolder,
    makeWorkspace(name = `workspace-${++workspaces}`) {
      const workspace = path.join(folder, name);
      mkdirSync(workspace);
      return workspace;
    },
    scripted: prompts.scripted,
    another: open,
    async reopen() {
      await current.backend.close();
      current = open({ ...options, key: current.key });
    },
    async close() {
      for (const backend of opened) await backend.close();
      await upstream.close();
      try {
        const left = onLinux ? processesOf(folder) : [];
        if (left.length > 0) throw new Error(`left behind: ${left.map(({ command }) => command).join("; ")}`);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
  };
}

interface Marked {
  scripts: Script[];
  requests: ResponsesRequest[];
}

/** Gives each prompt with a mark the answers that were queued for it. */
function answerByMark(upstream: ResponsesUpstream) {
  const marked = new Map<string, Marked>();
  upstream.otherwise((request) => {
    const mark = /\[turn-\d+\]/.exec(request.prompt)?.[0] ?? "";
    const known = marked.get(mark);
    known?.requests.push(request);
    return known?.scripts.shift() ?? WITHOUT_ANSWER;
  });
  return {
    scripted(scripts: readonly Script[], text = "Do what is to be done."): ScriptedPrompt {
      const mark = `[turn-${marked.size + 1}]`;
      const entry: Marked = { scripts: [...scripts], requests: [] };
      marked.set(mark, entry);
      return {
        prompt: `${text} ${mark}`,
        requests: () => entry.requests,
        received: (count) => waitFor(`${count} requests of ${mark}`, () => entry.requests.length >= count).then(() => undefined),
      };
    },
  };
}
