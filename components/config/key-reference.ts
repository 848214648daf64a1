/** How a variable is named inside a value. */
// biome-ignore lint/suspicious/noTemplateCurlyInString: it is what the document's syntax looks like.
export const VARIABLE_EXAMPLE = "${NAME}";

const REFERENCE_FORMS = [/^env:[A-Za-z_][A-Za-z0-9_]*$/, /^\$\{[A-Za-z_][A-Za-z0-9_]*\}$/, /^file:\/\S.*$/];
const UNFINISHED_FORMS = [
  /^(?:e|en|env|env:|env:[A-Za-z_][A-Za-z0-9_]*)$/,
  /^\$(?:\{(?:[A-Za-z_][A-Za-z0-9_]*\}?)?)?$/,
  /^(?:f|fi|fil|file|file:|file:\/.*)$/,
];

/** Whether a text says where a key is to be found (`env:NAME`, `${NAME}`, `file:/path`). Anything else may be the key itself. */
export function isKeyReference(text: string): boolean {
  return REFERENCE_FORMS.some((form) => form.test(text));
}

/** Whether it can still become one by typing on. */
export function isUnfinishedReference(text: string): boolean {
  return text === "" || UNFINISHED_FORMS.some((form) => form.test(text));
}

/** `env:OPENAI_API_KEY` for the provider `openai`. */
export function suggestedKeyReference(provider: string): string {
  const words = provider
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, "_")
    .replace(/^_+|_+$/g, "");
  if (words === "") return "";
  const name = /_?API$/.test(words) ? `${words}_KEY` : `${words}_API_KEY`;
  return `env:${/^\d/.test(name) ? `_${name}` : name}`;
}

/** `apiKey: …` or `"apiKey": …`, in block or flow style; not an entry without a value before the next entry. */
const KEY_ENTRY =
  /(?:^|[\s{,#])["']?apiKey["']?\s*:\s+(?!["']?[\w.-]+["']?\s*:(?:\s|$))(?:"([^"\n]*)"|'([^'\n]*)'|(\$\{[^}\n]*\}|[^\s,}#][^,}#\n]*))|"apiKey":["']([^"'\n]*)/g;
/** In a comment only what looks like a key is taken for one. */
const LIKE_A_KEY = /^\S{16,}$/;

/** The line (from 1) on which the text gives a key itself instead of a reference; null when it does not. A text like that is not put into the browser's storage. */
export function lineOfLiteralKey(text: string): number | null {
  for (const match of text.matchAll(KEY_ENTRY)) {
    const given = (match[1] ?? match[2] ?? match[3] ?? match[4] ?? "").trim();
    const before = text.slice(text.lastIndexOf("\n", match.index) + 1, match.index + 1);
    // `*name` repeats a value that stands elsewhere.
    if (given === "" || given === "~" || given === "null" || given.startsWith("*") || isKeyReference(given)) continue;
    if (before.includes("#") && !LIKE_A_KEY.test(given)) continue;
    return text.slice(0, match.index + match[0].length).split("\n").length;
  }
  return null;
}
