import type { BackendProvider } from "@/server/runs/backend-view.schema";

export const CAPABILITIES = ["streaming", "usage", "structuredOutput", "cancel"] as const;
export type Capability = (typeof CAPABILITIES)[number];

type Evidence = BackendProvider["evidence"][Capability];

/** What the last real answers say of a declaration. `hidden`: an answer cannot tell. */
export type Verdict = "agrees" | "not_seen" | "mismatch" | "hidden";

/** An answer does not tell whether its form was asked for, nor one that was called off whether the work ended upstream. */
const HIDDEN: ReadonlySet<Capability> = new Set(["structuredOutput", "cancel"]);

export function verdictOf(capability: Capability, { declared, observed }: Evidence): Verdict {
  if (observed !== null) return observed === declared ? "agrees" : "mismatch";
  return HIDDEN.has(capability) ? "hidden" : "not_seen";
}

export function mismatchesOf({ evidence }: BackendProvider): Capability[] {
  return CAPABILITIES.filter((capability) => verdictOf(capability, evidence[capability]) === "mismatch");
}

/** The answer came from another model than the one that was asked, by name; null when not, or when nobody said. */
export function otherModel({ lastSeen }: BackendProvider): { asked: string; served: string } | null {
  if (lastSeen === null || lastSeen.servedModel === null || lastSeen.servedModel === lastSeen.model) return null;
  return { asked: lastSeen.model, served: lastSeen.servedModel };
}
