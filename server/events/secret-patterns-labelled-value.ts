/** Reads the value behind a label (`password:`, `API_KEY=`, `--token`, `<password>`) and judges whether it is a secret or a word. */

export type SecretKind =
  | "api-key"
  | "bearer-token"
  | "basic-auth"
  | "password"
  | "private-key"
  | "url-credential"
  | "jwt"
  | "aws-key"
  | "github-token"
  | "slack-token"
  | "google-key"
  | "kubeconfig"
  | "token";

export type LabelKind = "password" | "key" | "token" | "chinese" | "authorization" | "scheme" | "query";

export interface LabelledValue {
  start: number;
  end: number;
  text: string;
  label: LabelKind;
  secretKind: SecretKind;
  quoted: boolean;
  /** `NAME=value` or `name=value` without blanks: an assignment, not prose. */
  glued: boolean;
  /** The label is in capitals, as in an environment file. */
  isVariable: boolean;
  /** Nothing follows the value on its line. */
  endsLine: boolean;
  /** A command-line flag: `--token value`. */
  flag: boolean;
  /** An authorization scheme stood before it. */
  scheme: "basic" | "bearer" | "none";
}

/** Longer values are cut here; nothing real is longer but keys in PEM or kubeconfig form. */
const VALUE_LIMIT = 4096;
const KUBECONFIG_LIMIT = 64 * 1024;

const SEPARATOR = /\\{0,2}["'`]?\]?[ \t]{0,4}(?::=|=>|==|[:=：＝>]|是|为|[ \t]is:?(?=[ \t]))[ \t]{0,8}(?:\r?\n[ \t]{1,8})?/y;
const BLANK = /[ \t]{1,4}/y;
const SCHEME = /(bearer|basic|token|digest|apikey|key)[ \t]{1,4}/iy;
const OPENING_QUOTE = /\\{0,2}["'`]/y;
const DOUBLE_QUOTED = /(?:[^"\\\r\n]|\\.){1,4096}/y;
const SINGLE_QUOTED = /(?:[^'\\\r\n]|\\.){1,4096}/y;
const BACK_QUOTED = /[^`\r\n]{1,4096}/y;
/** Inside a JSON string inside a JSON string, the value ends at the next backslash. */
const ESCAPED_QUOTED = /[^"'`\\\r\n]{1,4096}/y;
const UNQUOTED = /[^\s"'`<>,;\\\u2e80-\uffff]{1,4096}/y;
const UNQUOTED_IN_QUERY = /[^\s"'`<>,;\\&#\u2e80-\uffff]{1,4096}/y;
const BASE64_LONG = /[A-Za-z0-9+/=_-]{16,65536}/y;

/**
 * The value of the label at `labelStart`..`labelEnd`, or null when what follows is no assignment. Reads at most
 * `VALUE_LIMIT` characters.
 */
export function readLabelledValue(text: string, labelStart: number, labelEnd: number, label: LabelKind): LabelledValue | null {
  if (isLetter(text.charCodeAt(labelEnd))) return null;
  let position = endOfNumberSuffix(text, labelEnd);
  const scheme = label === "scheme" ? (text.charAt(labelStart + 1).toLowerCase() === "a" ? "basic" : "bearer") : "none";
  let flag = false;
  let separator = "";
  if (label === "scheme") {
    if (isWordCharacter(text, labelStart - 1)) return null;
    const blank = endOfMatch(BLANK, text, position);
    if (blank < 0) return null;
    position = blank;
  } else {
    const afterSeparator = endOfMatch(SEPARATOR, text, position);
    if (afterSeparator >= 0) {
      separator = text.slice(position, afterSeparator);
      position = afterSeparator;
    } else {
      const blank = endOfMatch(BLANK, text, position);
      if (blank < 0 || !isFlag(text, labelStart)) return null;
      flag = true;
      position = blank;
    }
    if (separator.includes(">") && !separator.includes("=>") && !isInTag(text, labelStart)) return null;
    if (label === "authorization" && /auth/i.test(text.slice(labelStart, labelEnd)) && isWordCharacter(text, labelStart - 1))
      return null;
  }
  return readValue(text, labelStart, position, {
    label,
    flag,
    separator,
    scheme,
    word: text.slice(labelStart, labelEnd),
    isAws: /aws_/i.test(text.slice(Math.max(0, labelStart - "aws_secret_".length), labelStart)),
  });
}

interface Context {
  label: LabelKind;
  flag: boolean;
  separator: string;
  scheme: LabelledValue["scheme"];
  word: string;
  isAws: boolean;
}

function readValue(text: string, labelStart: number, from: number, context: Context): LabelledValue | null {
  let start = from;
  let scheme = context.scheme;
  const quoteEnd = endOfMatch(OPENING_QUOTE, text, start);
  const quote = quoteEnd < 0 ? "" : text.slice(start, quoteEnd);
  if (quoteEnd >= 0) start = quoteEnd;
  if (context.label === "authorization") {
    const afterScheme = endOfMatch(SCHEME, text, start);
    if (afterScheme >= 0) {
      scheme = /^basic/i.test(text.slice(start, start + 5)) ? "basic" : "bearer";
      start = afterScheme;
    }
  }
  const isKubeconfig = context.word.toLowerCase() === "client-key-data";
  const pattern = isKubeconfig ? BASE64_LONG : valuePattern(quote, isInQuery(text, labelStart));
  let end = endOfMatch(pattern, text, start);
  if (end < 0) return null;
  end = Math.min(end, start + (isKubeconfig ? KUBECONFIG_LIMIT : VALUE_LIMIT));
  const closed = quote !== "" && text.startsWith(quote, end);
  if (quote !== "" && !closed && !isKubeconfig) {
    // An opening quote that never closes (a cut log line): the first run is the value.
    end = endOfMatch(UNQUOTED, text, start);
    if (end < 0) return null;
  }
  if (!closed && !isKubeconfig) while (end > start && ".)]}:?".includes(text.charAt(end - 1))) end--;
  if (end <= start) return null;
  return {
    start,
    end,
    text: text.slice(start, end),
    label: context.label,
    secretKind: secretKindOf(context, scheme, isKubeconfig),
    quoted: closed,
    glued: context.separator === "=" || context.separator === ":=",
    isVariable: context.word === context.word.toUpperCase(),
    endsLine: end >= text.length || "\r\n".includes(text.charAt(end)),
    flag: context.flag,
    scheme,
  };
}

function secretKindOf(context: Context, scheme: LabelledValue["scheme"], isKubeconfig: boolean): SecretKind {
  if (isKubeconfig) return "kubeconfig";
  if (scheme === "basic") return "basic-auth";
  if (scheme === "bearer") return "bearer-token";
  switch (context.label) {
    case "password":
      return "password";
    case "chinese":
      return context.word === "密码" || context.word === "口令" || context.word === "暗号" ? "password" : "token";
    case "key":
      return context.isAws ? "aws-key" : "api-key";
    default:
      return "token";
  }
}

function valuePattern(quote: string, inQuery: boolean): RegExp {
  if (quote === '"') return DOUBLE_QUOTED;
  if (quote === "'") return SINGLE_QUOTED;
  if (quote === "`") return BACK_QUOTED;
  if (quote !== "") return ESCAPED_QUOTED;
  return inQuery ? UNQUOTED_IN_QUERY : UNQUOTED;
}

const NEVER_A_SECRET =
  /^(?:env:|file:|secretref|process\.env|import\.meta|os\.(?:environ|getenv)|\$|%[A-Z_]+%$|\{|<|\[|\*+$|x{3,}$|\.{2,}|…|(?:null|nil|none|undefined|true|false|yes|no|required|optional|string|str|number|int|integer|boolean|bool|bytes|any|object|unknown|void|missing|set|unset|empty|invalid|expired|incorrect|wrong|redacted|hidden|masked|secret|password|token|apikey|api[_-]key|default|example|here|n\/a)[\])}]*$)/i;
const CODE_PATH = /^[A-Za-z_$][\w$]*(?:(?:\?\.|\.|::|->)[A-Za-z_$][\w$]*)+$/;
const CODE_CALL = /^(?:await |new )?[A-Za-z_$][\w$.]*[([]/;
const FILE_PATH = /^(?:(?:~|\.{1,2})?\/[\w@.-]+(?:\/[\w@.-]*)*|[A-Za-z]:\\.*)$/;
/** A value of this length is a secret whatever it is made of; it also bounds what a refused value can cost. */
const ALWAYS_LONG = 64;

/** Whether the value is a secret rather than a word of prose, a type, a variable or a reference. */
export function isPlausibleValue(text: string, value: LabelledValue): boolean {
  const { text: word, label } = value;
  if (NEVER_A_SECRET.test(word) || /^\[?redacted/i.test(word)) return false;
  if (value.secretKind === "kubeconfig") return true;
  if (value.scheme === "basic") return isBasicCredential(word);
  if (value.scheme === "bearer")
    return word.length >= 20 ? !/\s/.test(word) : word.length >= 6 && (/\d/.test(word) || label === "authorization");
  if (/\s/.test(word)) return isPassphrase(value);
  if (!value.quoted && (CODE_PATH.test(word) || CODE_CALL.test(word) || text.charAt(value.end) === "(") && !/\d/.test(word))
    return false;
  if (FILE_PATH.test(word) && (!/[A-Z]/.test(word) || /\.\w{1,5}$/.test(word))) return false;
  if (/^https?:\/\//i.test(word)) return false;
  if (word.length >= ALWAYS_LONG) return true;
  if (label === "authorization" || label === "query") return word.length >= 16 && /\d/.test(word);
  if (value.secretKind === "password") return isPassword(value);
  return isToken(value);
}

function isPassword(value: LabelledValue): boolean {
  const { text: word } = value;
  if (value.quoted || value.glued || value.flag) return word.length >= 3;
  if (word.length < 4) return false;
  if (/\d/.test(word) || /[^\w.,:;!?()'-]/.test(word)) return true;
  return word.length >= 6 && value.endsLine;
}

function isToken(value: LabelledValue): boolean {
  const { text: word } = value;
  if (word.length < 6 || /^\d{1,15}(?:\.\d+)?[a-z%]{0,2}$/i.test(word)) return false;
  if (value.quoted || value.flag) return word.length >= 8 && !isPlainName(word);
  if (/\d/.test(word) && word.length >= 8) return !/^\d{4}-\d{2}-\d{2}/.test(word);
  if (value.glued) return value.isVariable || (word.length >= 8 && !isPlainName(word));
  return word.length >= 20 && /[A-Z]/.test(word) && /[a-z]/.test(word) && !/^[a-z]+(?:[A-Z][a-z]+)+$/.test(word);
}

/** `next-token`, `accessToken`, `csrf_token`: names, as code and settings are full of. */
function isPlainName(word: string): boolean {
  return (
    word.length < 24 &&
    /^(?:[A-Z]?[a-z]+|[A-Z]+)(?:[_.-]?(?:[A-Z]?[a-z]+|[A-Z]+)){0,3}$/.test(word) &&
    (/[_.-]|[a-z][A-Z]/.test(word) || /token|secret|key/i.test(word))
  );
}

const SENTENCE_WORDS = /\b(?:password|passphrase|your|must|please|enter|required|forgot|reset|the)\b/i;

/** A quoted value with blanks: a passphrase, unless it reads like a sentence of a form (`"password": "Enter your password"`). */
function isPassphrase(value: LabelledValue): boolean {
  if (value.secretKind !== "password" || !value.quoted || value.text.length > 128) return false;
  return !/^[A-Z]/.test(value.text) && !SENTENCE_WORDS.test(value.text);
}

function isBasicCredential(word: string): boolean {
  if (!/^[A-Za-z0-9+/_-]{6,}={0,2}$/.test(word)) return false;
  return Buffer.from(word, "base64").includes(0x3a);
}

function endOfMatch(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex : -1;
}

const NUMBER_SUFFIX = /[_-]?\d{1,3}(?!\w)/y;

/** `PASSWORD_2=`, `api_key1:`. */
function endOfNumberSuffix(text: string, from: number): number {
  const end = endOfMatch(NUMBER_SUFFIX, text, from);
  return end < 0 ? from : end;
}

function isWordCharacter(text: string, index: number): boolean {
  if (index < 0) return false;
  const code = text.charCodeAt(index);
  return isLetter(code) || isDigit(code);
}

function isLetter(code: number): boolean {
  const small = code | 0x20;
  return small >= 0x61 && small <= 0x7a;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/** A letter, a digit, or one of `_.-`. */
function isNameCharacter(code: number): boolean {
  return isLetter(code) || isDigit(code) || code === 0x5f || code === 0x2e || code === 0x2d;
}

const LABEL_REACH = 40;

/** The character before the whole name that the label ends, e.g. the `?` of `?access_token=`. */
function startOfName(text: string, labelStart: number): number {
  let start = labelStart;
  while (start > 0 && labelStart - start < LABEL_REACH && isNameCharacter(text.charCodeAt(start - 1))) start--;
  return start;
}

function isFlag(text: string, labelStart: number): boolean {
  const start = startOfName(text, labelStart);
  return text.startsWith("--", start) && (start === 0 || /\s/.test(text.charAt(start - 1)));
}

function isInQuery(text: string, labelStart: number): boolean {
  return "?&".includes(text.charAt(startOfName(text, labelStart) - 1) || " ");
}

function isInTag(text: string, labelStart: number): boolean {
  return text.charAt(startOfName(text, labelStart) - 1) === "<";
}
