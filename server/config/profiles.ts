/** The profiles that exist without any set-up, and the one that two environment variables add. */
import type { Env } from "@/server/env";
import type { Profile } from "./profile.schema";

const EXTRACTIVE: Profile = {
  name: "extractive",
  kind: "extractive",
  description: "Picks the telling sentences of the text itself. No key, no network, no model.",
  defaultModel: "extractive-1",
  secretRefs: {},
  concurrency: 64,
  timeoutMs: 60_000,
  tokenizer: "pieces",
  tokenizerIsEstimate: false,
};

const MOCK: Profile = {
  name: "mock",
  kind: "mock",
  description: "Answers from a script in the text, failures included. For trying things out and for tests.",
  defaultModel: "mock-1",
  secretRefs: {},
  concurrency: 64,
  timeoutMs: 60_000,
  tokenizer: "mock-4-chars",
  tokenizerIsEstimate: false,
};

const MINIMAX_HOSTS = ["api.minimax.io", "api.minimaxi.com"];
/** The model asked for when LLM_MODEL is unset and the host is known. */
const MODEL_BY_HOST: Readonly<Record<string, string>> = {
  "api.minimax.io": "MiniMax-M2",
  "api.minimaxi.com": "MiniMax-M2",
  "api.openai.com": "gpt-4o-mini",
  "api.deepseek.com": "deepseek-v4-flash",
  "openrouter.ai": "openrouter/auto",
};
/** For any other host: an honest placeholder that servers with one model take, and that others refuse by name. */
const UNKNOWN_HOST_MODEL = "default";

/** Thinking models take minutes for a chunk. */
const HTTP_TIMEOUT_MS = 300_000;

/** Every profile this environment has. A half-made HTTP profile is absent; `profileProblems` says why. */
export function builtInProfiles(env: Env): Profile[] {
  const http = httpProfile(env);
  return http && "profile" in http ? [EXTRACTIVE, MOCK, http.profile] : [EXTRACTIVE, MOCK];
}

/** The profile a run gets when it names none: the HTTP one when there is one, else the one that needs nothing. */
export function defaultProfileName(env: Env): string {
  const http = httpProfile(env);
  return http && "profile" in http ? http.profile.name : EXTRACTIVE.name;
}

/** One sentence for each thing that keeps a profile from being there or deserves a look; empty when all is well. */
export function profileProblems(env: Env): string[] {
  const http = httpProfile(env);
  if (!http) return [];
  return "problem" in http ? [http.problem] : http.warnings;
}

function httpProfile(env: Env): { profile: Profile; warnings: string[] } | { problem: string } | null {
  const { LLM_API_URL: url, LLM_API_KEY: key } = env;
  if (url === undefined && key === undefined) return null;
  if (url === undefined)
    return {
      problem:
        "LLM_API_KEY is set but LLM_API_URL is not, so no HTTP profile exists. Set LLM_API_URL to the base of the API, up to /v1.",
    };
  const base = parseBaseUrl(url);
  if (typeof base === "string") return { problem: base };
  if (key === undefined)
    return {
      problem: "LLM_API_URL is set but LLM_API_KEY is not, so no HTTP profile exists. Set LLM_API_KEY to the key of that API.",
    };
  const host = base.hostname.toLowerCase();
  const isMiniMax = MINIMAX_HOSTS.some((known) => isHostOrSubdomain(host, known));
  const warnings =
    base.protocol === "http:" && !isPrivateHost(host)
      ? [`LLM_API_URL sends the key to ${host} without encryption. Use https:// unless this is meant.`]
      : [];
  return {
    warnings,
    profile: {
      name: isMiniMax ? "minimax-api" : "llm-api",
      kind: "openai-chat",
      description: isMiniMax ? "MiniMax over its OpenAI-compatible API." : `The OpenAI-compatible API at ${base.host}.`,
      defaultModel: env.LLM_MODEL ?? modelForHost(host),
      baseUrl: `${base.origin}${base.pathname.replace(/\/+$/, "")}`,
      secretRefs: { apiKey: "env:LLM_API_KEY" },
      concurrency: env.LLM_CONCURRENCY,
      timeoutMs: HTTP_TIMEOUT_MS,
      tokenizer: "o200k",
      tokenizerIsEstimate: !isHostOrSubdomain(host, "api.openai.com"),
    },
  };
}

/** The address, or the sentence that says what is wrong with it. The sentence never repeats it: it may hold a key. */
function parseBaseUrl(text: string): URL | string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || (url.protocol !== "http:" && url.protocol !== "https:"))
    return "LLM_API_URL is not an http:// or https:// address, so no HTTP profile exists.";
  if (url.username !== "" || url.password !== "")
    return "LLM_API_URL holds a user name or password. Put the key into LLM_API_KEY and leave the address without it.";
  if (url.search !== "" || url.hash !== "")
    return "LLM_API_URL holds a query or a fragment (? or #). Give the base of the API only, up to /v1, and put the key into LLM_API_KEY.";
  return url;
}

function modelForHost(host: string): string {
  const known = Object.keys(MODEL_BY_HOST).find((name) => isHostOrSubdomain(host, name));
  // Found among the keys just above.
  return known === undefined ? UNKNOWN_HOST_MODEL : (MODEL_BY_HOST[known] ?? UNKNOWN_HOST_MODEL);
}

function isHostOrSubdomain(host: string, name: string): boolean {
  return host === name || host.endsWith(`.${name}`);
}

function isPrivateHost(host: string): boolean {
  return (
    host === "localhost" ||
    host === "[::1]" ||
    /\.(?:local|internal|localhost)$/.test(host) ||
    !host.includes(".") ||
    /^(?:127\.|10\.|192\.168\.|169\.254\.|172\.(?:1[6-9]|2\d|3[01])\.)/.test(host) ||
    /^\[f[cd]/.test(host)
  );
}
