import type { BackendProvider } from "@/server/runs/backend-view.schema";

export const CAPABILITIES = ["streaming", "usage", "structuredOutput", "cancel"] as const;
export type Capability = (typeof CAPABILITIES)[number];

type Evidence = BackendProvider["evidence"][Capability];

/** What the last real answers say of a declaration. `hidden`: an answer cannot tell; `not_checked`: seen, with nothing to hold it against. */
export type Verdict = "agrees" | "not_seen" | "not_checked" | "mismatch" | "hidden";

/** An answer does not tell whether its form was asked for, nor one that was called off whether the work ended upstream. */
const HIDDEN: ReadonlySet<Capability> = new Set(["structuredOutput", "cancel"]);

export function verdictOf(capability: Capability, { declared, observed }: Evidence): Verdict {
  if (observed !== null) return observed === declared ? "agrees" : "mismatch";
  return HIDDEN.has(capability) ? "hidden" : "not_seen";
}

/** Does it answer at all: the last check against the last real request. A check that could not be made says nothing. */
export function answersVerdict({ health, lastSeen }: Pick<BackendProvider, "health" | "lastSeen">): Verdict {
  if (lastSeen === null) return "not_seen";
  if (health === null || health.state === "unknown") return "not_checked";
  return lastSeen.ok === (health.state === "healthy") ? "agrees" : "mismatch";
}

/** The model that answered, when it is another than the one that was asked; a dated name of the same is the same. */
export function otherModel({ lastSeen }: Pick<BackendProvider, "lastSeen">): string | null {
  if (lastSeen === null || lastSeen.servedModel === null || lastSeen.servedModel.startsWith(lastSeen.model)) return null;
  return lastSeen.servedModel;
}

export function modelVerdict({ lastSeen }: Pick<BackendProvider, "lastSeen">): Verdict {
  if (lastSeen === null || !lastSeen.ok) return "not_seen";
  if (lastSeen.servedModel === null) return "hidden";
  return otherModel({ lastSeen }) === null ? "agrees" : "mismatch";
}

/** How many rows of the evidence do not agree. */
export function mismatchCount(provider: BackendProvider): number {
  const verdicts = [
    answersVerdict(provider),
    modelVerdict(provider),
    ...CAPABILITIES.map((capability) => verdictOf(capability, provider.evidence[capability])),
  ];
  return verdicts.filter((verdict) => verdict === "mismatch").length;
}
