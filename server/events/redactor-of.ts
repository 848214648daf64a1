import type { Secret } from "@/server/shared/secret";
import { createRedactor, type Redactor } from "./redact";

/** Rotated keys leave old redactors behind; a handful is plenty. */
const REMEMBERED = 32;
const known = new Map<string, Redactor>();

/** The redactor for these secrets. Making one compiles a pattern of every spelling, so the same values get the same one. */
export function redactorOf(secrets: Readonly<Record<string, Secret>>): Redactor {
  const values = Object.values(secrets);
  const key = values.map((secret) => `${secret.label}\0${secret.expose()}`).join("\0");
  let found = known.get(key);
  if (!found) {
    if (known.size >= REMEMBERED) known.clear();
    found = createRedactor(values);
    known.set(key, found);
  }
  return found;
}

/** The redactor of what is known at each call: what can be asked of it is asked of the newest one, and nothing of an older one. */
export function redactorOfNow(known: () => Readonly<Record<string, Secret>>): Redactor {
  const now = () => redactorOf(known());
  return {
    text: (value) => now().text(value),
    json: (value) => now().json(value),
    containsSecret: (text) => now().containsSecret(text),
    ranges: (text) => now().ranges(text),
    get longestForm() {
      return now().longestForm;
    },
    reach: (text, characters) => now().reach(text, characters),
  };
}
