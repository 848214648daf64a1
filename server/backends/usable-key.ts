import { Secret } from "@/server/shared/secret";
import { BackendError } from "./backend";
import type { ProviderAccess } from "./provider-access";

/** A key with a line break is sent as no key at all, and the turn would run unauthenticated. */
const UNSENDABLE = /\p{Cc}/u;

/** The provider's key without blanks around it. Throws `secret-unavailable` for one that is missing, empty or cannot be sent. */
export function usableKey(providerName: string, { apiKey }: ProviderAccess["secrets"]): Secret {
  if (!apiKey) throw new BackendError("secret-unavailable", `${providerName} has no key: set providers.${providerName}.apiKey.`);
  const value = apiKey.expose().trim();
  if (value === "") throw new BackendError("secret-unavailable", `${providerName}: the key ${apiKey.label} is empty.`);
  if (UNSENDABLE.test(value)) {
    throw new BackendError(
      "secret-unavailable",
      `${providerName}: the key ${apiKey.label} holds a line break or another control character, and cannot be sent.`,
    );
  }
  return value === apiKey.expose() ? apiKey : new Secret(value, apiKey.label);
}
