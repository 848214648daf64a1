/** "Why this model?": every step from a scene to the model that would be asked now. Pure over the document and a snapshot. */
import { BUILT_IN_SCENES, splitModelReference, USUAL_STRATEGY } from "@/server/config/config.rules";
import type { ConfigDocument } from "@/server/config/config-document.schema";
import type { ProviderSettings } from "@/server/config/provider-settings.schema";
import { resolveReference } from "@/server/config/resolve-model";
import { type CandidateCooldown, type CandidateSnapshot, decideRoute, scoreOf, strategyOf } from "@/server/inference/routing";
import type { RouteExplanation } from "./config-view.schema";
import { sceneNames } from "./pin-route";

export type SnapshotOf = (settings: ProviderSettings, model: string) => CandidateSnapshot;

type Check = RouteExplanation["candidates"][number]["checks"][number];

export function explainRoute(
  document: ConfigDocument,
  scene: string,
  revision: number | null,
  snapshotOf: SnapshotOf,
  now: number,
): RouteExplanation {
  const models = document.models ?? {};
  const mappedBy = Object.hasOwn(models, scene) ? scene : Object.hasOwn(models, "default") ? "default" : null;
  const mapping = mappedBy === null ? undefined : models[mappedBy];
  const isKnown = sceneNames(document).includes(scene) || (BUILT_IN_SCENES as readonly string[]).includes(scene);
  const routed = mapping === undefined ? null : typeof mapping === "string" ? { candidates: [mapping] } : mapping;
  const requires = routed?.requires ?? [];
  const strategy = routed?.strategy ?? USUAL_STRATEGY;
  const looked = (routed?.candidates ?? []).map((reference, at) => {
    const path = typeof mapping === "string" ? `models.${mappedBy}` : `models.${mappedBy}.candidates[${at}]`;
    const candidate = resolveReference(document, reference, path);
    return {
      reference,
      parts: splitModelReference(reference) ?? { provider: reference, model: "" },
      snapshot: candidate.ok ? snapshotOf(candidate.value.settings, candidate.value.model) : null,
      settings: candidate.ok ? candidate.value.settings : null,
      error: candidate.ok ? null : candidate.error,
    };
  });
  const snapshots = looked.flatMap(({ snapshot }) => snapshot ?? []);
  const decision = decideRoute(snapshots, requires, strategyOf(strategy, 0), now);
  const verdicts = new Map(decision.verdicts.map((verdict) => [verdict.candidate, verdict]));
  return {
    scene,
    revision,
    mappedBy,
    inherited: mappedBy !== null && mappedBy !== scene,
    requires,
    strategy: routed ? strategy : null,
    candidates: looked.map(({ reference, parts, snapshot, settings, error }) => {
      const verdict = snapshot ? verdicts.get(snapshot) : undefined;
      return {
        reference,
        ...parts,
        verdict: verdict?.verdict ?? "rejected",
        reason: verdict?.reason ?? error ?? "",
        checks:
          snapshot && settings
            ? checksOf(snapshot, settings, requires, now)
            : [{ check: "provider", ok: false, message: error ?? "" }],
        score: snapshot ? scoreOf(snapshot.scores, requires) : null,
      };
    }),
    chosen: decision.chosen?.id ?? null,
    leastBad: decision.leastBad,
    problem: problemOf(),
  };

  function problemOf(): string | null {
    if (mappedBy === null) return `The scene ${scene} has no model, and there is no models.default to fall back to.`;
    if (!isKnown) return `No entry is called ${scene}; an order that names it is refused, although default would serve it.`;
    return decision.chosen ? null : "None of the listed models can be used now.";
  }
}

function checksOf(
  snapshot: CandidateSnapshot,
  settings: ProviderSettings,
  requires: RouteExplanation["requires"],
  now: number,
): Check[] {
  const lacking = requires.filter((capability) => (snapshot.scores[capability] ?? 0) <= 0);
  const { cooldown } = snapshot;
  const cools = cooldown !== null && cooldown.until > now;
  const keys = Object.values(settings.secretRefs);
  const scores = requires.map((capability) => `${capability} ${snapshot.scores[capability] ?? 0}`).join(", ");
  return [
    {
      check: "provider",
      ok: true,
      message: `The provider ${settings.name} speaks through the profile ${settings.profile} (${settings.kind}).`,
    },
    {
      check: "key",
      ok: snapshot.blockedBy === null,
      message:
        snapshot.blockedBy ?? (keys.length === 0 ? "It needs no key." : (snapshot.keyNote ?? `${keys.join(", ")} is set.`)),
    },
    {
      check: "capability",
      ok: lacking.length === 0,
      message:
        lacking.length > 0
          ? `Its profile has no score for ${lacking.join(", ")}.`
          : requires.length === 0
            ? "The scene requires no capability."
            : `Its profile scores ${scores}.`,
    },
    {
      check: "health",
      ok: snapshot.health !== "unavailable",
      message:
        snapshot.health === "unknown"
          ? "It was not checked lately."
          : snapshot.health === "healthy"
            ? snapshot.healthReason || "It answered when it was last checked."
            : `It is ${snapshot.health}: ${snapshot.healthReason}`,
    },
    {
      check: "cooldown",
      ok: !cools,
      message: cools ? coolsSentence(cooldown, Math.ceil((cooldown.until - now) / 1000)) : "It is not cooling down.",
    },
  ];
}

function coolsSentence({ failures, reason }: CandidateCooldown, seconds: number): string {
  return failures === 1
    ? `It cools down for ${seconds} s more after 1 failure: ${reason}`
    : `It cools down for ${seconds} s more after ${failures} failures in a row: ${reason}`;
}
