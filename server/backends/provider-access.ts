import type { Secret } from "@/server/shared/secret";

/** What one request to a provider needs of the operator's configuration, read when it is needed (config/secret-projection). */
export interface ProviderAccess {
  /** The address with its variables filled in, up to `/v1`; null for kinds that have none. */
  baseUrl: string | null;
  /** The provider's secrets and no others, by the name the adapter asks for (`apiKey`). */
  secrets: Readonly<Record<string, Secret>>;
}
