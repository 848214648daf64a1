import { usualModel } from "@/components/run-actions/model-choice";
import { BACKEND_KIND_FACTS } from "@/server/config/backend-kind.rules";
import { AGENT_TIME, isWithinSandbox, LONGEST_AGENT_PROMPT } from "@/server/config/execution-policy.rules";
import { AGENT_WORKFLOW } from "@/server/runs/agent-run.rules";
import type { CreateAgentRun } from "@/server/runs/agent-run.schema";
import type { ConfigEvaluation, ProviderRow } from "@/server/runs/config-view.schema";
import { type AgentDraft, millisecondsOf } from "./agent-draft";

/** Providers whose runtime works as an agent, and whether the configuration lets them. */
export function agentProviders({ providers, agents }: ConfigEvaluation): { provider: ProviderRow; isAllowed: boolean }[] {
  return providers
    .filter(({ kind }) => BACKEND_KIND_FACTS[kind].worksAsAgent)
    .map((provider) => ({ provider, isAllowed: agents.backends?.includes(provider.name) ?? true }));
}

/** The draft's provider, else the first that may be used; null when there is none. */
export function chosenProvider(config: ConfigEvaluation, draft: AgentDraft): ProviderRow | null {
  const usable = agentProviders(config).filter(({ isAllowed }) => isAllowed);
  return (usable.find(({ provider }) => provider.name === draft.provider) ?? usable[0])?.provider ?? null;
}

/** What keeps the draft from being an order; the first one is said. */
export type DraftProblem = "noPrompt" | "tooLong" | "workspace" | "model" | "minutes";

export function draftProblem(config: ConfigEvaluation, draft: AgentDraft): DraftProblem | null {
  if (draft.prompt.trim() === "") return "noPrompt";
  if (draft.prompt.length > LONGEST_AGENT_PROMPT) return "tooLong";
  const provider = chosenProvider(config, draft);
  if (provider !== null && draft.model.trim() === "" && usualModel(config, provider.name) === null) return "model";
  const workspace = draft.workspace.trim();
  if (workspace !== "" && !workspace.startsWith("/")) return "workspace";
  return times(config, draft) === null ? "minutes" : null;
}

function times({ agents }: ConfigEvaluation, draft: AgentDraft): { timeoutMs: number; approvalMs: number } | null {
  const timeoutMs = millisecondsOf(draft.timeoutMinutes, AGENT_TIME.turn, agents.timeoutMs);
  const approvalMs = millisecondsOf(draft.approvalMinutes, AGENT_TIME.approval, AGENT_TIME.approval.max);
  return timeoutMs === null || approvalMs === null ? null : { timeoutMs, approvalMs };
}

/** The draft as the API takes it; null while something keeps it from being one. What a kept draft chose and the configuration has forbidden since is left out. */
export function agentOrder(config: ConfigEvaluation, draft: AgentDraft): CreateAgentRun | null {
  const provider = chosenProvider(config, draft);
  const limits = times(config, draft);
  if (provider === null || limits === null || draftProblem(config, draft) !== null) return null;
  const [name, model, workspace] = [draft.name.trim(), draft.model.trim(), draft.workspace.trim()];
  const { agents } = config;
  return {
    kind: "thread",
    workflow: AGENT_WORKFLOW,
    backend: provider.name,
    ...(model === "" ? {} : { model }),
    ...(name === "" ? {} : { name }),
    prompt: draft.prompt,
    executionPolicy: {
      ...(workspace === "" ? {} : { workspace }),
      sandbox: isWithinSandbox(draft.sandbox, agents.sandbox) ? draft.sandbox : "read-only",
      network: draft.network && agents.network,
      approval: draft.approval,
      ...limits,
    },
  };
}
