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
  [/^It is the first in the list that can be used\.$/, "route.first"],
  [/^It has the best score for what is required\.$/, "route.bestScore"],
  [/^It is its turn\.$/, "route.turn"],
  [/^It has the most room\.$/, "route.room"],
  [/^Nothing better is left\. (?<reason>.+)$/s, "route.leastBad"],
  [/^Its profile has no score for (?<capabilities>.+)\.$/, "route.noScore"],
  [/^It cools down for (?<seconds>\d+) s more: (?<reason>.+)$/s, "route.cools"],
  [/^It cools down for (?<seconds>\d+) s more after (?<failures>\d+) failures in a row: (?<reason>.+)$/s, "route.coolsAfter"],
  [/^A check of (?<model>\S+) failed: (?<reason>.+)$/s, "route.checkFailed"],
  [/^It is unavailable: (?<reason>.+)$/s, "route.unavailable"],
  [/^It is degraded: (?<reason>.+)$/s, "route.degraded"],
  [/^It has failed this very request before\.$/, "route.failedBefore"],
  [/^It could be used; (?<strategy>\w+) prefers another\.$/, "route.passedOver"],
  [/^Nothing listed can be used; its request says what is missing\.$/, "route.nothing"],
  [/^None of the listed models can be used now\.$/, "route.noneNow"],
  [/^The provider (?<provider>\S+) speaks through the profile (?<profile>\S+) \((?<kind>\S+)\)\.$/, "route.provider"],
  [/^It needs no key\.$/, "route.noKeyNeeded"],
  [/^(?<reference>\S+) is set\.$/, "route.keySet"],
  [/^(?<reference>\S+) \((?<name>\w+)\) is (?<state>\w+)\.$/, "route.keyNot"],
  [/^The scene requires no capability\.$/, "route.requiresNothing"],
  [/^Its profile scores (?<scores>.+)\.$/, "route.scores"],
  [/^It was not checked lately\.$/, "route.notChecked"],
  [/^It answered when it was last checked\.$/, "route.answered"],
  [/^It is not cooling down\.$/, "route.notCooling"],
  [/^The scene (?<scene>\S+) has no model, and there is no models\.default to fall back to\.$/, "route.noDefault"],
  [/^This version has no adapter for the kind (?<kind>\S+), so the profile cannot be chosen\.$/, "backends.reason.notBuilt"],
  [/^A check of (?<model>\S+) failed: (?<reason>.+)$/s, "backends.reason.checkFailed"],
  [/^No provider of the configuration uses this profile\.$/, "backends.reason.noProvider"],
  [/^It was never checked\.$/, "backends.reason.nothingChecked"],
  [/^(?<provider>\S+) was never checked\.$/, "backends.reason.neverChecked"],
  [/^(?<provider>\S+): (?<reference>\S+) is missing\.$/, "backends.reason.secret.missing"],
  [/^(?<provider>\S+): (?<reference>\S+) is empty\.$/, "backends.reason.secret.empty"],
  [/^(?<provider>\S+): (?<reference>\S+) is unreadable\.$/, "backends.reason.secret.unreadable"],
  [/^(?<provider>\S+): (?<reference>\S+) is malformed\.$/, "backends.reason.secret.malformed"],
  [/^(?<provider>\S+): (?<model>\S+) cools down: (?<reason>.+)$/s, "backends.reason.cools"],
  [
    /^No scene names a model of (?<provider>\S+) and its profile has none, so there is nothing to ask for\.$/,
    "backends.reason.noModel",
  ],
  [/^(?<provider>\S+) did not answer within (?<seconds>\d+) s\.$/, "backends.reason.noAnswer"],
  [/^Nothing of the reply was told before its end\.$/, "backends.finding.nothingBefore"],
  [/^The whole reply of (?<characters>\d+) characters came in one piece\.$/, "backends.finding.onePiece"],
  [
    /^The reply of (?<characters>\d+) characters came in one piece; it may be too short to come in several\.$/,
    "backends.finding.shortPiece",
  ],
  [/^The reply came without token counts\.$/, "backends.finding.noCounts"],
  [/^The token counts of the reply are an estimate\.$/, "backends.finding.estimated"],
  [/^The reply was cut off at (?<tokens>\d+) tokens\.$/, "backends.finding.cutOff"],
  [/^The reply could be read only after work on it: (?<reason>.+)\.$/s, "backends.finding.worked"],
  [/^The reply is not in the form that was asked for: (?<reason>.+)$/s, "backends.finding.otherForm"],
  [/^It had not let go (?<seconds>[\d.]+) s after it was called off\.$/, "backends.finding.heldOn"],
  [/^It replied all the same after it was called off\.$/, "backends.finding.repliedAnyway"],
  [/^The reply was complete before it could be called off\.$/, "backends.finding.tooSoon"],
  [/^It was called off and failed instead: (?<reason>.+)$/s, "backends.finding.failedInstead"],
  [/^Runs inside this server; knows no key and opens no connection\.$/, "backends.isolation.inProcess"],
  [
    /^The key is read for each request and goes to the provider's own address only; redirects are refused\.$/,
    "backends.isolation.perRequest",
  ],
  [/^Secrets of the chosen profile only, and a home folder of its own for each profile\.$/, "backends.isolation.perProfile"],
  [/^Picks the telling sentences of the text itself\. No key, no network, no model\.$/, "backend.about.extractive"],
  [/^Answers from a script in the text, failures included\. For trying things out and for tests\.$/, "backend.about.mock"],
  [/^Any server that speaks OpenAI's chat completions\.$/, "backend.about.chat"],
  [/^OpenAI's own API\.$/, "backend.about.openaiOwn"],
  [/^MiniMax over its OpenAI-compatible API\.$/, "backend.about.minimax"],
  [/^DeepSeek over its OpenAI-compatible API\.$/, "backend.about.deepseekApi"],
  [/^OpenRouter, which passes requests on to many providers\.$/, "backend.about.openrouter"],
  [/^Models on this machine, served by Ollama\. Needs no key\.$/, "backend.about.ollama"],
  [/^The Codex agent with its main model\.$/, "backend.about.codex"],
  [/^The Codex agent on DeepSeek, with a secret and a home of its own\.$/, "backend.about.codexDeepseek"],
  [/^The Codex agent on MiniMax M3, with a secret and a home of its own\.$/, "backend.about.codexMinimax"],
  [/^The Claude Code command line, one process a request\.$/, "backend.about.claudeCode"],
  [/^An OpenClaw gateway with its own provider session\.$/, "backend.about.openclaw"],
  [/^Picks sentences out of the text by fixed rules; no model is asked\.$/, "server.extractiveTurn"],
];

/** A sentence of the server's own in the reader's language; anybody else's words stay as they came. */
export function serverSentence(t: Translate, text: string): string {
  for (const [pattern, key] of SENTENCES) {
    const found = pattern.exec(text);
    if (found === null) continue;
    const { reason, ...groups } = found.groups ?? {};
    // A reason may be a sentence of ours again.
    return t(key, reason === undefined ? groups : { ...groups, reason: serverSentence(t, reason) });
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

const ANY_SERVER = "Any server that speaks OpenAI's chat completions.";

/** What a backend is, in one sentence. Those that come with the product are said in the reader's language. */
export function backendAbout(t: Translate, backend: { description: string; baseUrl: string | null }): string {
  const { description, baseUrl } = backend;
  if (description === ANY_SERVER && baseUrl !== null && URL.canParse(baseUrl))
    return t("backend.about.openai", { host: new URL(baseUrl).host });
  return serverSentence(t, description);
}
