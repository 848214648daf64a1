/** What the form of `agents` changes in the document: as little as possible, so that the comments beside everything else stay. */
import { BACKEND_KIND_FACTS } from "@/server/config/backend-kind.rules";
import { AGENT_TIME } from "@/server/config/execution-policy.rules";
import type { ConfigEdit, ConfigEvaluation } from "@/server/runs/config-view.schema";

export interface ProviderChoice {
  name: string;
  isAllowed: boolean;
  /** False for a name in the list that no provider of an agent's kind has. */
  isKnown: boolean;
}

type Rules = Pick<ConfigEvaluation, "agents" | "providers">;

/** Providers that work as agents, and whatever else the list names. */
export function providerChoices({ agents: { backends }, providers }: Rules): ProviderChoice[] {
  const known = providers.filter(({ kind }) => BACKEND_KIND_FACTS[kind].worksAsAgent).map(({ name }) => name);
  const others = (backends ?? []).filter((name) => !known.includes(name));
  return [
    ...known.map((name) => ({ name, isAllowed: backends === null || backends.includes(name), isKnown: true })),
    ...others.map((name) => ({ name, isAllowed: true, isKnown: false })),
  ];
}

/** All of them is the usual, for which nothing stands in the document. */
export function toggleProvider(rules: Rules, name: string): ConfigEdit[] {
  const choices = providerChoices(rules).map((each) => (each.name === name ? { ...each, isAllowed: !each.isAllowed } : each));
  const path = ["agents", "backends"];
  if (choices.every(({ isAllowed, isKnown }) => (isKnown ? isAllowed : !isAllowed))) return [{ path }];
  return [{ path, value: choices.filter(({ isAllowed }) => isAllowed).map((each) => each.name) }];
}

/** Why a folder cannot be added, or null. */
export function folderProblem(folder: string, present: readonly string[]): "absolute" | "twice" | null {
  if (!folder.startsWith("/")) return "absolute";
  return present.includes(folder) ? "twice" : null;
}

export function addWorkspace(present: readonly string[], folder: string): ConfigEdit[] {
  if (present.length === 0) return [{ path: ["agents", "workspaces"], value: [folder] }];
  return [{ path: ["agents", "workspaces", present.length], value: folder }];
}

export function removeWorkspace(present: readonly string[], index: number): ConfigEdit[] {
  return [{ path: present.length === 1 ? ["agents", "workspaces"] : ["agents", "workspaces", index] }];
}

/** Null when it is no time that a turn may take; an emptied field goes back to the usual. */
export function setTurnSeconds(entered: string): ConfigEdit[] | null {
  const path = ["agents", "timeoutMs"];
  if (entered.trim() === "") return [{ path }];
  const value = Number(entered) * 1_000;
  const { min, max } = AGENT_TIME.turn;
  return Number.isInteger(value) && value >= min && value <= max ? [{ path, value }] : null;
}
