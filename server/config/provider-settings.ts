import type { ConfigDocument, ProviderConfig } from "./config-document.schema";
import { type BackendProfile, profileNameOf, profilesOf, takesBatches } from "./profile-table";
import type { ProviderSettings } from "./provider-settings.schema";

/** The names that `models` may use: the document's own, then the built-in providers that need no entry. */
export function providerNames(document: ConfigDocument): string[] {
  const own = Object.keys(document.providers ?? {});
  const builtIn = [...profilesOf(document).values()].filter(({ standsAlone }) => standsAlone).map(({ name }) => name);
  return [...own, ...builtIn.filter((name) => !own.includes(name))];
}

/** What the provider of that name is made from; null when there is none, or its profile does not exist. */
export function settingsOfProvider(document: ConfigDocument, name: string): ProviderSettings | null {
  const profiles = profilesOf(document);
  const own = Object.hasOwn(document.providers ?? {}, name) ? document.providers?.[name] : undefined;
  if (!own) {
    const profile = profiles.get(name);
    return profile?.standsAlone ? settingsOf(name, {}, profile) : null;
  }
  const profileName = profileNameOf({ name, ...own }, profiles);
  const profile = profileName === null ? undefined : profiles.get(profileName);
  return profile ? settingsOf(name, own, profile) : null;
}

function settingsOf(name: string, provider: ProviderConfig, profile: BackendProfile): ProviderSettings {
  const { timeouts } = provider;
  const baseUrl = provider.baseUrl ?? profile.baseUrl;
  return {
    name,
    profile: profile.name,
    kind: profile.kind,
    description: profile.description,
    baseUrl,
    secretRefs: provider.apiKey === undefined ? {} : { apiKey: provider.apiKey },
    concurrency: provider.concurrency ?? profile.concurrency,
    timeoutMs: timeouts?.requestMs ?? profile.requestMs,
    idleMs: timeouts?.idleMs ?? profile.idleMs,
    connectMs: timeouts?.connectMs ?? profile.connectMs,
    tokenizer: profile.tokenizer,
    tokenizerIsEstimate: profile.tokenizerIsEstimate,
    scores: profile.scores,
    ...(profile.contextWindow === null ? {} : { contextWindow: profile.contextWindow }),
    ...(takesBatches(profile, baseUrl) ? { batch: true } : {}),
  };
}
