/** What the YAML library finds, in words of our own: its messages repeat the text, which may be a key. */
import type { ErrorCode } from "yaml";

/** The library's codes, and ours for what it tells by codes that stand for many things. */
export type SyntaxReason =
  | ErrorCode
  | "UNCLOSED_QUOTE"
  | "UNCLOSED_BRACKET"
  | "WRONG_BRACKET"
  | "COLON_AT_END"
  | "LINE_TOO_FAR_IN";

export const SYNTAX_SENTENCES: Readonly<Record<SyntaxReason, string>> = {
  ALIAS_PROPS: "An alias (*name) takes neither an anchor nor a tag; remove it.",
  BAD_ALIAS: "An anchor or alias needs a name, as in &name and *name.",
  BAD_DIRECTIVE: "This line begins with % but is no YAML directive; remove it.",
  BAD_DQ_ESCAPE: "This is no escape sequence in double quotes; write \\\\ for a backslash, or use single quotes.",
  BAD_INDENT: "The indentation does not fit the lines above, or a bracket is not closed.",
  BAD_PROP_ORDER: "Anchors (&name) and tags (!name) stand after the dash or the colon.",
  BAD_SCALAR_START: "A value cannot begin with this character; put it in quotes.",
  BLOCK_AS_IMPLICIT_KEY: "A second key stands on this line; put it on a line of its own, or the value in quotes.",
  BLOCK_IN_FLOW: "Inside brackets everything is written with commas and brackets, not with lines.",
  DUPLICATE_KEY: "This key stands here a second time; keep one of them.",
  IMPOSSIBLE: "This cannot be read as YAML.",
  KEY_OVER_1024_CHARS: "The colon is too far from the beginning of its key; a key has at most 1024 characters.",
  MISSING_CHAR: "Something is missing here: a colon with a space after it, a comma, a closing quote or a closing bracket.",
  MULTILINE_IMPLICIT_KEY: "A key stands on one line; a colon is missing after it, or quotes around a value.",
  MULTIPLE_ANCHORS: "A value has at most one anchor (&name).",
  MULTIPLE_DOCS: "A second document begins here; a configuration is one document.",
  MULTIPLE_TAGS: "A value has at most one tag (!name).",
  NON_STRING_KEY: "A key must be a text; put it in quotes.",
  RESOURCE_EXHAUSTION: "This is nested too deep to be read.",
  TAB_AS_INDENT: "Indent with spaces; YAML allows no tabs here.",
  TAG_RESOLVE_FAILED: "Tags such as !name are not used here; remove it.",
  COLON_AT_END: "A value that ends with a colon is read as a key; put it in quotes, or write what is missing after the colon.",
  LINE_TOO_FAR_IN: "This line is indented further than the value above allows; indent it as the line above.",
  WRONG_BRACKET: "This bracket does not fit the one that is open here; remove it, or write the one that fits.",
  UNCLOSED_BRACKET: "The bracket that opens here is never closed; close it where the list or mapping ends.",
  UNCLOSED_QUOTE: "The quote that opens here is never closed; add one where the value ends.",
  UNEXPECTED_TOKEN: "This does not belong here; a quote or a bracket may be missing, or one too many.",
  BAD_COLLECTION_TYPE: "Tags such as !name are not used here; remove it.",
};
