/** The Claude Code adapter over the fake program, with a folder and processes of its own that are gone after the test. */
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, onTestFinished } from "vitest";
import { type ClaudeCodeLimits, createClaudeCodeBackend } from "@/server/backends/adapters/claude-code/adapter";
import type { Turn } from "@/server/backends/backend";
import type { ProviderAccess } from "@/server/backends/provider-access";
import type { ProviderSettings } from "@/server/config/provider-settings.schema";
import { childEnvironment } from "@/server/env";
import { Secret } from "@/server/shared/secret";
import { buildSettings } from "./build-settings";
import { type FakeClaudeOptions, writeFakeClaude } from "./fake-claude-command";
import { isRunning } from "./is-running";
import { makeFolder } from "./make-folder";

export const CLAUDE_KEY = "sk-canary-claude-1a2b3c4d5e6f";
const BASE_URL = "http://127.0.0.1:1/v1";

/** What a process of the fake was started with. */
interface SeenStart {
  environment: Record<string, string>;
  arguments: string[];
  directory: string;
  prompt: string;
}

export interface OpenClaudeOptions {
  fake?: FakeClaudeOptions;
  limits?: Partial<ClaudeCodeLimits>;
  settings?: Partial<ProviderSettings>;
  /** Usual: one of its own. */
  folder?: string;
  childEnv?: Readonly<Record<string, string>>;
  /** The program instead of a fake; null = none is named. */
  program?: string | null;
}

/** Processes and their folders are looked for after the test whatever it did with the backend. */
export function openClaude(options: OpenClaudeOptions = {}) {
  const { fake = {}, limits = {}, settings = {}, folder = makeFolder() } = options;
  const name = settings.name ?? "claude-code";
  const pids = path.join(folder, `${name}.pids`);
  const to = path.join(folder, `${name}.start.json`);
  const programFolder = path.join(folder, `program-${name}`);
  mkdirSync(programFolder, { recursive: true });
  const program = options.program === undefined ? writeFakeClaude(programFolder, { pids, to, ...fake }) : options.program;
  const homesFolder = path.join(folder, "agents");
  const backend = createClaudeCodeBackend(
    buildSettings("claude-code", { name, baseUrl: BASE_URL, secretRefs: { apiKey: "env:CLAUDE_KEY" }, ...settings }),
    {
      homesFolder,
      programs: program === null ? {} : { claude: program },
      childEnv: options.childEnv ?? childEnvironment(),
    },
    { termGraceMs: 400, afterResultMs: 400, ...limits },
  );
  const started = () => (existsSync(pids) ? readFileSync(pids, "utf8").trim().split("\n").map(Number) : []);
  onTestFinished(async () => {
    await backend.close();
    expect(backend.running(), "no process may be left").toEqual([]);
    expect(started().filter(isRunning), "no process may be left").toEqual([]);
    expect(processFolders(homesFolder), "no folder of a process may be left").toEqual([]);
  });
  return {
    backend,
    folder,
    homesFolder,
    program,
    /** Numbers of all processes of the fake, in order; the question for its version is one. */
    started,
    /** What the last one was started with; null when there was none. */
    // What the fake wrote.
    seen: () => (existsSync(to) ? (JSON.parse(readFileSync(to, "utf8")) as SeenStart) : null),
  };
}

/** Folders of processes, which are there only as long as those. */
export function processFolders(homesFolder: string): string[] {
  if (!existsSync(homesFolder)) return [];
  return readdirSync(homesFolder).flatMap((home) => readdirSync(path.join(homesFolder, home, "processes")));
}

export function claudeAccess(key: string, label = "env:CLAUDE_KEY"): ProviderAccess {
  return { baseUrl: BASE_URL, secrets: { apiKey: new Secret(key, label) } };
}

/** Asks for an object unless told otherwise. */
export function claudeTurn(user: string, more: Partial<Turn> = {}): Turn {
  return {
    ...claudeAccess(CLAUDE_KEY),
    requestId: "req-1",
    model: "model-1",
    system: "Answer in JSON.",
    user,
    expect: { format: "json", schema: { insights: "array" } },
    generation: {},
    timeoutMs: 60_000,
    ...more,
  };
}
