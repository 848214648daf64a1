/** The lines of the trace that tell why a model was asked, and when one began or ceased to cool down. */
import type { NewEvent } from "@/server/events/event.schema";
import type { Cooldown } from "@/server/inference/cooldown";
import type { RoutedModel } from "@/server/inference/inference-router";
import type { StateChange } from "@/server/inference/provider-state";
import { isoTime } from "@/server/shared/clock";

export function routeEvent({ provider, model, decision }: RoutedModel): NewEvent {
  const chosen = decision.verdicts.find(({ verdict }) => verdict === "chosen");
  return {
    type: "route_decided",
    payload: {
      provider: provider.id,
      model,
      reason: chosen?.reason ?? "Nothing listed can be used; its request says what is missing.",
      leastBad: decision.leastBad,
      rejected: decision.verdicts.flatMap(({ candidate, verdict, reason }) =>
        verdict === "chosen" ? [] : [{ candidate: candidate.id, reason }],
      ),
    },
  };
}

/** A refusal has no line of its own: the failure that it came with says it. */
export function stateEvents(changes: readonly StateChange[]): NewEvent[] {
  return changes.flatMap((change) => {
    if (change.kind === "cooldown_started") return startOf(change.cooldown);
    if (change.kind !== "cooldown_ended") return [];
    return { type: "cooldown_ended", payload: { provider: change.provider, model: change.model } };
  });
}

function startOf({ provider, model, failureKind, reason, failures, asked, since, until }: Cooldown): NewEvent {
  return {
    type: "cooldown_started",
    payload: { provider, model, failureKind, reason, failures, asked, until: isoTime(until), milliseconds: until - since },
  };
}
