import { CAPABILITIES, type Capability } from "@/server/backends/capability.rules";
import type { BackendProvider, CapabilityCheck, Evidence } from "@/server/runs/backend-view.schema";

/**
 * What the last check and the last real answers say of a declaration. `not_checked`: nothing there to hold it against, and only a
 * check could tell; `hidden`: an answer cannot tell; `by_prompt`: the form was kept, though the runtime was not asked for it.
 */
export type Verdict = "agrees" | "not_seen" | "not_checked" | "mismatch" | "hidden" | "by_prompt";

/** An answer does not tell whether its form was asked for, nor one that was called off whether the work ended upstream. */
export const SHOWN_BY_A_CHECK_ONLY: ReadonlySet<Capability> = new Set(["structuredOutput", "cancel"]);

export function verdictOf(capability: Capability, { declared, checked, lastSeen }: Evidence): Verdict {
  const found = [checked?.outcome, lastSeen?.outcome].flatMap((outcome) =>
    outcome === "works" ? [true] : outcome === "failed" ? [false] : [],
  );
  if (found.length === 0) return checked === null && SHOWN_BY_A_CHECK_ONLY.has(capability) ? "not_checked" : "not_seen";
  if (found.every((works) => works === declared)) return "agrees";
  // A model may well keep to a form that only its prompt asks for.
  return capability === "structuredOutput" && !declared ? "by_prompt" : "mismatch";
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

/**
 * Does the model that is asked for answer: by the last request that was answered, else by the last check, which tells only that the
 * name is served.
 */
export function modelVerdict({ lastSeen, health }: Pick<BackendProvider, "lastSeen" | "health">): Verdict {
  if (lastSeen === null || !lastSeen.ok) return health?.state === "healthy" && health.model !== "" ? "agrees" : "not_seen";
  if (lastSeen.servedModel === null) return "hidden";
  return otherModel({ lastSeen }) === null ? "agrees" : "mismatch";
}

/** Of one model alone, by its last check. */
export function checkVerdict(
  provider: Pick<BackendProvider, "evidence">,
  capability: Capability,
  { model, at, findings }: CapabilityCheck,
): Verdict {
  const { declared } = provider.evidence[capability];
  return verdictOf(capability, { declared, checked: { ...findings[capability], at, model }, lastSeen: null });
}

/** How many rows of the evidence do not agree, and of the checks of further models. */
export function mismatchCount(provider: BackendProvider): number {
  const [, ...further] = provider.capabilityChecks;
  const verdicts = [
    answersVerdict(provider),
    modelVerdict(provider),
    ...CAPABILITIES.map((capability) => verdictOf(capability, provider.evidence[capability])),
    ...further.flatMap((check) => CAPABILITIES.map((capability) => checkVerdict(provider, capability, check))),
  ];
  return verdicts.filter((verdict) => verdict === "mismatch").length;
}
