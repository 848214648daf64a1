/** All that one request to one provider needs, and nothing else. Read anew at each call, so that a changed variable counts at once. */
import type { Secret } from "@/server/shared/secret";
import { BASE_URL_FAULTS, checkBaseUrl, fillIn, variablesOf } from "./base-url";
import type { SecretState } from "./config.rules";
import type { ProviderSettings } from "./provider-settings.schema";
import { resolveSecret, resolveText, SecretUnavailableError, secretState, shownReference } from "./secret-reference";
import type { SecretReaders } from "./secret-source";

type Referring = Pick<ProviderSettings, "name" | "baseUrl" | "secretRefs">;

/** The address, filled in and without a slash at its end (null for kinds that have none), and the secrets by the name the adapter asks for. */
export interface ProjectedProvider {
  baseUrl: string | null;
  secrets: Readonly<Record<string, Secret>>;
}

/** Credentials and model of a job, with the key's value. */
export interface ProjectedModel {
  baseUrl: string | null;
  /** Null when the provider names no key. */
  apiKey: Secret | null;
  model: string;
}

/** Throws `SecretUnavailableError` for the first value that cannot be had or cannot be used. */
export function projectProvider(settings: Referring, readers?: SecretReaders): ProjectedProvider {
  const secrets = Object.entries(settings.secretRefs).map(
    ([key, reference]) => [key, resolveSecret({ path: `providers.${settings.name}.${key}`, reference, key }, readers)] as const,
  );
  return { baseUrl: resolveBaseUrl(settings, readers), secrets: Object.fromEntries(secrets) };
}

/** The same for one model of the provider. Throws `SecretUnavailableError`. */
export function projectModel(settings: Referring, model: string, readers?: SecretReaders): ProjectedModel {
  const { baseUrl, secrets } = projectProvider(settings, readers);
  return { baseUrl, apiKey: secrets.apiKey ?? null, model };
}

/**
 * The provider's address with its variables filled in once, checked like one that was written out. Throws
 * `SecretUnavailableError`, whose sentence names path and variables and never the value: it may hold a key.
 */
export function resolveBaseUrl({ name, baseUrl }: Pick<Referring, "name" | "baseUrl">, readers?: SecretReaders): string | null {
  if (baseUrl === null) return null;
  const path = `providers.${name}.baseUrl`;
  const names = variablesOf(baseUrl);
  if (names === null)
    throw new SecretUnavailableError("${", "malformed", `${path}: holds a "\${" that is no variable. Write \${NAME}.`);
  // `${BASE}/v1` is meant the same whether the value ends with a slash or not.
  const valueFor = (variable: string) => resolveText({ path, reference: `\${${variable}}` }, readers).replace(/\/+$/, "");
  const checked = checkBaseUrl(fillIn(baseUrl, valueFor));
  if (checked.ok) return checked.value;
  const references = names.map((variable) => `\${${variable}}`).join(", ");
  const subject = names.length === 0 ? "the address" : `the address that ${references} ${names.length === 1 ? "gives" : "give"}`;
  throw new SecretUnavailableError(references, "malformed", `${path}: ${subject} ${BASE_URL_FAULTS[checked.error]}.`);
}

/** What pages show: by name the reference and whether it is set, with one row for each variable of the address; never a value. */
export function secretStates(
  settings: Referring,
  readers?: SecretReaders,
): { name: string; reference: string; state: SecretState }[] {
  const keys = Object.entries(settings.secretRefs).map(([name, reference]) => ({
    name,
    reference: shownReference(reference),
    state: secretState(reference, name, readers),
  }));
  const variables = settings.baseUrl === null ? [] : (variablesOf(settings.baseUrl) ?? []);
  const addresses = variables.map((variable) => ({
    name: "baseUrl",
    reference: `\${${variable}}`,
    state: secretState(`\${${variable}}`, "baseUrl", readers),
  }));
  return [...keys, ...addresses];
}
