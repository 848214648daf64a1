/**
 * Finds credentials by their shape or by the label before them. Two passes, both linear in the text: tokens with a
 * telling prefix (`sk-`, `ghp_`, `eyJ`, PEM …), and values behind a label (`password:`, `API_KEY=`, `Authorization:`,
 * `密码：`). A pattern is only ever a prefix and one run of characters, so nothing can backtrack over the text.
 *
 * Not found, on purpose: bare strings without prefix or label. Git hashes, digests, UUIDs, paths and base64 images
 * look just like them.
 */
import { isPlausibleValue, readLabelledValue, type SecretKind } from "./secret-patterns-labelled-value";
import { visitLabels } from "./secret-patterns-labels";

/** UTF-16 offsets, end exclusive. The range covers the secret alone, never its label. */
export interface FoundSecret {
  start: number;
  end: number;
  kind: SecretKind;
}

/** `boundary` = the character before must not continue a word (`task-12…` is no `sk-` key). */
interface PrefixPattern {
  kind: SecretKind;
  source: string;
  boundary: boolean;
  accept?: (value: string) => boolean;
}

const PREFIX_PATTERNS: readonly PrefixPattern[] = [
  { kind: "api-key", source: "sk-[A-Za-z0-9_-]{16,}", boundary: true, accept: isRandomLooking },
  { kind: "api-key", source: "(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{10,}|whsec_[A-Za-z0-9+/=]{16,}", boundary: true },
  {
    kind: "api-key",
    source: "(?:gsk_|hf_|r8_|npm_|pplx-|xai-|shpat_|dop_v1_|nvapi-|tvly-)[A-Za-z0-9_-]{20,}",
    boundary: true,
    accept: isRandomLooking,
  },
  { kind: "api-key", source: "pypi-[A-Za-z0-9_-]{40,}|SG\\.[A-Za-z0-9_-]{16,}\\.[A-Za-z0-9_-]{16,}", boundary: true },
  {
    kind: "github-token",
    source: "gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|glpat-[A-Za-z0-9_-]{16,}",
    boundary: true,
  },
  {
    kind: "slack-token",
    source: "xox[abeoprs]-[A-Za-z0-9-]{10,}|xapp-[A-Za-z0-9-]{16,}",
    boundary: true,
    accept: isRandomLooking,
  },
  { kind: "slack-token", source: "hooks\\.slack\\.com/services/[A-Za-z0-9/_-]{20,}", boundary: false },
  { kind: "google-key", source: "AIza[A-Za-z0-9_-]{30,}|ya29\\.[A-Za-z0-9_-]{20,}|GOCSPX-[A-Za-z0-9_-]{20,}", boundary: true },
  { kind: "aws-key", source: "(?:AKIA|ASIA)[A-Z0-9]{16,}", boundary: true, accept: (value) => value.length === 20 },
  // The two dotted parts are optional so that a run without dots is consumed once instead of tried at every `eyJ`.
  {
    kind: "jwt",
    source: "eyJ[A-Za-z0-9_-]{8,}(?:\\.[A-Za-z0-9_-]{4,}){0,4}",
    boundary: true,
    accept: (value) => value.includes("."),
  },
  { kind: "private-key", source: "AGE-SECRET-KEY-1[A-Z0-9]{40,}", boundary: true },
  // `scheme://user:password@host`; greedy, so a password that holds an @ is covered up to the last one.
  { kind: "url-credential", source: "://[^\\s/:@\"'<>?#]{0,256}:[^\\s/\"'<>]{1,512}(?=@)", boundary: false },
  { kind: "url-credential", source: "://[A-Za-z0-9_.~%-]{20,512}(?=@)", boundary: false, accept: isRandomLooking },
];

const PREFIXES = new RegExp(PREFIX_PATTERNS.map(({ source }) => `(${source})`).join("|"), "g");

const PEM_BEGIN = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
const PEM_BEGIN_TAIL = "PRIVATE KEY";
const PEM_END = "-----END";
/** The largest private key body that is taken for one: an RSA key of 16384 bits is about 13 kB. */
const PEM_LIMIT = 32 * 1024;

function isRandomLooking(value: string): boolean {
  return /\d/.test(value) || (/[A-Z]/.test(value) && /[a-z]/.test(value)) || /[A-Za-z]{20,}/.test(value);
}

/**
 * Every secret of the text, sorted, without overlaps (the earlier and longer of two wins). Works on text of any size
 * in linear time.
 */
export function findSecrets(text: string): FoundSecret[] {
  const found = findByPrefix(text);
  const byPrefix = found.length;
  findKeyBlocks(text, found);
  findByLabel(text, found);
  if (found.length === byPrefix || found.length < 2) return found;
  found.sort((left, right) => left.start - right.start || right.end - left.end);
  const apart: FoundSecret[] = [];
  for (const secret of found) {
    const last = apart.at(-1);
    if (last && secret.start < last.end) last.end = Math.max(last.end, secret.end);
    else apart.push(secret);
  }
  return apart;
}

function findByPrefix(text: string): FoundSecret[] {
  const found: FoundSecret[] = [];
  PREFIXES.lastIndex = 0;
  for (let match = PREFIXES.exec(text); match; match = PREFIXES.exec(text)) {
    const pattern = PREFIX_PATTERNS[match.findIndex((group, index) => index > 0 && group !== undefined) - 1];
    if (!pattern) continue;
    const { index } = match;
    let start = index;
    const end = index + match[0].length;
    if (pattern.boundary && isWordBefore(text, index)) continue;
    if (pattern.kind === "url-credential") {
      const colon = match[0].indexOf(":", 3);
      start = index + (colon < 0 ? 3 : colon + 1);
    } else if (match[0].startsWith("hooks.")) {
      start = index + "hooks.slack.com/services/".length;
    }
    const value = text.slice(start, end);
    if (value.length === 0 || isPlaceholderCredential(value, pattern.kind)) continue;
    if (pattern.accept && !pattern.accept(value)) continue;
    found.push({ start, end, kind: pattern.kind });
  }
  return found;
}

/** `postgres://user:${PASSWORD}@host` and `user:<password>@` are documentation, and our own marks are masked already. */
function isPlaceholderCredential(value: string, kind: SecretKind): boolean {
  return (
    kind === "url-credential" && (/^\$\{?[A-Z_a-z]+\}?$/.test(value) || /^\*+$/.test(value) || value.startsWith("[redacted"))
  );
}

function isWordBefore(text: string, index: number): boolean {
  return index > 0 && /[A-Za-z0-9]/.test(text.charAt(index - 1));
}

function endOr(position: number): number {
  return position < 0 ? Number.POSITIVE_INFINITY : position;
}

/** On its own, because a token before it (`sk-…-----BEGIN`) would take the dashes for its own. */
function findKeyBlocks(text: string, found: FoundSecret[]): void {
  if (!text.includes(PEM_BEGIN_TAIL)) return;
  let pemEnd = -1;
  PEM_BEGIN.lastIndex = 0;
  while (PEM_BEGIN.test(text)) {
    const start = PEM_BEGIN.lastIndex;
    if (pemEnd < start) pemEnd = endOr(text.indexOf(PEM_END, start));
    const end = pemEnd - start <= PEM_LIMIT ? pemEnd : endOfPemLines(text, start);
    PEM_BEGIN.lastIndex = Math.max(end, start);
    if (end > start) found.push({ start, end, kind: "private-key" });
  }
}

/** A key that was cut off has no END line: the lines that look like its body are covered. */
function endOfPemLines(text: string, start: number): number {
  const body = /(?:\s|\\[nr])*[A-Za-z0-9+/=]{16,}/y;
  body.lastIndex = start;
  let end = start;
  while (body.test(text)) end = body.lastIndex;
  return end;
}

function findByLabel(text: string, found: FoundSecret[]): void {
  visitLabels(text, ({ start, end, kind }) => {
    const value = readLabelledValue(text, start, end, kind);
    if (value === null || !isPlausibleValue(text, value)) return end;
    found.push({ start: value.start, end: value.end, kind: value.secretKind });
    return value.end;
  });
}
