import { expect, it } from "vitest";
import { Secret } from "@/server/shared/secret";
import { argumentsOf, environmentOf, inputOf } from "./command-line";

const KEY = new Secret("sk-ant-api03-canary", "env:K");
const TOKEN = new Secret("sk-ant-oat01-canary", "env:K");
const PLACE = { home: "/h", config: "/c", temporary: "/t", systemFile: "/s/system.txt" };
const TURN = { generation: {}, timeoutMs: 90_000.4, baseUrl: null };
const OPTIONS = { key: KEY, place: PLACE, idleMs: 60_000, hostEnv: { PATH: "/bin", LANG: "C" } };

it("asks for one turn without tools, servers, commands and session", () => {
  expect(argumentsOf({ model: "claude-x" }, { key: KEY, schema: null, systemFile: "/s/system.txt" }).join(" ")).toBe(
    "--print --output-format stream-json --verbose --include-partial-messages --model claude-x --system-prompt-file /s/system.txt --tools  --strict-mcp-config --no-session-persistence --disable-slash-commands --max-turns 1 --bare",
  );
});

it("gives a schema along, and leaves the bare mode to keys, which takes no subscription", () => {
  const schema = { type: "object" };
  expect(argumentsOf({ model: "x" }, { key: KEY, schema, systemFile: "/s" }).slice(-3)).toEqual([
    "--bare",
    "--json-schema",
    '{"type":"object"}',
  ]);
  expect(argumentsOf({ model: "x" }, { key: TOKEN, schema: null, systemFile: "/s" })).not.toContain("--bare");
});

it.each(["/help", "plain", ""])("no text is taken for a command: %j", (user) => {
  expect(inputOf({ user })).toBe(`Input:\n${user}`);
});

it("is the host's environment, the folders, the settings and the key, and nothing else", () => {
  expect(environmentOf(TURN, OPTIONS)).toEqual({
    PATH: "/bin",
    LANG: "C",
    HOME: "/h",
    CLAUDE_CONFIG_DIR: "/c",
    TMPDIR: "/t",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
    DISABLE_TELEMETRY: "1",
    DISABLE_ERROR_REPORTING: "1",
    CLAUDE_CODE_MAX_RETRIES: "0",
    MAX_STRUCTURED_OUTPUT_RETRIES: "0",
    CLAUDE_CODE_DISABLE_NONSTREAMING_FALLBACK: "1",
    CLAUDE_CODE_DISABLE_REFUSAL_RETRY: "1",
    CLAUDE_CODE_DISABLE_REFUSAL_FALLBACK: "1",
    CLAUDE_CODE_NO_MODEL_FALLBACK: "1",
    CLAUDE_CODE_DISABLE_EXPERIMENTAL_BETAS: "1",
    CLAUDE_CODE_DISABLE_THINKING: "1",
    MAX_THINKING_TOKENS: "0",
    CLAUDE_CODE_DISABLE_ATTACHMENTS: "1",
    CLAUDE_CODE_DISABLE_FILE_MENTIONS: "1",
    CLAUDE_CODE_DISABLE_CLAUDE_MDS: "1",
    CLAUDE_CODE_DISABLE_AUTO_MEMORY: "1",
    CLAUDE_CODE_DISABLE_BUNDLED_SKILLS: "1",
    CLAUDE_CODE_ATTRIBUTION_HEADER: "0",
    API_TIMEOUT_MS: "90001",
    CLAUDE_ENABLE_STREAM_WATCHDOG: "1",
    CLAUDE_STREAM_IDLE_TIMEOUT_MS: "60000",
    CLAUDE_ENABLE_BYTE_WATCHDOG: "1",
    CLAUDE_BYTE_STREAM_IDLE_TIMEOUT_MS: "60000",
    ANTHROPIC_API_KEY: "sk-ant-api03-canary",
  });
});

it("passes a limit, an address without its /v1, and a subscription's token on", () => {
  const { ANTHROPIC_API_KEY, ...environment } = environmentOf(
    { ...TURN, generation: { maxTokens: 512 }, baseUrl: "https://llm.test/claude/v1/" },
    { ...OPTIONS, key: TOKEN },
  );
  expect(ANTHROPIC_API_KEY).toBeUndefined();
  expect(environment).toMatchObject({
    CLAUDE_CODE_MAX_OUTPUT_TOKENS: "512",
    ANTHROPIC_BASE_URL: "https://llm.test/claude",
    CLAUDE_CODE_OAUTH_TOKEN: "sk-ant-oat01-canary",
  });
});
