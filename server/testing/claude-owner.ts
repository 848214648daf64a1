/** A process that owns one of Claude Code and is there to be killed: begins one turn. */
import { createBackend } from "@/server/backends/adapter-table";
import { childEnvironment } from "@/server/env";
import { Secret } from "@/server/shared/secret";
import { buildSettings, usualModel } from "./build-settings";

export interface ClaudeOwnerOrder {
  program: string;
  homesFolder: string;
  baseUrl: string;
  key: string;
  timeoutMs: number;
}

// Written by the test that starts this.
const order = JSON.parse(process.argv[2] ?? "") as ClaudeOwnerOrder;
const backend = createBackend(
  buildSettings("claude-code", { baseUrl: order.baseUrl, secretRefs: { apiKey: "env:CLAUDE_KEY" } }),
  { homesFolder: order.homesFolder, programs: { claude: order.program }, childEnv: childEnvironment() },
);
await backend.runTurn(
  {
    baseUrl: order.baseUrl,
    secrets: { apiKey: new Secret(order.key, "env:CLAUDE_KEY") },
    requestId: "owned",
    model: usualModel("claude-code"),
    system: "",
    user: "owned",
    expect: { format: "json", schema: {} },
    generation: {},
    timeoutMs: order.timeoutMs,
  },
  { event: () => undefined, progress: () => undefined },
  new AbortController().signal,
);
