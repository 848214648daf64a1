/** References to secrets, as profiles hold them: `env:NAME`. The value is never part of a profile. */
import { readSecretVariable } from "@/server/env";
import { Secret } from "@/server/shared/secret";

/** `whitespace` = the variable is set to blanks only. */
export type SecretState = "set" | "missing" | "empty" | "whitespace" | "malformed";

export type ReadVariable = (name: string) => string | undefined;

/** A secret that a profile refers to cannot be had. Maps to failure kind `secret-unavailable`; the message names the reference, never a value. */
export class SecretUnavailableError extends Error {
  readonly failureKind = "secret-unavailable";
  readonly reference: string;

  constructor(reference: string, message: string) {
    super(message);
    this.name = "SecretUnavailableError";
    this.reference = reference;
  }
}

/** Recognised by name: pages, route handlers and instrumentation are separate module instances. */
export function isSecretUnavailableError(error: unknown): error is SecretUnavailableError {
  return error instanceof Error && error.name === "SecretUnavailableError" && "reference" in error;
}

/** The variable's name, or null when the reference is not of the form `env:NAME`. */
export function parseSecretReference(reference: string): string | null {
  return /^env:([A-Za-z_][A-Za-z0-9_]*)$/.exec(reference)?.[1] ?? null;
}

/** Whether the secret could be read now, without reading more of it than that. */
export function secretState(reference: string, read: ReadVariable = readSecretVariable): SecretState {
  const name = parseSecretReference(reference);
  if (name === null) return "malformed";
  const value = read(name);
  if (value === undefined) return "missing";
  if (value === "") return "empty";
  if (value.trim() === "") return "whitespace";
  return hasForbiddenCharacter(value.trim()) ? "malformed" : "set";
}

/** The secret, trimmed, labelled with its reference. Throws `SecretUnavailableError`. */
export function resolveSecret(reference: string, read: ReadVariable = readSecretVariable): Secret {
  const name = parseSecretReference(reference);
  if (name === null)
    throw new SecretUnavailableError(shown(reference), `The secret reference "${shown(reference)}" is not of the form env:NAME.`);
  const value = read(name);
  if (value === undefined) throw new SecretUnavailableError(reference, `The environment variable ${name} is not set.`);
  const trimmed = value.trim();
  if (trimmed === "")
    throw new SecretUnavailableError(
      reference,
      `The environment variable ${name} is set but ${value === "" ? "empty" : "blank"}.`,
    );
  if (hasForbiddenCharacter(trimmed)) {
    throw new SecretUnavailableError(
      reference,
      `The value of ${name} holds a line break or another control character, so it cannot be a key.`,
    );
  }
  return new Secret(trimmed, reference);
}

/** Control characters break the header that the key travels in. */
function hasForbiddenCharacter(value: string): boolean {
  for (let index = 0; index < value.length; index++) {
    const code = value.charCodeAt(index);
    if (code < 0x20 || code === 0x7f) return true;
  }
  return false;
}

/** A malformed reference may be a key that was pasted in its place: only a beginning is ever repeated. */
function shown(reference: string): string {
  return reference.length <= 8 ? reference : `${reference.slice(0, 4)}…`;
}
