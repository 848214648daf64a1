import type { ModelCapability, RoutingStrategyName } from "@/server/config/config.rules";
import type { ProviderRegistry, RegisteredModel } from "./provider-registry";
import { type CandidateSnapshot, decideRoute, type RouteDecision, strategyOf } from "./routing";

/** Nothing registered can do the job. Carries what was looked at, so that the reason can be told. */
export class NoEligibleProviderError extends Error {
  readonly stageId: string;
  readonly requiredCapabilities: readonly ModelCapability[];
  readonly decision: RouteDecision;

  constructor(stageId: string, requiredCapabilities: readonly ModelCapability[], decision: RouteDecision) {
    const reasons = decision.verdicts.map(({ candidate, reason }) => `${candidate.id}: ${reason}`);
    super(
      reasons.length === 0
        ? `No model is listed for ${stageId}.`
        : `No listed model can be used for ${stageId}. ${reasons.join(" ")}`,
    );
    this.name = "NoEligibleProviderError";
    this.stageId = stageId;
    this.requiredCapabilities = requiredCapabilities;
    this.decision = decision;
  }
}

/** Recognised by name: pages, route handlers and instrumentation are separate module instances. */
export function isNoEligibleProviderError(error: unknown): error is NoEligibleProviderError {
  return error instanceof Error && error.name === "NoEligibleProviderError" && "decision" in error;
}

export interface RoutedModel extends RegisteredModel {
  decision: RouteDecision;
}

export interface RouterState {
  /** The candidates as they stand now. */
  snapshot(entry: RegisteredModel): CandidateSnapshot;
  /** Epoch milliseconds. */
  now(): number;
}

/** Router over strategy over registry: another strategy changes nothing else. */
export class InferenceRouter {
  readonly #registry: ProviderRegistry;
  readonly #strategy: RoutingStrategyName;
  readonly #state: RouterState;
  #turn = 0;

  constructor(registry: ProviderRegistry, strategy: RoutingStrategyName, state: RouterState) {
    this.#registry = registry;
    this.#strategy = strategy;
    this.#state = state;
  }

  /**
   * The model for the next request of a stage; `avoid` holds the ids that have failed this very request. No I/O. Throws
   * `NoEligibleProviderError`; never returns nothing.
   */
  route(stageId: string, requiredCapabilities: readonly ModelCapability[], avoid: ReadonlySet<string> = new Set()): RoutedModel {
    const snapshots = this.#registry.listAll().map((entry) => this.#state.snapshot(entry));
    const strategy = strategyOf(this.#strategy, this.#turn);
    const decision = decideRoute(snapshots, requiredCapabilities, strategy, this.#state.now(), avoid);
    const entry = decision.chosen && this.#registry.get(decision.chosen.id);
    if (!entry) throw new NoEligibleProviderError(stageId, requiredCapabilities, decision);
    return { ...entry, decision };
  }

  /** The routed request is really sent: the next one is the next candidate's turn. */
  taken(): void {
    this.#turn += 1;
  }
}
