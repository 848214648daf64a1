/** A process that owns an app-server and is there to be killed: runs one agent turn and prints its events, one JSON a line. */
import { createBackend } from "@/server/backends/adapter-table";
import { childEnvironment } from "@/server/env";
import { Secret } from "@/server/shared/secret";
import { buildSettings } from "./build-settings";

export interface OwnerOrder {
  program: string;
  homesFolder: string;
  workspace: string;
  baseUrl: string;
  model: string;
  key: string;
  prompt: string;
}

// Written by startOwner.
const order = JSON.parse(process.argv[2] ?? "") as OwnerOrder;
const settings = buildSettings("deepseek", { baseUrl: order.baseUrl, secretRefs: { apiKey: "env:PROFILE_KEY" } });
const { agent } = createBackend(settings, {
  homesFolder: order.homesFolder,
  programs: { codex: order.program },
  childEnv: childEnvironment(),
});
if (!agent) throw new Error("Codex works as an agent");
const { workspace } = order;
const context = await agent.prepare(
  {
    runId: "owned",
    image: { kind: settings.kind, command: null },
    profile: { profile: settings.name },
    model: order.model,
    workspace,
    threadId: null,
    policy: {
      workspace,
      network: false,
      approval: "never",
      sandbox: "workspace-write",
      timeoutMs: 60_000,
      approvalMs: 10_000,
      secretScope: { providerCredentials: [] },
    },
  },
  { commandId: "owned-command", prompt: order.prompt },
  { baseUrl: order.baseUrl, secrets: { apiKey: new Secret(order.key, "env:PROFILE_KEY") } },
  { ask: async () => "decline", progress: () => undefined, late: () => undefined, processEnded: () => undefined },
  new AbortController().signal,
);
for await (const event of agent.startTurn(context)) process.stdout.write(`${JSON.stringify(event)}\n`);
