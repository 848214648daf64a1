/** Who decides what the sandbox would not allow by itself: nobody, or a person when the agent asks, or a person for all that is not known to be harmless. */
export const AGENT_APPROVALS = ["never", "on-request", "untrusted"] as const;
export type AgentApproval = (typeof AGENT_APPROVALS)[number];

/** From the narrowest to the widest. */
export const AGENT_SANDBOXES = ["read-only", "workspace-write", "danger-full-access"] as const;
export type AgentSandbox = (typeof AGENT_SANDBOXES)[number];

/** The widest sandbox of a run where the configuration names none. */
export const USUAL_AGENT_SANDBOX = "workspace-write" satisfies AgentSandbox;

/** Milliseconds. */
export const AGENT_TIME = {
  turn: { min: 1_000, max: 24 * 3_600_000, usual: 1_800_000 },
  approval: { min: 1_000, max: 24 * 3_600_000, usual: 600_000 },
} as const;

/** Characters of one prompt. */
export const LONGEST_AGENT_PROMPT = 200_000;

/** Whether `sandbox` allows no more than `most` does. */
export function isWithinSandbox(sandbox: AgentSandbox, most: AgentSandbox): boolean {
  return AGENT_SANDBOXES.indexOf(sandbox) <= AGENT_SANDBOXES.indexOf(most);
}
