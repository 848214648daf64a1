import type { ProviderAccess } from "@/server/backends/provider-access";
import type { ModelCapability } from "@/server/config/config.rules";
import type { ProviderHealth } from "./inference.schema";
import type { InferenceProvider } from "./inference-provider";

/** A provider with one of its models: what a request can be routed to. */
export interface RegisteredModel {
  /** `provider/model`. */
  id: string;
  provider: InferenceProvider;
  model: string;
}

/** What can be routed to. It orders, it never chooses: that is a strategy's job. */
export class ProviderRegistry {
  readonly #models = new Map<string, RegisteredModel>();

  /** A second registration of the same provider and model takes the place of the first. */
  register(provider: InferenceProvider, model: string): void {
    const id = `${provider.id}/${model}`;
    this.#models.set(id, { id, provider, model });
  }

  get(id: string): RegisteredModel | null {
    return this.#models.get(id) ?? null;
  }

  /** In the order of registration. */
  listAll(): RegisteredModel[] {
    return [...this.#models.values()];
  }

  /** Those with a score above zero for it, the highest first; equals in the order of registration. */
  resolve(capability: ModelCapability): RegisteredModel[] {
    return this.listAll()
      .map((entry) => ({ entry, score: entry.provider.backend.settings.scores[capability] ?? 0 }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score)
      .map(({ entry }) => entry);
  }

  /** Every provider once, with its first model, all at the same time; by provider id. Throws only when aborted. */
  async healthCheckAll(
    access: (provider: InferenceProvider) => ProviderAccess,
    signal: AbortSignal,
  ): Promise<Map<string, ProviderHealth>> {
    const first = new Map<string, RegisteredModel>();
    for (const entry of this.#models.values()) if (!first.has(entry.provider.id)) first.set(entry.provider.id, entry);
    const checked = [...first.values()].map(
      async ({ provider, model }) => [provider.id, await provider.healthCheck(signal, access(provider), model)] as const,
    );
    return new Map(await Promise.all(checked));
  }
}
