/** A problem of the document as a sentence of the reader's language, with every fact that the server's own sentence has. */
import type { Translate } from "@/components/i18n/i18n-provider";
import type { MessageKey } from "@/components/i18n/messages";
import { type ConfigProblem, SECRET_STATES } from "@/server/config/config.rules";

/** Sentences by code and reason; a problem whose reason is not among them gets the one of its code. */
export const REASON_KEYS: ReadonlySet<string> = new Set<MessageKey>([
  "config.problem.too_large.bytes",
  "config.problem.too_large.parts",
  "config.problem.alias_bomb.itself",
  "config.problem.alias_bomb.expansion",
  "config.problem.duplicate_key.requires",
  "config.problem.unknown_key.meant",
  "config.problem.unknown_key.merge",
  "config.problem.unknown_key.elsewhere",
  "config.problem.choice",
  "config.problem.choice_meant",
  "config.problem.missing_key.kind",
  "config.problem.missing_key.key",
  "config.problem.missing_key.price",
  "config.problem.wrong_type.nothing",
  "config.problem.wrong_type.quotes",
  "config.problem.wrong_type.point",
  "config.problem.wrong_type.candidates",
  "config.problem.wrong_type.provider_and_model",
  "config.problem.out_of_range.length",
  "config.problem.out_of_range.entries",
  "config.problem.out_of_range.not_finite",
  "config.problem.out_of_range.path",
  "config.problem.out_of_range.currency",
  "config.problem.bad_name.merge",
  "config.problem.bad_name.reserved",
  "config.problem.empty_scene.default",
  "config.problem.empty_scene.inherits",
  "config.problem.bad_model_reference.empty",
  "config.problem.bad_model_reference.no_provider",
  "config.problem.bad_model_reference.no_model",
  "config.problem.bad_model_reference.no_slash",
  "config.problem.bad_model_reference.blanks",
  "config.problem.bad_model_reference.length",
  "config.problem.bad_model_reference.stray_mark",
  "config.problem.bad_model_reference.control",
  "config.problem.bad_model_reference.star",
  "config.problem.unknown_provider.meant",
  "config.problem.unknown_provider.profile",
  "config.problem.unknown_profile.meant",
  "config.problem.price_without_provider.meant",
  "config.problem.key_in_text.address",
  "config.problem.bad_reference.empty",
  "config.problem.bad_reference.own_token",
  "config.problem.bad_reference.own_token_in_address",
  "config.problem.bad_reference.address",
  "config.problem.bad_reference.blanks",
  "config.problem.bad_reference.file",
  "config.problem.bad_reference.mixed",
  "config.problem.bad_reference.braces",
  "config.problem.bad_reference.dollar",
  "config.problem.bad_reference.variable",
  "config.problem.bad_reference.case",
  "config.problem.bad_url.not_http_blanks",
  "config.problem.bad_url.not_http_variable",
  "config.problem.bad_url.not_http_full",
  "config.problem.bad_url.has_user",
  "config.problem.bad_url.has_query",
  "config.problem.no_candidates.empty",
  "config.problem.endpoint_in_url.base",
  "config.problem.secret_not_set.usable",
  "config.problem.variable_not_set.usable",
  "config.problem.not_yaml.version",
  "config.problem.not_yaml.no_anchor",
  "config.problem.not_yaml.ALIAS_PROPS",
  "config.problem.not_yaml.BAD_ALIAS",
  "config.problem.not_yaml.BAD_DIRECTIVE",
  "config.problem.not_yaml.BAD_DQ_ESCAPE",
  "config.problem.not_yaml.BAD_INDENT",
  "config.problem.not_yaml.BAD_PROP_ORDER",
  "config.problem.not_yaml.BAD_SCALAR_START",
  "config.problem.not_yaml.BLOCK_AS_IMPLICIT_KEY",
  "config.problem.not_yaml.BLOCK_IN_FLOW",
  "config.problem.not_yaml.DUPLICATE_KEY",
  "config.problem.not_yaml.IMPOSSIBLE",
  "config.problem.not_yaml.KEY_OVER_1024_CHARS",
  "config.problem.not_yaml.MISSING_CHAR",
  "config.problem.not_yaml.MULTILINE_IMPLICIT_KEY",
  "config.problem.not_yaml.MULTIPLE_ANCHORS",
  "config.problem.not_yaml.MULTIPLE_DOCS",
  "config.problem.not_yaml.MULTIPLE_TAGS",
  "config.problem.not_yaml.NON_STRING_KEY",
  "config.problem.not_yaml.RESOURCE_EXHAUSTION",
  "config.problem.not_yaml.TAB_AS_INDENT",
  "config.problem.not_yaml.TAG_RESOLVE_FAILED",
  "config.problem.not_yaml.COLON_AT_END",
  "config.problem.not_yaml.LINE_TOO_FAR_IN",
  "config.problem.not_yaml.WRONG_BRACKET",
  "config.problem.not_yaml.UNCLOSED_BRACKET",
  "config.problem.not_yaml.UNCLOSED_QUOTE",
  "config.problem.not_yaml.UNEXPECTED_TOKEN",
  "config.problem.not_yaml.BAD_COLLECTION_TYPE",
]);

/** What the sentences name; the server gives those that belong to the code. */
const NAMES = [
  "base",
  "capability",
  "endpoint",
  "firstLine",
  "key",
  "kind",
  "known",
  "least",
  "line",
  "lines",
  "meant",
  "most",
  "name",
  "profile",
  "provider",
  "reference",
] as const;

const FOUND: Readonly<Record<string, MessageKey>> = {
  text: "config.found.text",
  number: "config.found.number",
  flag: "config.found.flag",
  nothing: "config.found.nothing",
  list: "config.found.list",
  mapping: "config.found.mapping",
  alias: "config.found.alias",
};

const WHERE: Readonly<Record<string, MessageKey>> = {
  "the document": "config.where.document",
  "a provider": "config.where.provider",
  "a profile": "config.where.profile",
  "a scene": "config.where.scene",
  "a price": "config.where.price",
  timeouts: "config.where.timeouts",
  supervisor: "config.where.supervisor",
  agents: "config.where.agents",
};

const WHAT: Readonly<Record<string, MessageKey>> = {
  scene: "config.what.scene",
  provider: "config.what.provider",
  profile: "config.what.profile",
  strategy: "config.what.strategy",
  capability: "config.what.capability",
  kind: "config.what.kind",
  tokenizer: "config.what.tokenizer",
  sandbox: "config.what.sandbox",
};

const WANTED: Readonly<Record<string, MessageKey>> = {
  "a text": "config.wanted.text",
  "a list": "config.wanted.list",
  "a mapping": "config.wanted.mapping",
  "a number": "config.wanted.number",
  "a whole number": "config.wanted.whole",
  "a whole number or false": "config.wanted.wholeOrFalse",
  "true or false": "config.wanted.flag",
  "a list of providers": "config.wanted.providers",
  "a list of folders": "config.wanted.folders",
  "a list of provider/model": "config.wanted.references",
  "a mapping of what agent runs may do": "config.wanted.agents",
  "a mapping of enabled and interval": "config.wanted.supervisor",
};

/** Where a key belongs that people look for elsewhere, by where it stands. */
const ADVICE: Readonly<Record<string, MessageKey>> = {
  "the document.supervisorInterval": "config.advice.interval",
  "agents.approval": "config.advice.approval",
  "supervisor.model": "config.advice.supervisorModel",
  "a provider.model": "config.advice.model",
  "a provider.models": "config.advice.model",
  "a provider.kind": "config.advice.kind",
  "a profile.apiKey": "config.advice.profileKey",
};

export function problemSentence(t: Translate, problem: Pick<ConfigProblem, "code" | "details">): string {
  const { details } = problem;
  const word = (table: Readonly<Record<string, MessageKey>>, given: string | undefined) => {
    const key = given === undefined ? undefined : table[given];
    return key === undefined ? (given ?? t("common.none")) : t(key);
  };
  const sentence = t(keyOf(problem), {
    ...Object.fromEntries(NAMES.map((name) => [name, details[name] ?? t("common.none")])),
    found: word(FOUND, details.found),
    where: word(WHERE, details.where),
    what: word(WHAT, details.what),
    wanted: wantedWords(t, details.wanted, (given) => word(WANTED, given)),
    advice: word(ADVICE, `${details.where}.${details.key}`),
    state: stateWord(t, details.state),
    // A template of messages cannot hold a brace itself.
    start: "${",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is how the document names a variable.
    braced: "${NAME}",
  });
  const { uncheckedFrom: from, uncheckedTo: to } = details;
  return from === undefined || to === undefined ? sentence : `${sentence}${t("config.problemUnchecked", { from, to })}`;
}

function keyOf({ code, details: { reason, meant, hint } }: Pick<ConfigProblem, "code" | "details">): MessageKey {
  const why = reason ?? (meant === undefined ? undefined : "meant");
  if (why === "choice" || why === "choice_meant") return `config.problem.${why}`;
  const key = `config.problem.${code}.${hint === undefined ? why : `${why}_${hint}`}`;
  // Checked against the keys in the same breath; the compiler does not narrow a string by `has`.
  return REASON_KEYS.has(key) ? (key as MessageKey) : `config.problem.${code}`;
}

/** `a mapping such as baseUrl and apiKey`: what is wanted, and examples, which are code. */
function wantedWords(t: Translate, given: string | undefined, word: (given: string | undefined) => string): string {
  const [, type, example] = /^(.+?) such as (.+)$/.exec(given ?? "") ?? [];
  if (type === undefined || example === undefined) return word(given);
  const [first = example, second] = example.split(" and ");
  const examples = second === undefined ? example : t("config.wanted.twoExamples", { first, second });
  return t("config.wanted.suchAs", { type: word(type), example: examples });
}

function stateWord(t: Translate, state: string | undefined): string {
  const known = SECRET_STATES.find((each) => each === state);
  return known === undefined ? (state ?? t("common.none")) : t(`keyState.${known}`);
}
