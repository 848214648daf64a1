import { describe, expect, it } from "vitest";
import { type CodexConfig, configToml, isKnownToCodex, KEY_VARIABLE, modelCatalog, TOOLLESS_FEATURES } from "./config-files";

const CONFIG: CodexConfig = {
  providerName: "deepseek",
  baseUrl: "https://api.deepseek.com",
  model: "deepseek-flash",
  streamIdleMs: 120_000,
  contextWindow: 128_000,
  catalogPath: "/homes/deepseek/models.json",
};

/** Tables of names and values in the part of TOML that is JSON as well: strings, numbers, booleans and lists of one line. */
function parseToml(text: string): Record<string, Record<string, unknown>> {
  const tables: Record<string, Record<string, unknown>> = { "": {} };
  let table = "";
  for (const line of text.split("\n")) {
    if (line === "" || line.startsWith("#")) continue;
    const header = /^\[([\w.]+)\]$/.exec(line)?.[1];
    if (header !== undefined) {
      expect(tables[header], `${header} is there once`).toBeUndefined();
      table = header;
      tables[table] = {};
      continue;
    }
    const [, name, value] = /^(\w+) = (.+)$/.exec(line) ?? [];
    if (name === undefined || value === undefined) throw new Error(`no line of TOML: ${line}`);
    expect(tables[table]?.[name], `${table}.${name} is there once`).toBeUndefined();
    Object.assign(tables[table] ?? {}, { [name]: JSON.parse(value) });
  }
  return tables;
}

describe("config.toml", () => {
  it("says all that was measured to matter", () => {
    expect(parseToml(configToml(CONFIG))).toEqual({
      "": {
        model: "deepseek-flash",
        model_provider: "profile",
        model_catalog_json: "/homes/deepseek/models.json",
        approval_policy: "never",
        sandbox_mode: "read-only",
        web_search: "disabled",
        check_for_update_on_startup: false,
        allow_login_shell: false,
      },
      "model_providers.profile": {
        name: "deepseek",
        base_url: "https://api.deepseek.com",
        env_key: KEY_VARIABLE,
        wire_api: "responses",
        supports_websockets: false,
        request_max_retries: 0,
        stream_max_retries: 0,
        stream_idle_timeout_ms: 120_000,
      },
      analytics: { enabled: false },
      feedback: { enabled: false },
      history: { persistence: "none" },
      features: {
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
      },
      agents: { enabled: false },
      skills: { include_instructions: false },
      "skills.bundled": { enabled: false },
      shell_environment_policy: {
        inherit: "core",
        ignore_default_excludes: false,
        exclude: ["*_KEY", "*_TOKEN", "*_SECRET", "*_PASSWORD", "CODEX_*", "SWITCHYARD_*"],
      },
    });
  });

  it("names no catalog for models that Codex knows itself", () => {
    expect(parseToml(configToml({ ...CONFIG, catalogPath: null }))[""]).not.toHaveProperty("model_catalog_json");
  });

  it.each([
    'quote " and \\ backslash',
    "line\nbreak\tand\u0000zero",
    'x"\n[model_providers.evil]\nbase_url = "http://evil',
    "漢字 😀 '''",
    "$HOME $(id)",
  ])("keeps to its lines whatever a name holds: %j", (text) => {
    const told = parseToml(configToml({ ...CONFIG, providerName: text, model: text, baseUrl: text, catalogPath: text }));
    const plain = text.replace(/\p{Cc}/gu, " ");
    expect(Object.keys(told)).toHaveLength(10);
    expect([told[""]?.model, told[""]?.model_catalog_json]).toEqual([plain, plain]);
    expect(told["model_providers.profile"]).toMatchObject({ name: plain, base_url: plain });
  });

  it("keeps the variable of the key out of the model's shell by two rules", () => {
    expect(KEY_VARIABLE).toMatch(/^SWITCHYARD_.*_KEY$/);
  });
});

it.each([
  ["https://api.openai.com/v1", true],
  ["https://api.openai.com", true],
  ["https://api.openai.com.evil.example/v1", false],
  ["https://eu.api.openai.com/v1", false],
  ["https://api.deepseek.com", false],
  ["not an address", false],
])("%s has models that Codex knows: %s", (baseUrl, isKnown) => {
  expect(isKnownToCodex(baseUrl)).toBe(isKnown);
});

it("the catalog tells what the model can do", () => {
  const { models } = JSON.parse(modelCatalog('MiniMax-"M3"', 200_000));
  expect(models).toHaveLength(1);
  expect(models[0]).toMatchObject({
    slug: 'MiniMax-"M3"',
    context_window: 200_000,
    max_context_window: 200_000,
    apply_patch_tool_type: "freeform",
    shell_type: "unified_exec",
    input_modalities: ["text"],
    supported_in_api: true,
  });
  expect(models[0].base_instructions).toMatch(/^You are a careful coding agent\./);
});

it("a chunk has neither shell nor other tools", () => {
  expect(TOOLLESS_FEATURES).toEqual({
    "features.shell_tool": false,
    "features.unified_exec": false,
    "features.view_image": false,
    "features.sleep_tool": false,
    "features.tool_suggest": false,
    "features.multi_agent": false,
  });
});
