/** How a text is written, and new values in the same manner. */
import { Document, isMap, isScalar, isSeq, type ParsedNode, type Scalar, type ToStringOptions, visit } from "yaml";
import type { YamlDocument } from "./parse-yaml";

export interface YamlStyle {
  lineEnd: "\n" | "\r\n";
  /** Blanks a level. */
  indent: number;
  /** True when the dashes of a list stand further in than its key. */
  isListIndented: boolean;
}

/** What a text shows; where it shows nothing: line feeds, two blanks, dashes further in. */
export function styleOf(text: string, document: YamlDocument): YamlStyle {
  const style: YamlStyle = { lineEnd: /\r\n/.test(text) ? "\r\n" : "\n", indent: 2, isListIndented: true };
  const columnOf = (at: number) => at - (text.lastIndexOf("\n", at - 1) + 1);
  let isIndentSeen = false;
  let isListSeen = false;
  visit(document, {
    Pair(_key, { key, value }) {
      if (!isScalar(key) || !key.range) return;
      const isBlock = (isMap(value) || isSeq(value)) && value.flow !== true && value.range && value.items.length > 0;
      if (!isBlock || !value.range) return;
      const step = columnOf(value.range[0]) - columnOf(key.range[0]);
      if (isMap(value) && !isIndentSeen && step > 0 && step <= 8) {
        style.indent = step;
        isIndentSeen = true;
      }
      if (isSeq(value) && !isListSeen) {
        style.isListIndented = step > 0;
        isListSeen = true;
      }
    },
  });
  return style;
}

/** `key: value` as lines in block style, indented by `column` blanks, with a line end after each. */
export function blockLines(key: string, value: unknown, column: number, style: YamlStyle): string {
  const name = `${" ".repeat(column)}${inlineValue(key, false)}:`;
  if (!isFilled(value)) return `${name} ${inlineValue(value, false)}${style.lineEnd}`;
  return `${name}${style.lineEnd}${blockValueLines(value, valueColumn(value, column, style), style)}`;
}

/** The lines of a mapping or list. The library would indent lists by its own rule, not by the file's. */
export function blockValueLines(value: object, column: number, style: YamlStyle): string {
  if (!Array.isArray(value))
    return Object.entries(value)
      .map(([key, inner]) => blockLines(key, inner, column, style))
      .join("");
  const dash = `${" ".repeat(column)}- `;
  const items: unknown[] = value;
  return items
    .map((item) => {
      if (!isFilled(item)) return `${dash}${inlineValue(item, false)}${style.lineEnd}`;
      return dash + blockValueLines(item, dash.length, style).slice(dash.length);
    })
    .join("");
}

/** Where the lines of a value begin when its key begins at `keyColumn`. */
export function valueColumn(value: object, keyColumn: number, style: YamlStyle): number {
  return keyColumn + (Array.isArray(value) && !style.isListIndented ? 0 : style.indent);
}

/** True for a mapping or list that is not empty. */
export function isFilled(value: unknown): value is object {
  return typeof value === "object" && value !== null && Object.keys(value).length > 0;
}

/** A value on one line, as it stands after `key: `. `quote` keeps the quotes that a text had. */
export function inlineValue(value: unknown, isInFlow: boolean, quote?: Scalar.Type | null): string {
  const document = new Document([value]);
  const [node] = isSeq(document.contents) ? document.contents.items : [];
  if (isScalar(node) && typeof node.value === "string" && (quote === "QUOTE_DOUBLE" || quote === "QUOTE_SINGLE"))
    node.type = quote;
  // What stands in brackets needs more quotes than what ends with its line.
  if (isInFlow || !isScalar(node)) {
    const text = document.toString({ ...LONG_LINES, blockQuote: false, collectionStyle: "flow" }).trimEnd();
    return text.replace(/^\[\s*|\s*\]$/g, "");
  }
  return document
    .toString({ ...LONG_LINES, blockQuote: false })
    .trimEnd()
    .replace(/^- /, "");
}

/** `key: value` for a flow mapping. */
export function inlinePair(key: string, value: unknown): string {
  return inlineValue({ [key]: value }, true).replace(/^\{\s*|\s*\}$/g, "");
}

const LONG_LINES: ToStringOptions = { lineWidth: 0, doubleQuotedMinMultiLineLength: 1_000_000, flowCollectionPadding: true };

export function writingOptions(style: YamlStyle): ToStringOptions {
  return { ...LONG_LINES, indent: style.indent, indentSeq: style.isListIndented };
}

export function isBlockCollection(node: ParsedNode | null): boolean {
  return (isMap(node) || isSeq(node)) && node.flow !== true;
}
