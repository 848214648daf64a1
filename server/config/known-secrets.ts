import type { Secret } from "@/server/shared/secret";
import { isUsableSecret } from "./config.rules";
import type { ProviderSettings } from "./provider-settings.schema";
import { secretStates } from "./secret-projection";
import { isSecretUnavailableError, resolveSecret } from "./secret-reference";

/** Files are not read anew for every line of a log. */
const REMEMBERED_MS = 1_000;
/** Characters. */
const SHORTEST_OF_NAMES = 12;

type Referring = Pick<ProviderSettings, "name" | "baseUrl" | "secretRefs">;

/** Every secret this process may have used: what it says outside a request is cleared of them all. */
export class KnownSecrets {
  readonly #references = new Map<string, { path: string; reference: string; key: string }>();
  readonly #problems = new Map<string, { at: number; problem: string | null }>();
  #read: { at: number; secrets: Readonly<Record<string, Secret>> } | null = null;

  /** From now on the secrets of these providers are known. */
  add(settings: Referring): void {
    for (const [key, reference] of Object.entries(settings.secretRefs))
      this.#add(`providers.${settings.name}.${key}`, reference, key);
  }

  /** A secret that no provider names (the token of this server, a variable that the document could name). */
  addReference(reference: string): void {
    this.#add(reference, reference, "apiKey");
  }

  #add(path: string, reference: string, key: string): void {
    const id = `${reference}\0${key}`;
    if (this.#references.has(id)) return;
    this.#references.set(id, { path, reference, key });
    this.#read = null;
  }

  /** Those that can be read now, by path; an unreadable one is no secret to hide. */
  all(): Readonly<Record<string, Secret>> {
    const now = Date.now();
    if (this.#read && now - this.#read.at < REMEMBERED_MS) return this.#read.secrets;
    const secrets: Record<string, Secret> = {};
    for (const [id, question] of this.#references) {
      try {
        secrets[id] = resolveSecret(question);
      } catch (error) {
        if (!isSecretUnavailableError(error)) throw error;
      }
    }
    this.#read = { at: now, secrets };
    return secrets;
  }

  /** Whether a name holds the value of one of them. Shorter values (`ollama`, `none`) are words that names may hold too. */
  isPartOf(name: string): boolean {
    return Object.values(this.all()).some((secret) => {
      const value = secret.expose();
      return value.length >= SHORTEST_OF_NAMES && name.includes(value);
    });
  }

  /** What a usable key is not quite: one sentence, or null when there is nothing to say. */
  noteOf(settings: Referring): string | null {
    const stray = secretStates(settings).filter(({ state }) => state === "stray_whitespace");
    if (stray.length === 0) return null;
    return `${stray.map(({ reference }) => reference).join(", ")} is set, with white space around it that is cut off.`;
  }

  /** Why a provider cannot be asked anything, as one sentence; null when all it needs is set. No value is told or kept. */
  problemOf(settings: Referring): string | null {
    const id = JSON.stringify([settings.baseUrl, settings.secretRefs]);
    const now = Date.now();
    const known = this.#problems.get(id);
    if (known && now - known.at < REMEMBERED_MS) return known.problem;
    const missing = secretStates(settings).find(({ state }) => !isUsableSecret(state));
    const problem = missing ? `${missing.reference} (${missing.name}) is ${missing.state}.` : null;
    this.#problems.set(id, { at: now, problem });
    return problem;
  }
}
