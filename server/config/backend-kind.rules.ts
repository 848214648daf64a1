/** How to talk to a runtime. A kind is code (an adapter); what differs between two servers of a kind is a profile, which is data. */

interface BackendKindFacts {
  /** The wire protocol, as clients of `GET /api/v1/backends` know it. */
  protocol: string;
  transport: "in-process" | "stdio" | "http" | "websocket";
  /** What is started for it, or null. */
  command: string | null;
  /** True when a profile of this kind needs a base URL. */
  needsBaseUrl: boolean;
  /** True when profiles of this kind are chosen exactly: no strategy, and no fallback between them. */
  chosenExactly: boolean;
  /** True when the adapter can hand in many requests as one job (submit, poll, collect); whether a server takes them its profile says. */
  knowsBatches: boolean;
  /** True for runtimes that work as agents: threads with a workspace, tools and approvals. */
  worksAsAgent: boolean;
  /** False for runtimes that cannot be told how long an answer may be. */
  takesOutputLimit: boolean;
}

export const BACKEND_KIND_FACTS = {
  extractive: {
    protocol: "none",
    transport: "in-process",
    command: null,
    needsBaseUrl: false,
    chosenExactly: false,
    knowsBatches: false,
    worksAsAgent: false,
    takesOutputLimit: false,
  },
  mock: {
    protocol: "none",
    transport: "in-process",
    command: null,
    needsBaseUrl: false,
    chosenExactly: false,
    knowsBatches: false,
    worksAsAgent: false,
    takesOutputLimit: true,
  },
  "openai-chat": {
    protocol: "openai-chat-completions-sse",
    transport: "http",
    command: null,
    needsBaseUrl: true,
    chosenExactly: false,
    knowsBatches: true,
    worksAsAgent: false,
    takesOutputLimit: true,
  },
  "openai-responses": {
    protocol: "openai-responses-sse",
    transport: "http",
    command: null,
    needsBaseUrl: true,
    chosenExactly: false,
    knowsBatches: true,
    worksAsAgent: false,
    takesOutputLimit: true,
  },
  "anthropic-messages": {
    protocol: "anthropic-messages-sse",
    transport: "http",
    command: null,
    needsBaseUrl: true,
    chosenExactly: false,
    knowsBatches: true,
    worksAsAgent: false,
    takesOutputLimit: true,
  },
  "codex-app-server-stdio": {
    protocol: "codex-app-server-jsonrpc-stdio",
    transport: "stdio",
    command: "codex app-server --listen stdio://",
    needsBaseUrl: false,
    chosenExactly: true,
    knowsBatches: false,
    worksAsAgent: true,
    takesOutputLimit: false,
  },
  "claude-code-cli": {
    protocol: "claude-code-stream-json",
    transport: "stdio",
    command: "claude --print --output-format stream-json",
    needsBaseUrl: false,
    chosenExactly: false,
    knowsBatches: false,
    worksAsAgent: false,
    takesOutputLimit: true,
  },
  "openclaw-gateway": {
    protocol: "openclaw-gateway-websocket",
    transport: "websocket",
    command: null,
    needsBaseUrl: true,
    chosenExactly: false,
    knowsBatches: false,
    worksAsAgent: false,
    takesOutputLimit: false,
  },
} as const satisfies Record<string, BackendKindFacts>;

export type BackendKind = keyof typeof BACKEND_KIND_FACTS;
// Object.keys gives the keys of the literal above.
export const BACKEND_KINDS = Object.keys(BACKEND_KIND_FACTS) as [BackendKind, ...BackendKind[]];

/** Runtimes behind an address may ask for a key even where no profile demands one; those of this server never do. */
export function mayTakeKey(kind: BackendKind): boolean {
  return BACKEND_KIND_FACTS[kind].needsBaseUrl;
}
