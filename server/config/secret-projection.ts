import type { Secret } from "@/server/shared/secret";
import type { Profile } from "./profile.schema";
import { type ReadVariable, resolveSecret, type SecretState, secretState } from "./secret-reference";

/**
 * The secrets of one profile and no others, by the name the adapter asks for. Read anew at each call, so that a
 * changed variable counts at once. Throws `SecretUnavailableError` for the first that cannot be had.
 */
export function projectSecrets(profile: Profile, read?: ReadVariable): Record<string, Secret> {
  return Object.fromEntries(
    Object.entries(profile.secretRefs).map(([name, reference]) => [name, resolveSecret(reference, read)]),
  );
}

/** What the backends page shows: by name, the reference and whether it is set; never a value. */
export function secretStates(profile: Profile, read?: ReadVariable): { name: string; reference: string; state: SecretState }[] {
  return Object.entries(profile.secretRefs).map(([name, reference]) => ({
    name,
    reference,
    state: secretState(reference, read),
  }));
}
