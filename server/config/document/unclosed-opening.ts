/** Quotes and brackets that open and are never closed, or by the wrong one, found in the tokens of the library's parser. */
import type { CST } from "yaml";
import type { SyntaxReason } from "./syntax-sentences";

export interface Opening {
  /** UTF-16 offset of the quote or bracket. */
  at: number;
  reason: Extract<SyntaxReason, "UNCLOSED_QUOTE" | "UNCLOSED_BRACKET" | "WRONG_BRACKET">;
  /** Where to look: the opening, or the bracket that does not fit it. */
  toldAt: number;
}

/** The innermost of nested openings first: the library tells them in that order. By a list of our own instead of recursion. */
export function unclosedOpenings(tokens: readonly CST.Token[]): Opening[] {
  const found: Opening[] = [];
  const waiting: (CST.Token | null | undefined)[] = [...tokens];
  while (waiting.length > 0) {
    const token = waiting.pop();
    if (!token) continue;
    if (token.type === "document") waiting.push(token.value);
    else if (token.type === "single-quoted-scalar" || token.type === "double-quoted-scalar") {
      const isClosed = token.source.length > 1 && token.source.at(-1) === token.source[0];
      if (!isClosed) found.push({ at: token.offset, reason: "UNCLOSED_QUOTE", toldAt: token.offset });
    }
    if (!("items" in token)) continue;
    if (token.type === "flow-collection") {
      const [end] = token.end;
      const at = token.offset;
      if (end?.type === "flow-map-end" || end?.type === "flow-seq-end") {
        if (end.type !== END_OF[token.start.type]) found.push({ at, reason: "WRONG_BRACKET", toldAt: end.offset });
      } else found.push({ at, reason: "UNCLOSED_BRACKET", toldAt: at });
    }
    for (const { key, value } of token.items) waiting.push(key, value);
  }
  return found.toSorted((left, right) => right.at - left.at);
}

const END_OF: Readonly<Record<string, string>> = { "flow-map-start": "flow-map-end", "flow-seq-start": "flow-seq-end" };
