import type { BackendView } from "@/server/runs/run.schema";
import type { Translate } from "./i18n-provider";
import type { MessageKey } from "./messages";

/**
 * The sentences that the server writes by itself, by their English form: they are stored as they are, so a page can say them
 * in its language only by knowing them. What is not here (an operator's reason, a provider's message) is somebody's own words.
 */
const SENTENCES: readonly [RegExp, MessageKey][] = [
  [/^Paused by the operator\.$/, "server.pausedByOperator"],
  [/^Cancelled by the operator\.$/, "server.cancelledByOperator"],
  [/^Finished with gaps by the operator\.$/, "server.finishedByOperator"],
  [/^The backend "(?<backend>[^"]+)" is not set up here any more; set it up and resume\.$/, "server.backendGone"],
  [/^Consolidation broke: (?<message>.+)$/s, "server.consolidationBroke"],
  [/^its worker stopped answering$/, "server.workerStopped"],
  [/^its worker shut down$/, "server.workerShutDown"],
  [/^it has succeeded already$/, "server.skip.succeeded"],
  [/^it is running$/, "server.skip.running"],
  [/^it is queued already$/, "server.skip.queued"],
  [/^it was cancelled$/, "server.skip.cancelled"],
  [/^there is no such chunk$/, "server.skip.missing"],
  [/^Picks sentences out of the text by fixed rules; no model is asked\.$/, "server.extractiveTurn"],
];

/** A sentence of the server's own in the reader's language; anybody else's words stay as they came. */
export function serverSentence(t: Translate, text: string): string {
  for (const [pattern, key] of SENTENCES) {
    const found = pattern.exec(text);
    if (found !== null) return t(key, found.groups ?? {});
  }
  return text;
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

/** What a backend is, in one sentence. Those that come with the product are said in the reader's language. */
export function backendAbout(t: Translate, backend: Pick<BackendView, "name" | "kind" | "description" | "baseUrl">): string {
  if (backend.kind === "extractive" || backend.kind === "mock") return t(`backend.about.${backend.kind}`);
  if (backend.kind !== "openai-chat") return backend.description;
  if (backend.name === "minimax-api") return t("backend.about.minimax");
  return backend.baseUrl !== null && URL.canParse(backend.baseUrl)
    ? t("backend.about.openai", { host: new URL(backend.baseUrl).host })
    : backend.description;
}
