/** References to secrets, as the document holds them: `env:NAME`, `${NAME}` or `file:/path`. The value is never part of the document. */
import { Secret } from "@/server/shared/secret";
import type { SecretState } from "./config.rules";
import { type SecretReaders, type SourceReading, usualReaders } from "./secret-source";

/** The forms, for sentences that say how to write one. */
export const REFERENCE_FORMS = "env:NAME, ${NAME} or file:/absolute/path";

export type SecretReference = { form: "variable"; name: string } | { form: "file"; path: string };

/** What stands in for a value that is no reference and may therefore be a key. */
const NOT_A_REFERENCE = "(not a reference)";

/** A secret that a provider refers to cannot be had. Maps to failure kind `secret-unavailable`; the message names path, reference and state, never a value. */
export class SecretUnavailableError extends Error {
  readonly failureKind = "secret-unavailable";
  /** As written, or a stand-in when what is written may be a key. */
  readonly reference: string;
  readonly state: SecretState;

  constructor(reference: string, state: SecretState, message: string) {
    super(message);
    this.name = "SecretUnavailableError";
    this.reference = reference;
    this.state = state;
  }
}

/** Recognised by name: pages, route handlers and instrumentation are separate module instances. */
export function isSecretUnavailableError(error: unknown): error is SecretUnavailableError {
  return error instanceof Error && error.name === "SecretUnavailableError" && "reference" in error;
}

/** Null when the text is none of the forms. A variable's name may start with a letter or `_` and hold digits. */
export function parseSecretReference(text: string): SecretReference | null {
  const variable = /^(?:env:([A-Za-z_][A-Za-z0-9_]*)|\$\{([A-Za-z_][A-Za-z0-9_]*)\})$/.exec(text);
  const name = variable?.[1] ?? variable?.[2];
  if (name !== undefined) return { form: "variable", name };
  // `file:///run/key` is the same path as an address; `file://host/key` would silently be read from this machine.
  const file = /^file:(?:\/\/(?=\/))?(\/(?!\/).*)$/s.exec(text)?.[1];
  return file === undefined || file === "/" || hasControlCharacter(file) ? null : { form: "file", path: file };
}

/** True for what was meant as a reference, well-formed or not; all else must be taken for a key. */
export function looksLikeReference(text: string): boolean {
  return /^(?:env|file):|^\$\{|^\$[A-Za-z_][A-Za-z0-9_]*$/i.test(text);
}

/** The reference as it may be shown: a text that is none may be a key that was pasted in its place. */
export function shownReference(text: string): string {
  return parseSecretReference(text) ? text : NOT_A_REFERENCE;
}

/** Whether the secret could be read now, without telling more of it than that. `key` names the file in a mounted folder. */
export function secretState(reference: string, key = "apiKey", readers: SecretReaders = usualReaders): SecretState {
  const parsed = parseSecretReference(reference);
  return parsed ? read(parsed, key, readers).state : "malformed";
}

/** What is asked for: `path` is where the document names it, `key` the name of the file in a mounted folder (usual: `apiKey`). */
export interface SecretQuestion {
  path: string;
  reference: string;
  key?: string;
}

/** The secret, trimmed, labelled with its reference. Set but empty counts as missing. Throws `SecretUnavailableError`. */
export function resolveSecret({ path, reference, key = "apiKey" }: SecretQuestion, readers?: SecretReaders): Secret {
  return new Secret(resolveText({ path, reference, key }, readers), reference);
}

/** The same as plain text, for addresses. */
export function resolveText({ path, reference, key = "apiKey" }: SecretQuestion, readers: SecretReaders = usualReaders): string {
  const parsed = parseSecretReference(reference);
  if (!parsed)
    throw new SecretUnavailableError(
      NOT_A_REFERENCE,
      "malformed",
      `${path}: what is written here is no reference to a secret. Write ${REFERENCE_FORMS}.`,
    );
  const found = read(parsed, key, readers);
  if (!("text" in found)) {
    const word = found.state === "empty" ? "missing" : found.state;
    throw new SecretUnavailableError(reference, found.state, `${path}: ${reference} is ${word}: ${found.problem}.`);
  }
  return found.text;
}

type Found =
  | { state: "set" | "stray_whitespace"; text: string }
  | { state: "missing" | "empty" | "unreadable" | "malformed" | "outside"; problem: string };

function read(reference: SecretReference, key: string, readers: SecretReaders): Found {
  const isFile = reference.form === "file";
  const what = isFile ? "the file" : `the environment variable ${reference.name}`;
  const source = isFile ? readers.file(reference.path, key) : variable(reference.name, readers);
  if (source.state !== "read") return source;
  const text = source.text.trim();
  if (text === "") {
    const how = isFile ? "is" : "is set but";
    return { state: "empty", problem: `${what} ${how} ${source.text === "" ? "empty" : "blank"}` };
  }
  if (!canBeKey(text))
    return { state: "malformed", problem: `${what} holds a line break or another character that a key cannot have` };
  // Editors and `echo` end a file with a line break; that is no mistake.
  const given = isFile ? source.text.replace(/\r?\n$/, "") : source.text;
  return { state: given === text ? "set" : "stray_whitespace", text };
}

function variable(name: string, readers: SecretReaders): SourceReading {
  const text = readers.variable(name);
  return text === undefined
    ? { state: "missing", problem: `the environment variable ${name} is not set` }
    : { state: "read", text };
}

/** Control characters break the header that a key travels in, and no header carries what is beyond Latin-1. */
function canBeKey(value: string): boolean {
  return !hasControlCharacter(value) && [...value].every((character) => character <= "\u00ff");
}

export function hasControlCharacter(value: string): boolean {
  for (let index = 0; index < value.length; index++) {
    const code = value.charCodeAt(index);
    if (code < 0x20 || (code >= 0x7f && code < 0xa0)) return true;
  }
  return false;
}
