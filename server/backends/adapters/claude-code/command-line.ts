/** Arguments, environment and input of one Claude Code process. Pure. Each setting was measured with 2.1.332 against a scripted upstream. */
import type { Turn } from "@/server/backends/backend";
import type { ProviderAccess } from "@/server/backends/provider-access";
import type { Secret } from "@/server/shared/secret";

/** Folders and files of one process. */
export interface ProcessPlace {
  /** HOME. */
  home: string;
  /** CLAUDE_CONFIG_DIR. */
  config: string;
  /** TMPDIR. */
  temporary: string;
  /** Where the system text is, which would be shown to everybody on this machine among the arguments. */
  systemFile: string;
}

/** What `claude setup-token` gives: a subscription's token, which is passed another way and not taken in the bare mode. */
const SUBSCRIPTION_TOKEN = /^sk-ant-oat\d*-/;

export function isSubscription(key: Secret): boolean {
  return SUBSCRIPTION_TOKEN.test(key.expose());
}

/**
 * No tools, no servers, no commands, no session; one turn, so that it does not ask its model again. `schema`: the form of the answer
 * as JSON Schema, or null.
 */
export function argumentsOf(
  turn: Pick<Turn, "model">,
  { key, schema, systemFile }: { key: Secret; schema: Record<string, unknown> | null; systemFile: string },
): string[] {
  return [
    "--print",
    "--output-format",
    "stream-json",
    "--verbose",
    "--include-partial-messages",
    "--model",
    turn.model,
    "--system-prompt-file",
    systemFile,
    "--tools",
    "",
    "--strict-mcp-config",
    "--no-session-persistence",
    "--disable-slash-commands",
    "--max-turns",
    "1",
    ...(isSubscription(key) ? [] : ["--bare"]),
    ...(schema === null ? [] : ["--json-schema", JSON.stringify(schema)]),
  ];
}

/** A text that begins with a slash would be taken for a command, answered by the program itself. */
export function inputOf(turn: Pick<Turn, "user">): string {
  return `Input:\n${turn.user}`;
}

/** One request, sent once, and nothing of this machine in it. */
const SINGLE_REQUEST = {
  CLAUDE_CODE_MAX_RETRIES: "0",
  MAX_STRUCTURED_OUTPUT_RETRIES: "0",
  CLAUDE_CODE_DISABLE_NONSTREAMING_FALLBACK: "1",
  CLAUDE_CODE_DISABLE_REFUSAL_RETRY: "1",
  CLAUDE_CODE_DISABLE_REFUSAL_FALLBACK: "1",
  CLAUDE_CODE_NO_MODEL_FALLBACK: "1",
  // A request with experimental fields is sent up to twice more when it is refused, with fewer of them.
  CLAUDE_CODE_DISABLE_EXPERIMENTAL_BETAS: "1",
  // Extraction needs none, and it is paid for.
  CLAUDE_CODE_DISABLE_THINKING: "1",
  MAX_THINKING_TOKENS: "0",
  // Outside the bare mode "@/path" in a text has that file read and sent along.
  CLAUDE_CODE_DISABLE_ATTACHMENTS: "1",
  CLAUDE_CODE_DISABLE_FILE_MENTIONS: "1",
  CLAUDE_CODE_DISABLE_CLAUDE_MDS: "1",
  CLAUDE_CODE_DISABLE_AUTO_MEMORY: "1",
  CLAUDE_CODE_DISABLE_BUNDLED_SKILLS: "1",
  CLAUDE_CODE_ATTRIBUTION_HEADER: "0",
} as const;

const QUIET = {
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  DISABLE_AUTOUPDATER: "1",
  DISABLE_TELEMETRY: "1",
  DISABLE_ERROR_REPORTING: "1",
} as const;

/** The whole environment: the variables of the host, the folders, the settings and the one key. */
export function environmentOf(
  turn: Pick<Turn, "generation" | "timeoutMs"> & Pick<ProviderAccess, "baseUrl">,
  {
    key,
    place,
    idleMs,
    hostEnv,
  }: { key: Secret; place: ProcessPlace; idleMs: number; hostEnv: Readonly<Record<string, string>> },
): Record<string, string> {
  const { maxTokens } = turn.generation;
  const idle = String(Math.ceil(idleMs));
  return {
    ...hostEnv,
    HOME: place.home,
    CLAUDE_CONFIG_DIR: place.config,
    TMPDIR: place.temporary,
    ...QUIET,
    ...SINGLE_REQUEST,
    // Bounds the wait for an answer's beginning; of the watches only that on bytes ends a stream which fell silent.
    API_TIMEOUT_MS: String(Math.ceil(turn.timeoutMs)),
    CLAUDE_ENABLE_STREAM_WATCHDOG: "1",
    CLAUDE_STREAM_IDLE_TIMEOUT_MS: idle,
    CLAUDE_ENABLE_BYTE_WATCHDOG: "1",
    CLAUDE_BYTE_STREAM_IDLE_TIMEOUT_MS: idle,
    ...(maxTokens === undefined ? {} : { CLAUDE_CODE_MAX_OUTPUT_TOKENS: String(maxTokens) }),
    ...(turn.baseUrl === null ? {} : { ANTHROPIC_BASE_URL: rootOf(turn.baseUrl) }),
    [isSubscription(key) ? "CLAUDE_CODE_OAUTH_TOKEN" : "ANTHROPIC_API_KEY"]: key.expose(),
  };
}

/** Addresses are given up to `/v1`, which this program adds by itself. */
function rootOf(baseUrl: string): string {
  return baseUrl.replace(/\/+$/, "").replace(/\/v1$/, "");
}
