import type { BackendList, BackendRow, Cooldown, HealthCheck } from "./backend-view.schema";

/** What runs can be sent to, and how it is doing. Throws AppError `not_found` for an unknown profile or provider. */
export interface BackendService {
  list(): Promise<BackendList>;
  get(profile: string): Promise<BackendRow>;
  /** Checks one provider now; answers what is wrong instead of throwing it. At most one check of a provider at a time. */
  check(provider: string): Promise<HealthCheck>;
  cooldowns(): Promise<Cooldown[]>;
  /** Ends the cooldown of a provider's model at once; false when there was none. */
  clearCooldown(provider: string, model: string): Promise<boolean>;
}
