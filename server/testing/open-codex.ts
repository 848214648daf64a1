/** The Codex adapter over the fake app-server, with a folder and processes of its own that are gone after the test. */
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, onTestFinished } from "vitest";
import { type CodexLimits, createCodexBackend } from "@/server/backends/adapters/codex-app-server/adapter";
import type { Turn, TurnProgress } from "@/server/backends/backend";
import type { ProviderAccess } from "@/server/backends/provider-access";
import type { ProviderSettings } from "@/server/config/provider-settings.schema";
import { childEnvironment } from "@/server/env";
import type { NewEvent } from "@/server/events/event.schema";
import { Secret } from "@/server/shared/secret";
import { buildSettings } from "./build-settings";
import { type FakeBehaviour, type FakeOptions, writeFakeAppServer } from "./fake-app-server-command";
import { isRunning } from "./is-running";
import { makeFolder } from "./make-folder";

export const CODEX_KEY = "sk-canary-codex-1a2b3c4d5e6f";
const BASE_URL = "http://127.0.0.1:1/v1";

/** What tests shorten: a fake answers at once, and what it does not do it never will. */
const SHORT: Partial<CodexLimits> = { interruptMs: 400, stdinGraceMs: 400, termGraceMs: 400, silenceMarginMs: 0 };

/** A frame that a fake heard, with the process that heard it. */
export interface HeardFrame {
  pid: number;
  id?: number | string;
  method?: string;
  params?: Record<string, unknown>;
  result?: Record<string, unknown>;
  error?: Record<string, unknown>;
}

export interface OpenCodexOptions {
  behaviours?: FakeBehaviour[];
  fake?: FakeOptions;
  limits?: Partial<CodexLimits>;
  settings?: Partial<ProviderSettings>;
  /** Usual: one of its own. */
  folder?: string;
  childEnv?: Readonly<Record<string, string>>;
  /** The program instead of a fake. */
  program?: string;
}

/** Processes are looked for after the test whatever it did with the backend. */
export function openCodex(options: OpenCodexOptions = {}) {
  const { behaviours = ["ok"], fake = {}, limits = {}, settings = {}, folder = makeFolder() } = options;
  const name = settings.name ?? "codex";
  const log = path.join(folder, `${name}.frames.jsonl`);
  const programFolder = path.join(folder, `program-${name}`);
  mkdirSync(programFolder, { recursive: true });
  const program = options.program ?? writeFakeAppServer(programFolder, behaviours, { log, ...fake });
  const host = {
    homesFolder: path.join(folder, "agents"),
    programs: { codex: program },
    childEnv: options.childEnv ?? childEnvironment(),
  };
  const backend = createCodexBackend(
    buildSettings(name, { baseUrl: BASE_URL, secretRefs: { apiKey: "env:CODEX_KEY" }, ...settings }),
    host,
    { ...SHORT, ...limits },
  );
  const heard = (): HeardFrame[] =>
    existsSync(log)
      ? readFileSync(log, "utf8")
          .split("\n")
          .filter((line) => line !== "")
          // What the fake wrote.
          .map((line) => JSON.parse(line) as HeardFrame)
      : [];
  const pids = () => [...new Set(heard().map(({ pid }) => pid))];
  onTestFinished(async () => {
    await backend.close();
    expect(backend.running(), "no process may be left").toEqual([]);
    expect(pids().filter(isRunning), "no process may be left").toEqual([]);
  });
  return {
    backend,
    folder,
    homesFolder: host.homesFolder,
    access: codexAccess(CODEX_KEY),
    /** Frames that its processes heard, in their order. */
    heard,
    /** Parameters of the requests of one method. */
    requests: (method: string) => heard().flatMap((frame) => (frame.method === method ? [frame.params ?? {}] : [])),
    pids,
  };
}

export function codexAccess(key: string, label = "env:CODEX_KEY"): ProviderAccess {
  return { baseUrl: BASE_URL, secrets: { apiKey: new Secret(key, label) } };
}

export function codexTurn(user: string, more: Partial<Turn> = {}): Turn {
  return {
    ...codexAccess(CODEX_KEY),
    requestId: "req-1",
    model: "model-1",
    system: "",
    user,
    expect: { format: "json", schema: {} },
    generation: {},
    timeoutMs: 60_000,
    ...more,
  };
}

/** A sink that keeps what it is told: events, and the characters of each progress. */
export function keepingSink() {
  const events: NewEvent[] = [];
  const characters: number[] = [];
  return {
    events,
    characters,
    event: (event: NewEvent) => void events.push(event),
    progress: (progress: TurnProgress) => void characters.push(progress.characters),
  };
}
