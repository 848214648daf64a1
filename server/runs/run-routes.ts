import type { PinnedRoute } from "@/server/config/pinned-route.schema";
import type { ProviderSettings } from "@/server/config/provider-settings.schema";
import { InferenceRouter, isNoEligibleProviderError, type RoutedModel } from "@/server/inference/inference-router";
import type { ProviderPool } from "@/server/inference/provider-pool";
import { ProviderRegistry, type RegisteredModel } from "@/server/inference/provider-registry";
import type { ProviderState } from "@/server/inference/provider-state";
import type { CandidateSnapshot } from "@/server/inference/routing";
import type { Clock } from "@/server/shared/clock";

export interface RoutingDeps {
  providers: ProviderPool;
  state: ProviderState;
  /** Why nothing can be sent to the provider at all (its key is missing), or null. */
  keyProblem(settings: ProviderSettings): string | null;
  clock: Clock;
}

/** The stage of a distill run that asks a model. */
export const INFER_STAGE = "infer";

interface Way {
  route: PinnedRoute;
  registry: ProviderRegistry;
  router: InferenceRouter;
}

/** The part of a claimed chunk that a choice needs. */
export interface RoutedChunk {
  id: string;
  route: number;
}

/** A candidate as it stands now. */
export function snapshotOf(
  deps: Pick<RoutingDeps, "state" | "keyProblem">,
  settings: ProviderSettings,
  model: string,
): CandidateSnapshot {
  const { name } = settings;
  const health = deps.state.health(name, model);
  return {
    id: `${name}/${model}`,
    provider: name,
    model,
    scores: settings.scores,
    blockedBy: deps.keyProblem(settings),
    health: health.state,
    healthReason: health.reason,
    cooldown: deps.state.cooldown(name, model),
    isTested: deps.state.isOnTrial(name, model) && deps.state.inFlightOfModel(name, model) > 0,
    inFlight: deps.state.inFlight(name),
    limit: settings.concurrency,
  };
}

/** The routes of one run, and which candidates have failed which of its chunks since this process works for it. */
export class RunRoutes {
  readonly #deps: RoutingDeps;
  readonly #ways: Way[] = [];
  readonly #failed = new Map<string, Set<string>>();

  constructor(deps: RoutingDeps, routes: readonly PinnedRoute[]) {
    this.#deps = deps;
    this.extend(routes);
  }

  /** Routes are only ever added (a retry with another model). */
  extend(routes: readonly PinnedRoute[]): void {
    for (const route of routes.slice(this.#ways.length)) {
      const registry = new ProviderRegistry();
      for (const { settings, model } of route.candidates) registry.register(this.#deps.providers.of(settings), model);
      const state = {
        snapshot: ({ provider, model }: RegisteredModel) => snapshotOf(this.#deps, provider.backend.settings, model),
        now: () => this.#deps.clock.now(),
      };
      this.#ways.push({ route, registry, router: new InferenceRouter(registry, route.strategy, state) });
    }
  }

  get isEmpty(): boolean {
    return this.#ways.length === 0;
  }

  /** Every provider that a chunk of the run may be sent to. */
  providers(): ProviderSettings[] {
    const settings = new Map<string, ProviderSettings>();
    for (const { registry } of this.#ways)
      for (const { provider } of registry.listAll()) settings.set(provider.id, provider.backend.settings);
    return [...settings.values()];
  }

  #way(chunk: RoutedChunk): Way {
    const way = this.#ways[chunk.route] ?? this.#ways[0];
    if (!way) throw new Error("a run without a route");
    return way;
  }

  /** The most tokens that an answer may have, where the chunk's way says so. */
  maxTokensOf(chunk: RoutedChunk): number | undefined {
    return this.#way(chunk).route.maxTokens;
  }

  /** Whether a choice is worth telling: there was another. */
  hasAlternatives(chunk: RoutedChunk): boolean {
    return this.#way(chunk).registry.listAll().length > 1;
  }

  /**
   * The model for the chunk's next request. When none can be used (no key), the first one is taken all the same: its request
   * fails before it is sent, and the failure says what is missing.
   */
  choose(chunk: RoutedChunk): RoutedModel {
    const { router, registry, route } = this.#way(chunk);
    try {
      return router.route(INFER_STAGE, route.requires, this.#failed.get(chunk.id));
    } catch (error) {
      if (!isNoEligibleProviderError(error)) throw error;
      const [first] = registry.listAll();
      if (!first) throw error;
      return { ...first, decision: error.decision };
    }
  }

  /** Choices with the same key come out the same at any instant. */
  choiceKey(chunk: RoutedChunk): string {
    return `${chunk.route} ${[...(this.#failed.get(chunk.id) ?? [])].sort().join(" ")}`;
  }

  /** A chosen model is really asked. */
  taken(chunk: RoutedChunk): void {
    this.#way(chunk).router.taken();
  }

  failed(chunk: RoutedChunk, id: string): void {
    const failed = this.#failed.get(chunk.id);
    if (failed) failed.add(id);
    else this.#failed.set(chunk.id, new Set([id]));
  }

  /** Nothing of it will be asked again. */
  forget(chunk: RoutedChunk): void {
    this.#failed.delete(chunk.id);
  }

  /** The candidates beside `id` that do not refuse us: down as they may be now, the chunk can wait for them. */
  #recoverable(chunk: RoutedChunk, id: string): RegisteredModel[] {
    return this.#way(chunk)
      .registry.listAll()
      .filter(
        (entry) =>
          entry.id !== id &&
          this.#deps.state.health(entry.provider.id, entry.model).state !== "unavailable" &&
          this.#deps.keyProblem(entry.provider.backend.settings) === null,
      );
  }

  /** Milliseconds until one of the chunk's candidates beside `id` may be asked; null when all of them refuse us. */
  pauseBeside(chunk: RoutedChunk, id: string): number | null {
    const pauses = this.#recoverable(chunk, id).map(({ provider, model }) => this.#deps.state.pauseMs(provider.id, model));
    return pauses.length === 0 ? null : Math.min(...pauses);
  }

  /** Whether another candidate, which has not failed this chunk and is well, would take it now. */
  hasFreshCandidate(chunk: RoutedChunk): boolean {
    const failed = this.#failed.get(chunk.id);
    const { registry, route } = this.#way(chunk);
    if (registry.listAll().length <= (failed?.size ?? 0)) return false;
    const { decision } = this.choose(chunk);
    return route.candidates.length > 1 && !decision.leastBad && decision.chosen !== null && !failed?.has(decision.chosen.id);
  }
}
