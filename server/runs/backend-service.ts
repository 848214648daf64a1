import type { BackendList, BackendRow, CheckAnswer, CheckOrder, Cooldown } from "./backend-view.schema";

/** What runs can be sent to, and how it is doing. Throws AppError `not_found` for an unknown profile or provider. */
export interface BackendService {
  list(): Promise<BackendList>;
  get(profile: string): Promise<BackendRow>;
  /**
   * Checks one provider now, and with `capabilities` each of them; answers what is wrong instead of throwing it. Who asks for a
   * check that is under way already gets that one.
   */
  check(provider: string, order?: CheckOrder): Promise<CheckAnswer>;
  cooldowns(): Promise<Cooldown[]>;
  /** Ends the cooldown of a provider's model at once; false when there was none. */
  clearCooldown(provider: string, model: string): Promise<boolean>;
}
