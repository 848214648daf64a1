/** The two fields that lead out of the document: where a key is, and where requests go. */
import { BASE_URL_FAULTS, variablesOf, writtenFault } from "../base-url";
import { splitEndpoint } from "../config.rules";
import { looksLikeReference, parseSecretReference } from "../secret-reference";
import type { ConfigNode } from "./config-node";
import type { ConfigPlace, ProblemList } from "./problem-list";
import { type Reading, readText, sayWrongType } from "./read-fields";
import { isShowable, suggestedVariable } from "./shown-name";

/** The secret that guards this server itself. */
const OWN_TOKEN = "SWITCHYARD_TOKEN";
const LONGEST_REFERENCE = 1_000;
const LONGEST_URL = 2_000;

/** `owner` is the provider's name. No sentence repeats the value: all that is no reference may be a key. */
export function readReference(node: ConfigNode | undefined, owner: string, problems: ProblemList): Reading<string> {
  if (!node) return { state: "absent" };
  const line = `apiKey: env:${suggestedVariable(owner)}`;
  if (node.kind === "nothing" || (node.kind === "text" && node.value.trim() === "")) {
    const sentence = `There is no reference to a key here; write ${line}, or remove the line when the provider needs no key.`;
    problems.error("bad_reference", node, sentence, { reason: "empty", line });
    return { state: "broken" };
  }
  // A key of digits only is read as a number.
  if (node.kind === "number" || (node.kind === "text" && !looksLikeReference(node.value.trim()))) {
    const sentence = `A key must not stand in the document, for every revision is kept and shown; put it into an environment variable and write ${line}, or into a file and write apiKey: file:/run/secrets/NAME.`;
    problems.error("literal_key", node, sentence, { line });
    return { state: "broken" };
  }
  if (node.kind !== "text") return sayWrongType(node, "a text such as env:NAME", problems);
  const { value } = node;
  if (namesOwnToken(value)) return sayOwnToken(node, line, problems);
  if (parseSecretReference(value) && value.length <= LONGEST_REFERENCE) return { state: "read", value, place: node };
  const { reason, rule } = referenceFault(value);
  const meant = meantVariable(value);
  const right = meant === null ? line : `apiKey: env:${meant}`;
  problems.error("bad_reference", node, `This is not a reference to a key: ${rule}; write for example ${right}.`, {
    reason,
    line: right,
  });
  return { state: "broken" };
}

function namesOwnToken(value: string): boolean {
  const reference = parseSecretReference(value);
  return reference?.form === "variable" && reference.name === OWN_TOKEN;
}

/** A provider that got it could sign in here. `line`: what to write instead; null in an address. */
function sayOwnToken(place: ConfigPlace, line: string | null, problems: ProblemList): { state: "broken" } {
  const sentence = `${OWN_TOKEN} lets people into this server and is no provider's; write ${line ?? "another variable"}.`;
  const details = line === null ? { reason: "own_token_in_address" } : { reason: "own_token", line };
  problems.error("bad_reference", place, sentence, { name: OWN_TOKEN, ...details });
  return { state: "broken" };
}

function referenceFault(value: string): { reason: string; rule: string } {
  if (value !== value.trim()) return { reason: "blanks", rule: "blanks stand around it" };
  if (/^file:/i.test(value)) return { reason: "file", rule: "after file: stands an absolute path, as in file:/run/secrets/NAME" };
  if (/^\$\{\s*env:/i.test(value)) return { reason: "mixed", rule: "it mixes env:NAME and ${NAME}" };
  if (value.startsWith("${")) return { reason: "braces", rule: "${NAME} holds the name of a variable and stands alone" };
  if (value.startsWith("$")) return { reason: "dollar", rule: "a variable is written env:NAME or ${NAME}" };
  if (value.startsWith("env:"))
    return {
      reason: "variable",
      rule: "after env: stands the name of a variable, of letters, digits and _, not beginning with a digit",
    };
  return { reason: "case", rule: "env: is written in small letters" };
}

/** The variable that a malformed reference names; only what is written like one, for all else may be part of a key. */
function meantVariable(value: string): string | null {
  const name = /^(?:\$\{?\s*(?:env:)?|env:)\s*([A-Z_][A-Z0-9_]*)\s*\}?$/i.exec(value.trim())?.[1];
  return name !== undefined && /^[A-Z_][A-Z0-9_]*$/.test(name) && isShowable(name) ? name : null;
}

/** An address up to `/v1`, which may hold `${NAME}`. */
export function readBaseUrl(node: ConfigNode | undefined, problems: ProblemList): Reading<string> {
  const reading = readText(node, LONGEST_URL, problems);
  if (reading.state !== "read") return reading;
  const { value, place } = reading;
  if (variablesOf(value)?.includes(OWN_TOKEN)) return sayOwnToken(place, null, problems);
  if (variablesOf(value) === null) {
    const sentence = "A ${ in an address begins the name of a variable, of letters, digits and _; write it as ${NAME}.";
    problems.error("bad_reference", place, sentence, { reason: "address" });
    return { state: "broken" };
  }
  const fault = value === value.trim() ? writtenFault(value) : "not_http";
  if (fault === null) {
    sayEndpoint(value, place, problems);
    return reading;
  }
  const hint = fault === "not_http" ? addressHint(value) : null;
  problems.error("bad_url", place, `This ${BASE_URL_FAULTS[fault]}${hint === null ? "" : `; ${ADDRESS_HINTS[hint]}`}.`, {
    reason: fault,
    ...(hint === null ? {} : { hint }),
  });
  return { state: "broken" };
}

function sayEndpoint(value: string, place: ConfigPlace, problems: ProblemList): void {
  const split = splitEndpoint(value);
  if (!split) return;
  const { base, endpoint } = split;
  const canWrite = isShowable(base);
  const right = canWrite ? `write ${base}` : "leave that out";
  const sentence = `The address ends in ${endpoint}, which every request adds by itself; ${right}.`;
  problems.warning("endpoint_in_url", place, sentence, { endpoint, ...(canWrite ? { base, reason: "base" } : {}) });
}

const ADDRESS_HINTS = {
  blanks: "remove the blanks around it",
  variable: "write a variable as ${NAME}",
  full: "write it in full, as in https://api.example.com/v1",
} as const;

function addressHint(value: string): keyof typeof ADDRESS_HINTS {
  if (value !== value.trim()) return "blanks";
  return /^\$[A-Za-z_]|^env:/.test(value) ? "variable" : "full";
}
