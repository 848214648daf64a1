/**
 * config.toml and the model catalog of one profile, generated. Both hold names and addresses, never a key: the variable of the
 * password is named with which Codex reaches the relay that has the key. Measured with codex-cli 0.171.0 under --strict-config.
 */

/** The one secret variable of the process; `*_KEY` keeps it out of the model's shell. */
export const KEY_VARIABLE = "SWITCHYARD_PROFILE_KEY";

const PROVIDER_ID = "profile";

export interface CodexConfig {
  providerName: string;
  baseUrl: string;
  model: string;
  /** Milliseconds of silence in the upstream's stream before Codex gives up; our own watch is a little longer. */
  streamIdleMs: number;
  contextWindow: number;
  /** Null when Codex knows the model itself. */
  catalogPath: string | null;
}

/** OpenAI's own models come with the program, with better instructions than ours. */
export function isKnownToCodex(baseUrl: string): boolean {
  return URL.canParse(baseUrl) && new URL(baseUrl).hostname === "api.openai.com";
}

/** For the command line: the address in place of the one in the file. */
export function baseUrlSetting(baseUrl: string): string {
  return `model_providers.${PROVIDER_ID}.base_url=${quoted(baseUrl)}`;
}

export function configToml(config: CodexConfig): string {
  return `model = ${quoted(config.model)}
model_provider = "${PROVIDER_ID}"
${config.catalogPath === null ? "" : `model_catalog_json = ${quoted(config.catalogPath)}\n`}approval_policy = "never"
sandbox_mode = "read-only"
web_search = "disabled"
check_for_update_on_startup = false
allow_login_shell = false

[model_providers.${PROVIDER_ID}]
name = ${quoted(config.providerName)}
base_url = ${quoted(config.baseUrl)}
env_key = "${KEY_VARIABLE}"
wire_api = "responses"
supports_websockets = false
# One attempt is one real request: what is tried again is decided outside.
request_max_retries = 0
stream_max_retries = 0
stream_idle_timeout_ms = ${config.streamIdleMs}

[analytics]
enabled = false
[feedback]
enabled = false
[history]
persistence = "none"
[features]
${OFF.map((feature) => `${feature} = false`).join("\n")}
[agents]
enabled = false
[skills]
include_instructions = false
[skills.bundled]
enabled = false
[shell_environment_policy]
inherit = "core"
ignore_default_excludes = false
exclude = ["*_KEY", "*_TOKEN", "*_SECRET", "*_PASSWORD", "CODEX_*", "SWITCHYARD_*"]
`;
}

/** What would call elsewhere, write keys to disk, retry for ever, or send tools that other providers refuse. */
const OFF = [
  "unbounded_connection_retries",
  "shell_snapshot",
  "plugins",
  "apps",
  "goals",
  "hooks",
  "memories",
  "image_generation",
  "api_key_model_discovery",
  "daemon_auto_start",
  "in_app_updates",
  "browser_use",
  "computer_use",
] as const;

/** Without a shell and without pictures: for chunks, whose text nobody vouches for. */
export const TOOLLESS_FEATURES: Readonly<Record<string, boolean>> = {
  "features.shell_tool": false,
  "features.unified_exec": false,
  "features.view_image": false,
  "features.sleep_tool": false,
  "features.tool_suggest": false,
  "features.multi_agent": false,
};

const INSTRUCTIONS =
  "You are a careful coding agent. You share one workspace with the user: read before you change, keep changes small, " +
  "verify them with the means at hand, and end with a short, honest account of what you did and what you could not do.";

/** The catalog that tells Codex what the model can do; without it the model is treated as unknown, and patches are not offered. */
export function modelCatalog(model: string, contextWindow: number): string {
  return JSON.stringify(
    {
      models: [
        {
          slug: model,
          display_name: model,
          description: model,
          default_reasoning_level: "medium",
          supported_reasoning_levels: ["low", "medium", "high"].map((effort) => ({ effort, description: effort })),
          shell_type: "unified_exec",
          visibility: "list",
          supported_in_api: true,
          priority: 1,
          support_verbosity: false,
          apply_patch_tool_type: "freeform",
          truncation_policy: { mode: "tokens", limit: 10_000 },
          context_window: contextWindow,
          max_context_window: contextWindow,
          experimental_supported_tools: [],
          input_modalities: ["text"],
          base_instructions: INSTRUCTIONS,
        },
      ],
    },
    null,
    2,
  );
}

/** A basic TOML string: JSON's escapes are TOML's, apart from the control characters that neither a name nor an address holds. */
function quoted(text: string): string {
  return JSON.stringify(text.replace(/\p{Cc}/gu, " "));
}
