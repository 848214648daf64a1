import { jsonFields } from "@/components/json-fields";
import {
  AGENT_APPROVALS,
  AGENT_SANDBOXES,
  type AGENT_TIME,
  type AgentApproval,
  type AgentSandbox,
} from "@/server/config/execution-policy.rules";

const STORAGE_KEY = "switchyard-new-agent-run";
const MINUTE_MS = 60_000;

export type TimeLimits = (typeof AGENT_TIME)[keyof typeof AGENT_TIME];

/** All that the operator has entered, as entered: times are still text. Empty means "the usual". */
export interface AgentDraft {
  prompt: string;
  name: string;
  /** Empty = the first that can be used. */
  provider: string;
  model: string;
  workspace: string;
  sandbox: AgentSandbox;
  network: boolean;
  approval: AgentApproval;
  timeoutMinutes: string;
  approvalMinutes: string;
}

/** The narrowest of everything. */
export const EMPTY_AGENT_DRAFT: AgentDraft = {
  prompt: "",
  name: "",
  provider: "",
  model: "",
  workspace: "",
  sandbox: "read-only",
  network: false,
  approval: "never",
  timeoutMinutes: "",
  approvalMinutes: "",
};

const TEXTS = ["prompt", "name", "provider", "model", "workspace", "timeoutMinutes", "approvalMinutes"] as const;

function isAgentDraft(value: unknown): value is AgentDraft {
  const fields = jsonFields(value);
  const { sandbox, approval } = fields;
  return (
    TEXTS.every((name) => typeof fields[name] === "string") &&
    typeof fields.network === "boolean" &&
    AGENT_SANDBOXES.some((known) => known === sandbox) &&
    AGENT_APPROVALS.some((known) => known === approval)
  );
}

type DraftStorage = Pick<Storage, "getItem" | "setItem" | "removeItem">;

/** The draft of this tab; an empty one when there is none, or none that can be read. */
export function loadAgentDraft(storage: DraftStorage): AgentDraft {
  try {
    const parsed: unknown = JSON.parse(storage.getItem(STORAGE_KEY) ?? "null");
    return isAgentDraft(parsed) ? parsed : EMPTY_AGENT_DRAFT;
  } catch {
    // Written by another version, or storage is switched off.
    return EMPTY_AGENT_DRAFT;
  }
}

export function saveAgentDraft(storage: DraftStorage, draft: AgentDraft): void {
  try {
    storage.setItem(STORAGE_KEY, JSON.stringify(draft));
  } catch {
    // The quota is exceeded, or storage is switched off: only a convenience.
  }
}

export function forgetAgentDraft(storage: DraftStorage): void {
  storage.removeItem(STORAGE_KEY);
}

/** Milliseconds of minutes as entered, within the limits; null for what is none. Empty = the usual. */
export function millisecondsOf(entered: string, limits: TimeLimits, most: number): number | null {
  const text = entered.trim();
  if (text === "") return Math.min(limits.usual, most);
  const milliseconds = /^\d{1,6}(?:\.\d{1,3})?$/.test(text) ? Math.round(Number(text) * MINUTE_MS) : Number.NaN;
  return milliseconds >= limits.min && milliseconds <= Math.min(limits.max, most) ? milliseconds : null;
}

/** The most that the field allows and what it means when it is empty, in minutes. */
export function minutesOf(limits: TimeLimits, most: number): { max: number; usual: number } {
  const minutes = (milliseconds: number) => Math.round((milliseconds / MINUTE_MS) * 1_000) / 1_000;
  return { max: minutes(Math.min(limits.max, most)), usual: minutes(Math.min(limits.usual, most)) };
}
