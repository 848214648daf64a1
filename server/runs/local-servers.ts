/** Model servers of this machine, found by asking on the ports they usually have. */
import type { ConfigDocument } from "@/server/config/config-document.schema";
import { type BackendProfile, profilesOf } from "@/server/config/profile-table";
import { providerNames, settingsOfProvider } from "@/server/config/provider-settings";
import type { ProviderPool } from "@/server/inference/provider-pool";
import { linkSignals } from "@/server/shared/linked-signal";
import type { LocalServer } from "./config-view.schema";

/** A server of this machine answers at once or is not there. */
const ANSWER_MS = 1_500;
const LOOPBACK = /^(?:127\.\d+\.\d+\.\d+|localhost|\[::1\])$/;
const MOST_MODELS = 50;

/**
 * Asks every profile whose usual address is this machine for its models, all at once; those that answer with a list are given, without
 * those whose address a provider of the document has already. Sends no key. Throws only the signal's reason.
 */
export async function findLocalServers(
  document: ConfigDocument,
  providers: Pick<ProviderPool, "hold">,
  signal: AbortSignal,
): Promise<LocalServer[]> {
  const taken = new Set(providerNames(document).map((name) => originOf(settingsOfProvider(document, name)?.baseUrl ?? null)));
  const wanted = [...profilesOf(document).values()].filter(
    ({ baseUrl, requiredSecretKeys }) =>
      isLoopback(baseUrl) && !taken.has(originOf(baseUrl)) && !requiredSecretKeys.includes("apiKey"),
  );
  const found = await Promise.all(wanted.map((profile) => ask(document, profile, providers, signal)));
  signal.throwIfAborted();
  return found.filter((server) => server !== null);
}

async function ask(
  document: ConfigDocument,
  profile: BackendProfile,
  providers: Pick<ProviderPool, "hold">,
  callerSignal: AbortSignal,
): Promise<LocalServer | null> {
  const { name, baseUrl } = profile;
  const settings = settingsOfProvider({ ...document, providers: { [name]: { profile: name } } }, name);
  if (settings === null || baseUrl === null) return null;
  const hold = providers.hold({ ...settings, connectMs: ANSWER_MS });
  const { signal, abort, unlink } = linkSignals(callerSignal);
  const timer = setTimeout(() => abort(new Error("no answer")), ANSWER_MS);
  try {
    const models = await hold.provider.backend.listModels(signal, { secrets: {}, baseUrl });
    if (models === null) return null;
    const sorted = models.toSorted((one, other) => one.localeCompare(other));
    return { profile: name, baseUrl, models: sorted.slice(0, MOST_MODELS), modelCount: models.length };
  } catch {
    // Nobody there, somebody else, or somebody who wants a key: none of it is a failure of anything that was asked for.
    return null;
  } finally {
    clearTimeout(timer);
    unlink();
    hold.release();
  }
}

function originOf(baseUrl: string | null): string | null {
  return baseUrl !== null && URL.canParse(baseUrl) ? new URL(baseUrl).host.replace(/^(?:localhost|\[::1\])/, "127.0.0.1") : null;
}

function isLoopback(baseUrl: string | null): boolean {
  return baseUrl !== null && URL.canParse(baseUrl) && LOOPBACK.test(new URL(baseUrl).hostname);
}
