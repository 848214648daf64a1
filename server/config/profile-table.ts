/** The profiles that exist without any set-up, as data, and what a document makes of them. Holds names of secrets, never values. */
import { BACKEND_KIND_FACTS, type BackendKind } from "./backend-kind.rules";
import type { CapabilityScores, ConfigDocument, ProfileConfig, TokenizerId } from "./config-document.schema";

/** A named choice of a backend kind with its settings. */
export interface BackendProfile {
  name: string;
  kind: BackendKind;
  /** What it is, in one sentence an operator understands. */
  description: string;
  /** Asked for when an order names a provider and no model; null = the order must name one. */
  defaultModel: string | null;
  /** Used when the provider gives none. */
  baseUrl: string | null;
  /** Hosts whose providers use this profile without saying so. */
  hosts: readonly string[];
  /** Names of the secrets that the adapter cannot do without. */
  requiredSecretKeys: readonly string[];
  /** How two profiles are kept apart, in one sentence. */
  isolation: string;
  concurrency: number;
  /** Milliseconds. */
  requestMs: number;
  idleMs: number;
  connectMs: number;
  tokenizer: TokenizerId;
  /** True when the tokenizer is not the model's own, so that counts are estimates. */
  tokenizerIsEstimate: boolean;
  scores: CapabilityScores;
  /** Tokens its models can hold, for kinds that must know; null = unknown. */
  contextWindow: number | null;
  /**
   * Where its servers take many requests as one job that is answered within a day: nowhere, at the profile's own addresses (others
   * that speak the protocol mostly do not), or wherever a provider that uses it is.
   */
  batch: "none" | "own-addresses" | "any-address";
  /** True when a provider of this name exists without an entry in the document: it needs no key and no address. */
  standsAlone: boolean;
  origin: "built_in" | "changed" | "added";
}

const IN_PROCESS = "Runs inside this server; knows no key and opens no connection.";
const PER_REQUEST_KEY = "The key is read for each request and goes to the provider's own address only; redirects are refused.";
const PER_PROFILE_HOME = "Secrets of the chosen profile only, and a home folder of its own for each profile.";

/** Thinking models take minutes for a chunk. */
const HTTP_REQUEST_MS = 300_000;
const HTTP_IDLE_MS = 120_000;
const CONNECT_MS = 10_000;
const LOCAL_REQUEST_MS = 60_000;
const AGENT_REQUEST_MS = 1_800_000;

type Row = Pick<BackendProfile, "name" | "kind" | "description" | "scores"> & Partial<BackendProfile>;

function row(given: Row): BackendProfile {
  const { transport } = BACKEND_KIND_FACTS[given.kind];
  return {
    defaultModel: null,
    baseUrl: null,
    hosts: [],
    requiredSecretKeys: [],
    isolation: transport === "in-process" ? IN_PROCESS : transport === "stdio" ? PER_PROFILE_HOME : PER_REQUEST_KEY,
    concurrency: transport === "stdio" ? 4 : 64,
    requestMs: transport === "in-process" ? LOCAL_REQUEST_MS : transport === "http" ? HTTP_REQUEST_MS : AGENT_REQUEST_MS,
    idleMs: HTTP_IDLE_MS,
    connectMs: CONNECT_MS,
    tokenizer: "o200k",
    tokenizerIsEstimate: true,
    contextWindow: null,
    batch: "none",
    standsAlone: false,
    origin: "built_in",
    ...given,
  };
}

const CHAT_SCORES: CapabilityScores = { general: 0.7, reasoning: 0.6, summarization: 0.7 };
const LOCAL_SCORES: CapabilityScores = { general: 0.6, reasoning: 0.4, summarization: 0.6 };
const CODING_SCORES: CapabilityScores = { coding: 0.9, tool_calling: 0.9, reasoning: 0.8, general: 0.7, summarization: 0.7 };

export const BUILT_IN_PROFILES: readonly BackendProfile[] = [
  row({
    name: "extractive",
    kind: "extractive",
    description: "Picks the telling sentences of the text itself. No key, no network, no model.",
    defaultModel: "extractive-1",
    tokenizer: "pieces",
    tokenizerIsEstimate: false,
    scores: { summarization: 0.4, general: 0.1 },
    standsAlone: true,
  }),
  row({
    name: "mock",
    kind: "mock",
    description: "Answers from a script in the text, failures included. For trying things out and for tests.",
    defaultModel: "mock-1",
    tokenizer: "mock-4-chars",
    tokenizerIsEstimate: false,
    scores: { general: 0.5, summarization: 0.5 },
    standsAlone: true,
  }),
  row({
    name: "openai-chat",
    kind: "openai-chat",
    description: "Any server that speaks OpenAI's chat completions.",
    scores: CHAT_SCORES,
  }),
  row({
    name: "openai",
    kind: "openai-chat",
    description: "OpenAI's own API.",
    defaultModel: "gpt-4o-mini",
    baseUrl: "https://api.openai.com/v1",
    hosts: ["api.openai.com"],
    requiredSecretKeys: ["apiKey"],
    batch: "own-addresses",
    tokenizerIsEstimate: false,
    scores: { general: 0.9, reasoning: 0.9, summarization: 0.9, coding: 0.8, tool_calling: 0.8 },
  }),
  row({
    name: "minimax-api",
    kind: "openai-chat",
    description: "MiniMax over its OpenAI-compatible API.",
    defaultModel: "MiniMax-M2",
    baseUrl: "https://api.minimax.io/v1",
    hosts: ["api.minimax.io", "api.minimaxi.com"],
    requiredSecretKeys: ["apiKey"],
    scores: { general: 0.8, reasoning: 0.7, summarization: 0.8, coding: 0.7 },
  }),
  row({
    name: "deepseek-api",
    kind: "openai-chat",
    description: "DeepSeek over its OpenAI-compatible API.",
    defaultModel: "deepseek-v4-flash",
    baseUrl: "https://api.deepseek.com",
    hosts: ["api.deepseek.com"],
    requiredSecretKeys: ["apiKey"],
    scores: { general: 0.8, reasoning: 0.8, summarization: 0.8, coding: 0.8 },
  }),
  row({
    name: "openrouter",
    kind: "openai-chat",
    description: "OpenRouter, which passes requests on to many providers.",
    defaultModel: "openrouter/auto",
    baseUrl: "https://openrouter.ai/api/v1",
    hosts: ["openrouter.ai"],
    requiredSecretKeys: ["apiKey"],
    scores: { general: 0.8, reasoning: 0.8, summarization: 0.8, coding: 0.7 },
  }),
  row({
    name: "gemini",
    kind: "openai-chat",
    description: "Google's Gemini over its OpenAI-compatible API.",
    defaultModel: "gemini-3.8-flash",
    baseUrl: "https://generativelanguage.googleapis.com/v1beta/openai",
    hosts: ["generativelanguage.googleapis.com"],
    requiredSecretKeys: ["apiKey"],
    scores: { general: 0.8, reasoning: 0.8, summarization: 0.8, coding: 0.7 },
  }),
  row({
    name: "ollama",
    kind: "openai-chat",
    description: "Models on this machine, served by Ollama. Needs no key.",
    baseUrl: "http://127.0.0.1:11434/v1",
    concurrency: 2,
    scores: LOCAL_SCORES,
  }),
  row({
    name: "lm-studio",
    kind: "openai-chat",
    description: "Models on this machine, served by LM Studio. Needs no key.",
    baseUrl: "http://127.0.0.1:1234/v1",
    concurrency: 2,
    scores: LOCAL_SCORES,
  }),
  row({
    name: "llama-cpp",
    kind: "openai-chat",
    description: "A model on this machine, served by llama.cpp. Needs no key unless the server was given one.",
    baseUrl: "http://127.0.0.1:8080/v1",
    concurrency: 2,
    scores: LOCAL_SCORES,
  }),
  row({
    name: "vllm",
    kind: "openai-chat",
    description: "Models on this machine, served by vLLM. Needs no key unless the server was given one.",
    baseUrl: "http://127.0.0.1:8000/v1",
    concurrency: 16,
    scores: LOCAL_SCORES,
  }),
  row({
    name: "openai-responses",
    kind: "openai-responses",
    description: "Any server that speaks OpenAI's Responses API.",
    scores: CHAT_SCORES,
  }),
  row({
    name: "openai-gpt",
    kind: "openai-responses",
    description: "OpenAI's own API, over Responses.",
    defaultModel: "gpt-6-luna",
    baseUrl: "https://api.openai.com/v1",
    requiredSecretKeys: ["apiKey"],
    batch: "own-addresses",
    tokenizerIsEstimate: false,
    scores: { general: 0.9, reasoning: 0.9, summarization: 0.9, coding: 0.8, tool_calling: 0.8 },
  }),
  row({
    name: "anthropic",
    kind: "anthropic-messages",
    description: "Anthropic's own API, and servers that speak its Messages.",
    defaultModel: "claude-haiku-5-5",
    baseUrl: "https://api.anthropic.com",
    hosts: ["api.anthropic.com"],
    requiredSecretKeys: ["apiKey"],
    batch: "own-addresses",
    scores: { general: 0.9, reasoning: 0.9, summarization: 0.9, coding: 0.9, tool_calling: 0.9 },
  }),
  row({
    name: "codex",
    kind: "codex-app-server-stdio",
    description: "The Codex agent with its main model.",
    defaultModel: "gpt-6.2-sol",
    baseUrl: "https://api.openai.com/v1",
    contextWindow: 272_000,
    requiredSecretKeys: ["apiKey"],
    scores: CODING_SCORES,
  }),
  row({
    name: "deepseek",
    kind: "codex-app-server-stdio",
    description: "The Codex agent on DeepSeek, with a secret and a home of its own.",
    defaultModel: "deepseek-flash",
    baseUrl: "https://api.deepseek.com",
    contextWindow: 128_000,
    requiredSecretKeys: ["apiKey"],
    scores: CODING_SCORES,
  }),
  row({
    name: "minimax-m3",
    kind: "codex-app-server-stdio",
    description: "The Codex agent on MiniMax M3, with a secret and a home of its own.",
    defaultModel: "MiniMax-M3",
    baseUrl: "https://api.minimax.io/v1",
    contextWindow: 200_000,
    requiredSecretKeys: ["apiKey"],
    scores: CODING_SCORES,
  }),
  row({
    name: "claude-code",
    kind: "claude-code-cli",
    description: "The Claude Code command line, one process a request.",
    // What the program's own word "sonnet" stands for in the version that is known here; a full name serves the same model tomorrow.
    defaultModel: "claude-sonnet-5-5",
    requestMs: HTTP_REQUEST_MS,
    requiredSecretKeys: ["apiKey"],
    scores: CODING_SCORES,
  }),
  row({
    name: "openclaw-auth",
    kind: "openclaw-gateway",
    description: "An OpenClaw gateway with its own provider session.",
    // The gateway's own choice of a model; another is named as OpenClaw names it, provider and all.
    defaultModel: "default",
    baseUrl: "http://127.0.0.1:18789",
    requiredSecretKeys: ["apiKey"],
    // A gateway answers a handful at once and lets the others wait.
    concurrency: 4,
    requestMs: HTTP_REQUEST_MS,
    scores: { general: 0.8, reasoning: 0.8, summarization: 0.8 },
  }),
];

/** Whether a provider of that profile at that address (as written, null for none) takes batches. */
export function takesBatches(profile: BackendProfile, baseUrl: string | null): boolean {
  if (!BACKEND_KIND_FACTS[profile.kind].knowsBatches || profile.batch === "none") return false;
  if (profile.batch === "any-address") return true;
  const own = [...profile.hosts, ...(profile.baseUrl === null ? [] : [hostOf(profile.baseUrl)])];
  const host = hostOf(baseUrl ?? "");
  return own.some((known) => known !== "" && isHostOrBelow(host, known));
}

function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).hostname : "";
}

function isHostOrBelow(host: string, known: string): boolean {
  return host === known || host.endsWith(`.${known}`);
}

/** What a provider without a better one is spoken to with. */
const USUAL_PROFILE = "openai-chat";

/** Every profile: the built-in ones as the document changes them, and those it adds (which name their kind), in that order. */
export function profilesOf(document: ConfigDocument): Map<string, BackendProfile> {
  const profiles = new Map(BUILT_IN_PROFILES.map((profile) => [profile.name, profile]));
  for (const [name, change] of Object.entries(document.profiles ?? {})) {
    const known = profiles.get(name);
    const kind = change.kind ?? known?.kind;
    if (!kind) continue;
    const base = known && known.kind === kind ? known : { ...row({ name, kind, description: `Profile ${name}.`, scores: {} }) };
    profiles.set(name, { ...changed(base, change), name, kind, origin: known ? "changed" : "added" });
  }
  return profiles;
}

function changed(base: BackendProfile, change: ProfileConfig): BackendProfile {
  const { timeouts, tokenizer, description, baseUrl, defaultModel, concurrency, scores, contextWindow, batch } = change;
  return {
    ...base,
    ...(description === undefined ? {} : { description }),
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(defaultModel === undefined ? {} : { defaultModel }),
    ...(concurrency === undefined ? {} : { concurrency }),
    ...(contextWindow === undefined ? {} : { contextWindow }),
    // Who says it of a profile says it of every address that uses it.
    ...(batch === undefined ? {} : { batch: batch ? "any-address" : "none" }),
    ...timeouts,
    // Who names a tokenizer vouches for it.
    ...(tokenizer === undefined ? {} : { tokenizer, tokenizerIsEstimate: false }),
    scores: { ...base.scores, ...scores },
  };
}

/** The profile a provider uses: the named one, the one of its name, the one that knows its host, else `openai-chat`. Null = the named one does not exist. */
export function profileNameOf(
  provider: { name: string; profile?: string; baseUrl?: string },
  profiles: ReadonlyMap<string, BackendProfile>,
): string | null {
  if (provider.profile !== undefined) return profiles.has(provider.profile) ? provider.profile : null;
  if (profiles.has(provider.name)) return provider.name;
  const host = hostOf(provider.baseUrl ?? "");
  for (const profile of profiles.values()) {
    if (profile.hosts.some((known) => isHostOrBelow(host, known))) return profile.name;
  }
  return USUAL_PROFILE;
}
