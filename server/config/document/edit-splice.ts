/** One change of one field as a change of characters: all other characters stay. Null = this is not how the place can be changed. */
import { isMap, isScalar, isSeq, type Pair, type ParsedNode, type Scalar, type YAMLMap, type YAMLSeq } from "yaml";
import {
  blockLines,
  blockValueLines,
  inlinePair,
  inlineValue,
  isBlockCollection,
  isFilled,
  valueColumn,
  type YamlStyle,
} from "./yaml-style";

type ParsedPair = Pair<ParsedNode, ParsedNode | null>;

/** `text` and the library's view of it, offset by offset. */
export interface EditSource {
  text: string;
  style: YamlStyle;
}

function replaced(text: string, start: number, end: number, by: string): string {
  return text.slice(0, start) + by + text.slice(end);
}

function lineStart(text: string, at: number): number {
  return text.lastIndexOf("\n", at - 1) + 1;
}

/** Where the next line begins, or the end of the text. A place that begins a line is taken for the end of the line before. */
function lineAfter(text: string, at: number): number {
  if (at > 0 && text[at - 1] === "\n") return at;
  const end = text.indexOf("\n", at);
  return end === -1 ? text.length : end + 1;
}

function colonEnd(pair: ParsedPair): number | null {
  const colon = pair.srcToken?.sep?.find(({ type }) => type === "map-value-ind");
  return colon ? colon.offset + 1 : null;
}

/** The end of the last character that belongs to the value; comments and line ends after it do not. */
function contentEnd(node: ParsedNode): number {
  if (isBlockCollection(node)) {
    const last = isMap(node) || isSeq(node) ? node.items.at(-1) : undefined;
    if (last && "key" in last) return pairEnd(last);
    if (last) return contentEnd(last);
  }
  return node.range[1];
}

function pairEnd(pair: ParsedPair): number {
  const colon = colonEnd(pair) ?? pair.key.range[1];
  if (!pair.value || (isScalar(pair.value) && pair.value.range[0] === pair.value.range[1])) return colon;
  return Math.max(colon, contentEnd(pair.value));
}

/** True when nothing but blanks stands before the offset on its line. */
function beginsLine(text: string, at: number): boolean {
  return text.slice(lineStart(text, at), at).trim() === "";
}

export function setPairValue({ text, style }: EditSource, pair: ParsedPair, value: unknown, isInFlow: boolean): string | null {
  const colon = colonEnd(pair);
  if (colon === null) return null;
  const old = pair.value;
  const isEmpty = !old || (isScalar(old) && old.range[0] === old.range[1]);
  const isFlow = old !== null && !isEmpty && !isScalar(old) && !isBlockCollection(old);
  // `{}` and `[]` are only places: what is put there becomes lines.
  const isPlace = (isMap(old) || isSeq(old)) && old.items.length === 0;
  if (isInFlow || (isFlow && !(isPlace && isFilled(value)))) {
    const inline = inlineValue(value, true, chosenQuote(old, true));
    return isEmpty || !old ? replaced(text, colon, colon, ` ${inline}`) : replaced(text, old.range[0], old.range[1], inline);
  }
  const keyColumn = pair.key.range[0] - lineStart(text, pair.key.range[0]);
  if (old && isBlockCollection(old)) {
    const end = lineAfter(text, colon);
    const rest = replaced(text, end, lineAfter(text, contentEnd(old)), "");
    return isFilled(value)
      ? withValueBelow({ text: rest, style }, end, keyColumn, value)
      : replaced(rest, colon, colon, ` ${inlineValue(value, false)}`);
  }
  if (isFilled(value)) {
    const without = old && !isEmpty ? withoutScalar(text, colon, old) : text;
    return withValueBelow({ text: without, style }, lineAfter(without, colon), keyColumn, value);
  }
  if (!old || isEmpty) return replaced(text, colon, colon, ` ${inlineValue(value, false)}`);
  const inline = inlineValue(value, false, chosenQuote(old, false));
  // A text of several lines ends with its last line end.
  const tail = text[old.range[1] - 1] === "\n" ? style.lineEnd : "";
  return replaced(text, old.range[0], old.range[1], inline + tail);
}

/** The quotes around a text that needs none: somebody chose them, so the next value gets them too. */
function chosenQuote(old: ParsedNode | null, isInFlow: boolean): Scalar.Type | null {
  if (!isScalar(old) || typeof old.value !== "string" || /^["']/.test(inlineValue(old.value, isInFlow))) return null;
  return old.type ?? null;
}

/** A comment beside the value stays beside the key. */
function withoutScalar(text: string, colon: number, old: ParsedNode): string {
  return replaced(text, colon, old.range[1], text[old.range[1] - 1] === "\n" ? "\n" : "");
}

function withValueBelow({ text, style }: EditSource, at: number, keyColumn: number, value: object): string {
  return withLines({ text, style }, at, blockValueLines(value, valueColumn(value, keyColumn, style), style));
}

/** Puts whole lines where a line begins, or after a last line without an end. */
function withLines({ text, style }: EditSource, at: number, lines: string): string {
  if (at === text.length && text !== "" && !text.endsWith("\n"))
    return text + style.lineEnd + lines.slice(0, -style.lineEnd.length);
  return replaced(text, at, at, lines);
}

export function addPair(source: EditSource, map: YAMLMap.Parsed, key: string, value: unknown): string | null {
  const { text, style } = source;
  const last = map.items.at(-1);
  if (map.flow === true) {
    if (!last) return replaced(text, map.range[0], map.range[1], `{ ${inlinePair(key, value)} }`);
    const end = pairEnd(last);
    return replaced(text, end, end, `, ${inlinePair(key, value)}`);
  }
  const [first] = map.items;
  if (!first || !last) return null;
  const column = first.key.range[0] - lineStart(text, first.key.range[0]);
  return withLines(source, lineAfter(text, pairEnd(last)), blockLines(key, value, column, style));
}

/** `holder`: the pair whose value the mapping is; null at the top. */
export function removePair(source: EditSource, map: YAMLMap.Parsed, pair: ParsedPair, holder: ParsedPair | null): string | null {
  const { text } = source;
  const at = map.items.indexOf(pair);
  if (map.flow === true) {
    return removeFromFlow(
      text,
      map,
      map.items.map((item) => [item.key.range[0], pairEnd(item)] as const),
      at,
      "{}",
    );
  }
  if (map.items.length === 1 && holder) return emptied(text, map, holder, "{}");
  if (
    !beginsLine(text, pair.key.range[0]) ||
    !pair.srcToken ||
    pair.srcToken.start.some(({ type }) => type === "explicit-key-ind")
  )
    return null;
  return withoutLines(text, pair.key.range[0], pairEnd(pair));
}

function withoutLines(text: string, start: number, end: number): string {
  const first = lineStart(text, start);
  const after = lineAfter(text, end);
  // The last line of a text without an end takes the line end before it along.
  if (after === text.length && !text.endsWith("\n")) return text.slice(0, first).replace(/\r?\n$/, "");
  return replaced(text, first, after, "");
}

/** `key:` with nothing below would be nothing; `{}` and `[]` say that there is a place. */
function emptied(text: string, node: ParsedNode, holder: ParsedPair, sign: "{}" | "[]"): string | null {
  const colon = colonEnd(holder);
  if (colon === null) return null;
  const end = lineAfter(text, colon);
  const without = node.range[0] < end ? null : replaced(text, end, lineAfter(text, contentEnd(node)), "");
  return without === null ? null : replaced(without, colon, colon, ` ${sign}`);
}

function removeFromFlow(
  text: string,
  node: ParsedNode,
  extents: (readonly [number, number])[],
  at: number,
  sign: "{}" | "[]",
): string | null {
  const [own, before, next] = [extents[at], extents[at - 1], extents[at + 1]];
  if (!own) return null;
  if (next) return replaced(text, own[0], next[0], "");
  if (before) return replaced(text, before[1], own[1], "");
  return replaced(text, node.range[0], node.range[1], sign);
}

export function setItem({ text, style }: EditSource, list: YAMLSeq.Parsed, at: number, value: unknown): string | null {
  const old = list.items[at];
  if (!old || isBlockCollection(old) || old.range[0] === old.range[1]) return null;
  const inline = inlineValue(value, list.flow === true, chosenQuote(old, list.flow === true));
  const tail = text[old.range[1] - 1] === "\n" ? style.lineEnd : "";
  return replaced(text, old.range[0], old.range[1], inline + tail);
}

export function addItem(source: EditSource, list: YAMLSeq.Parsed, value: unknown): string | null {
  const { text, style } = source;
  const last = list.items.at(-1);
  const inline = inlineValue(value, list.flow === true);
  if (list.flow === true) {
    return last
      ? replaced(text, contentEnd(last), contentEnd(last), `, ${inline}`)
      : replaced(text, list.range[0], list.range[1], `[ ${inline} ]`);
  }
  if (!last) return null;
  const column = list.range[0] - lineStart(text, list.range[0]);
  return withLines(source, lineAfter(text, contentEnd(last)), `${" ".repeat(column)}- ${inline}${style.lineEnd}`);
}

export function removeItem({ text }: EditSource, list: YAMLSeq.Parsed, at: number, holder: ParsedPair | null): string | null {
  const item = list.items[at];
  if (!item) return null;
  if (list.flow === true) {
    return removeFromFlow(
      text,
      list,
      list.items.map((other) => [other.range[0], contentEnd(other)] as const),
      at,
      "[]",
    );
  }
  if (list.items.length === 1 && holder) return emptied(text, list, holder, "[]");
  const dash =
    list.srcToken?.type === "block-seq" ? list.srcToken.items[at]?.start.find(({ type }) => type === "seq-item-ind") : undefined;
  return dash && beginsLine(text, dash.offset) ? withoutLines(text, dash.offset, contentEnd(item)) : null;
}
