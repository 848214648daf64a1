import { ROUTING_STRATEGIES, SECRET_STATES } from "@/server/config/config.rules";
import type { Translate } from "./i18n-provider";
import type { MessageKey } from "./messages";
import { SERVER_SENTENCES } from "./server-sentences";

/** A sentence of the server's own in the reader's language; anybody else's words stay as they came. */
export function serverSentence(t: Translate, text: string): string {
  for (const [pattern, key] of SERVER_SENTENCES) {
    const found = pattern.exec(text);
    if (found === null) continue;
    const { reason, state, strategy, ...groups } = found.groups ?? {};
    return t(key, {
      ...groups,
      ...(reason === undefined ? {} : { reason: serverSentence(t, reason) }),
      ...(state === undefined ? {} : { state: stateWord(t, state) }),
      ...(strategy === undefined ? {} : { strategy: strategyWord(t, strategy) }),
    });
  }
  return text;
}

function stateWord(t: Translate, state: string): string {
  const known = SECRET_STATES.find((each) => each === state);
  return known === undefined ? state : t(`keyState.${known}`);
}

function strategyWord(t: Translate, strategy: string): string {
  const known = ROUTING_STRATEGIES.find((each) => each === strategy);
  return known === undefined ? strategy : t(`config.strategy.${known}`);
}

/** The names of ours that every language has a word for. */
const NAMES: ReadonlySet<string> = new Set<MessageKey>([
  "section.decision",
  "section.rule",
  "section.cause",
  "section.lesson",
  "section.workflow",
  "section.fact",
  "section.solution",
  "section.problem",
  "section.mock",
  "score.confidence",
  "score.section",
  "score.strongWords",
  "score.concreteness",
  "score.length",
  "score.sources",
  "secret.api-key",
  "secret.bearer-token",
  "secret.basic-auth",
  "secret.password",
  "secret.private-key",
  "secret.url-credential",
  "secret.jwt",
  "secret.aws-key",
  "secret.github-token",
  "secret.slack-token",
  "secret.google-key",
  "secret.kubeconfig",
  "secret.token",
  "secret.known-secret",
]);

/** The name that the language has for one of our identifiers, such as a section; an identifier of another's is shown as it is. */
function wordOr(t: Translate, key: string, given: string): string {
  // Checked against the names in the same breath; the compiler does not narrow a string by `has`.
  return NAMES.has(key) ? t(key as MessageKey) : given;
}

/** What an insight is filed under. Backends send lower-case English names; a model may send anything. */
export function sectionWord(t: Translate, section: string): string {
  return wordOr(t, `section.${section.trim().toLowerCase()}`, section);
}

export function scorePartWord(t: Translate, part: string): string {
  return wordOr(t, `score.${part}`, part);
}

export function secretKindWord(t: Translate, kind: string): string {
  return wordOr(t, `secret.${kind}`, kind);
}

const ANY_SERVER = "Any server that speaks OpenAI's chat completions.";

/** As it is written: a parsed address would have the variables in it (`${HOST}`) in small letters. */
function hostOf(baseUrl: string): string | null {
  return /^https?:\/\/(?:[^/?#@]*@)?([^/?#@]+)/i.exec(baseUrl)?.[1] ?? null;
}

/** What a backend is, in one sentence. Those that come with the product are said in the reader's language. */
export function backendAbout(t: Translate, backend: { description: string; baseUrl: string | null }): string {
  const { description, baseUrl } = backend;
  const host = hostOf(baseUrl ?? "");
  if (description === ANY_SERVER && host !== null) return t("backend.about.openai", { host });
  return serverSentence(t, description);
}
