import { BUILT_IN_PROFILES } from "@/server/config/profile-table";
import { settingsOfProvider } from "@/server/config/provider-settings";
import type { ProviderSettings } from "@/server/config/provider-settings.schema";

/** The settings of a provider of that name as a document with `{ profile: … }` alone gives them; by default the built-in one. */
export function buildSettings(profile: string, more: Partial<ProviderSettings> = {}): ProviderSettings {
  const { name = profile, baseUrl = "http://127.0.0.1:1/v1" } = more;
  const known = BUILT_IN_PROFILES.find((row) => row.name === profile);
  const settings = settingsOfProvider(
    { providers: { [name]: { profile, ...(known?.standsAlone || baseUrl === null ? {} : { baseUrl }) } } },
    name,
  );
  if (!settings) throw new Error(`there is no profile ${profile}`);
  return { ...settings, ...more };
}

/** The model that a profile is asked for in tests. */
export function usualModel(profile: string): string {
  return BUILT_IN_PROFILES.find((row) => row.name === profile)?.defaultModel ?? "test-model";
}
