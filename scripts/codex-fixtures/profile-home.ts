/** The folders and the configuration of one profile for a recording: what the real CLI reads when it starts. */
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";

export const MODEL = "deepseek-flash";
export const KEY_VARIABLE = "SWITCHYARD_PROFILE_KEY";

export interface ProfileOptions {
  baseUrl: string;
  /** Null: the variable is not set. */
  key: string | null;
  /** Repeats of a request that was refused or lost; the product's own value unless a recording is about them. */
  requestRetries?: number;
  streamRetries?: number;
  /** Milliseconds of silence in a stream until the CLI gives up. */
  idleTimeoutMs?: number;
  features?: Readonly<Record<string, boolean>>;
  /** The last word about config.toml, for recordings of a configuration that is refused. */
  edit?: (config: string) => string;
}

export interface ProfileHome {
  codexHome: string;
  workspace: string;
  home: string;
  temporary: string;
  /** Everything the CLI is told of its surroundings. */
  environment: Readonly<Record<string, string>>;
}

/** Makes the folders below `root`. TMPDIR is one of them: the CLI complains about a home inside it. */
export async function makeProfileHome(root: string, options: ProfileOptions): Promise<ProfileHome> {
  const [codexHome, workspace, home, temporary] = ["codex-home", "workspace", "home", "temporary"].map((name) =>
    path.join(root, name),
  ) as [string, string, string, string]; // as many as there are names
  for (const folder of [codexHome, workspace, home, temporary]) await mkdir(folder, { recursive: true, mode: 0o700 });
  const catalog = path.join(codexHome, "models.json");
  await writeFile(catalog, JSON.stringify({ models: [catalogEntry()] }));
  const config = configText(catalog, options);
  await writeFile(path.join(codexHome, "config.toml"), options.edit ? options.edit(config) : config);
  const environment = {
    PATH: "/usr/local/bin:/usr/bin:/bin",
    HOME: home,
    CODEX_HOME: codexHome,
    TMPDIR: temporary,
    ...(options.key === null ? {} : { [KEY_VARIABLE]: options.key }),
  };
  return { codexHome, workspace, home, temporary, environment };
}

function configText(catalog: string, options: ProfileOptions): string {
  const features = {
    unbounded_connection_retries: false,
    shell_snapshot: false,
    plugins: false,
    apps: false,
    goals: false,
    hooks: false,
    memories: false,
    image_generation: false,
    api_key_model_discovery: false,
    daemon_auto_start: false,
    in_app_updates: false,
    browser_use: false,
    computer_use: false,
    ...options.features,
  };
  return `model = "${MODEL}"
model_provider = "profile"
model_catalog_json = ${JSON.stringify(catalog)}
approval_policy = "never"
sandbox_mode = "read-only"
web_search = "disabled"
check_for_update_on_startup = false
allow_login_shell = false

[model_providers.profile]
name = "Profile"
base_url = "${options.baseUrl}"
env_key = "${KEY_VARIABLE}"
wire_api = "responses"
supports_websockets = false
request_max_retries = ${options.requestRetries ?? 1}
stream_max_retries = ${options.streamRetries ?? 0}
stream_idle_timeout_ms = ${options.idleTimeoutMs ?? 120_000}

[analytics]
enabled = false
[feedback]
enabled = false
[history]
persistence = "none"
[features]
${Object.entries(features)
  .map(([name, isOn]) => `${name} = ${isOn}`)
  .join("\n")}
[agents]
enabled = false
[skills]
include_instructions = false
[skills.bundled]
enabled = false
[shell_environment_policy]
inherit = "core"
ignore_default_excludes = false
exclude = ["*_KEY", "*_TOKEN", "*_SECRET", "CODEX_*"]
`;
}

/** What the CLI insists on, and what makes it offer apply_patch. */
function catalogEntry(): Record<string, unknown> {
  return {
    slug: MODEL,
    display_name: MODEL,
    supported_reasoning_levels: [],
    shell_type: "unified_exec",
    visibility: "list",
    supported_in_api: true,
    priority: 1,
    support_verbosity: false,
    apply_patch_tool_type: "freeform",
    truncation_policy: { mode: "tokens", limit: 10_000 },
    context_window: 128_000,
    experimental_supported_tools: [],
    base_instructions: "You are a coding agent.",
  };
}
