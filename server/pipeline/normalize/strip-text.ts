/** Takes away what models and their servers put around an answer: thinking, control marks, a code fence. */
import { beginsJson, readSpan } from "./find-json";

/** As `<think>`, `[THINK]` and `◁think▷`, with a namespace or attributes or without. */
const THINK_TAG =
  /<(\/?)(?:\w{1,20}:)?(?:think|thinking|thoughts?|reasoning|reflection)(?:\s[^<>]{0,100})?>|\[(\/?)THINK\]|◁(\/?)think▷/gi;

/** The channels of gpt-oss: everything before the final one is thinking. */
const FINAL_CHANNEL = "<|channel|>final<|message|>";

export interface Stripped {
  text: string;
  blocks: number;
  /** How the thinking was marked: the odd ones win over `closed`. */
  form: "closed" | "orphan" | "unclosed" | "channel";
}

/**
 * Takes away what stands between thinking tags; before a lone closing tag and after a lone opening one everything is thinking.
 * Tags inside JSON that stands outside of thinking are its own text. Null when there is no thinking. Linear: a tag or a span is
 * looked at once, and after a span that never ends no other is looked for.
 */
export function stripThinking(text: string): Stripped | null {
  const channel = text.lastIndexOf(FINAL_CHANNEL);
  if (channel >= 0) return { text: text.slice(channel + FINAL_CHANNEL.length).trim(), blocks: 1, form: "channel" };
  const parts: string[] = [];
  const spans = new SpansOutside(text);
  let depth = 0;
  let position = 0;
  let blocks = 0;
  let form: Stripped["form"] = "closed";
  for (const match of text.matchAll(THINK_TAG)) {
    const isClosing = (match[1] ?? match[2] ?? match[3]) === "/";
    if (depth === 0 && spans.hold(match.index, position)) continue;
    if (!isClosing) {
      if (depth === 0) parts.push(text.slice(position, match.index));
      depth++;
    } else {
      if (depth === 0) {
        parts.length = 0;
        form = "orphan";
      }
      if (depth <= 1) blocks++;
      depth = Math.max(0, depth - 1);
    }
    position = match.index + match[0].length;
  }
  if (blocks === 0 && depth === 0) return null;
  if (depth === 0) parts.push(text.slice(position));
  else {
    form = "unclosed";
    blocks++;
  }
  return { text: parts.join("").trim(), blocks, form };
}

/** Whether a place lies in JSON that is whole; asked for rising places. */
class SpansOutside {
  readonly #text: string;
  #at = 0;
  #end = 0;
  #isOver = false;

  constructor(text: string) {
    this.#text = text;
  }

  /** `from`: where the text outside of thinking goes on. */
  hold(place: number, from: number): boolean {
    this.#at = Math.max(this.#at, from, this.#end);
    for (; this.#at < place && !this.#isOver; this.#at++) {
      if (!beginsJson(this.#text, this.#at)) continue;
      const span = readSpan(this.#text, this.#at);
      // Only brackets that pair say where JSON ends; beyond others nothing is looked at twice.
      if (!span || (span.isGuessed && span.end > place)) this.#isOver = true;
      else {
        this.#end = span.end;
        this.#at = span.end - 1;
      }
    }
    return place < this.#end;
  }
}

/** What servers leak of a model's own control language. */
const MARKS = [
  "]<]minimax[>[",
  "<|im_end|>",
  "<|im_start|>assistant",
  "<|endoftext|>",
  "<|eot_id|>",
  "<|return|>",
  "<|end|>",
  "</s>",
  "[/INST]",
];
const MOST_MARKS = 64;

/** Takes such marks away at both ends. Null when there are none. */
export function stripMarks(text: string): { text: string; count: number } | null {
  let start = 0;
  let end = text.length;
  let count = 0;
  for (; count < MOST_MARKS; count++) {
    const head = MARKS.find((mark) => text.startsWith(mark, start));
    const tail = head === undefined ? MARKS.find((mark) => text.endsWith(mark, end)) : undefined;
    if (head === undefined && tail === undefined) break;
    if (head !== undefined) start += head.length;
    else end -= tail?.length ?? 0;
    while (start < end && /\s/.test(text[start] ?? "")) start++;
    while (end > start && /\s/.test(text[end - 1] ?? "")) end--;
    if (start >= end) break;
  }
  return count === 0 ? null : { text: text.slice(start, Math.max(start, end)), count };
}

/** The inside of a fence that is the whole text; the closing mark may be missing, a model stops there at times. */
export function unwrapFence(text: string): string | null {
  const mark = text.startsWith("```") ? "```" : text.startsWith("~~~") ? "~~~" : null;
  if (mark === null) return null;
  const lineEnd = text.indexOf("\n");
  if (lineEnd < 0) return null;
  const close = text.endsWith(mark) ? text.length - mark.length : text.length;
  return close > lineEnd ? text.slice(lineEnd + 1, close).trim() : null;
}
