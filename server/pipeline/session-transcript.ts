/**
 * Session files of OpenClaw, Claude Code and Codex (JSON lines) as Markdown that is cleaned and chunked like notes: who said what, and
 * when. What is not said by anybody (tool calls and their output, thoughts, what runtimes add) stands in it too, each line behind
 * `SESSION_NOISE_MARK`, so that cleaning leaves it out where a person can see it.
 */
import { type SessionMessage, type SessionPart, sessionMessage } from "./session-lines";

/** Begins every line that nobody said. */
export const SESSION_NOISE_MARK = "⎿ ";

/** The last line of a session that is still written is often half a one. */
const MOST_BROKEN_PART = 0.1;
/** Kinds of lines without words that are named. */
const MOST_KINDS = 8;
/** Lines looked at for the day: a session begins with a few of settings. */
const DAY_LINES = 50;

export interface SessionTranscript {
  /** Markdown with LF line ends. */
  text: string;
  /** Messages that hold words. */
  messages: number;
}

/** Null for a text that is no session file: it is taken as it is. `text` is normalised (LF line ends). */
export function readSessionTranscript(text: string): SessionTranscript | null {
  if (!looksLikeJsonLines(text)) return null;
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const writer = new TranscriptWriter();
  const seen = new Set<string>();
  const others = new Map<string, number>();
  let messages = 0;
  let broken = 0;
  for (const line of lines) {
    const value = parseLine(line);
    if (value === undefined) {
      broken += 1;
      writer.noise(line);
      continue;
    }
    const message = sessionMessage(value);
    if (message === null) {
      const kind = kindOf(value);
      others.set(kind, (others.get(kind) ?? 0) + 1);
      continue;
    }
    if (message.id !== null) {
      if (seen.has(message.id)) continue;
      seen.add(message.id);
    }
    if (writer.message(message)) messages += 1;
  }
  if (messages === 0 || broken > Math.max(1, lines.length * MOST_BROKEN_PART)) return null;
  if (others.size > 0) writer.noise(otherLines(others));
  return { text: writer.text(), messages };
}

/** The day of the first message, `YYYY-MM-DD` on the server's own clock; null for a text that is no session file or tells no time. */
export function dayOfSession(text: string): string | null {
  if (!looksLikeJsonLines(text)) return null;
  for (const line of firstLines(text, DAY_LINES)) {
    const at = sessionMessage(parseLine(line))?.at ?? null;
    if (at !== null) return dayAndTime(at).day;
  }
  return null;
}

class TranscriptWriter {
  readonly #lines: string[] = [];
  #day: string | null = null;
  #speaker: SessionMessage["speaker"] = null;

  /** True when it holds words. */
  message({ speaker, at, parts }: SessionMessage): boolean {
    const hasWords = speaker !== null && parts.some(({ kind }) => kind === "words");
    if (hasWords) this.#head(speaker, at);
    for (const part of parts) {
      if (part.kind === "noise" || speaker === null) this.noise(part.text);
      else this.#words(part);
    }
    return hasWords;
  }

  noise(text: string): void {
    for (const line of text.split(/\r?\n/)) if (line.trim() !== "") this.#lines.push(`${SESSION_NOISE_MARK}${line}`);
  }

  text(): string {
    return `${this.#lines.join("\n")}\n`;
  }

  #head(speaker: "user" | "assistant", at: number | null): void {
    const { day, time } = at === null ? { day: this.#day, time: null } : dayAndTime(at);
    const isNewDay = day !== null && day !== this.#day;
    if (isNewDay) this.#lines.push("", `# ${day}`);
    this.#day = day;
    if (this.#speaker === speaker && !isNewDay) {
      this.#lines.push("");
      return;
    }
    this.#speaker = speaker;
    this.#lines.push("", `## ${speaker}${time === null ? "" : `, ${time}`}`, "");
  }

  #words({ text }: SessionPart): void {
    let fences = 0;
    for (const line of text.trim().split(/\r?\n/)) {
      if (/^\s{0,3}(?:```|~~~)/.test(line)) fences += 1;
      // Words may begin like noise; they stay words.
      this.#lines.push(line.startsWith(SESSION_NOISE_MARK.trim()) ? ` ${line}` : line);
    }
    // An open fence would swallow what the others say.
    if (fences % 2 === 1) this.#lines.push("```");
  }
}

/** `[` begins no line of a session file, and JSON of one value ends on another line than it began. */
function looksLikeJsonLines(text: string): boolean {
  const [first = ""] = firstLines(text, 1);
  return first.startsWith("{") && first.endsWith("}") && parseLine(first) !== undefined;
}

function firstLines(text: string, most: number): string[] {
  const found: string[] = [];
  for (let from = 0; from < text.length && found.length < most; ) {
    const newline = text.indexOf("\n", from);
    const end = newline === -1 ? text.length : newline;
    const line = text.slice(from, end).trim();
    if (line !== "") found.push(line);
    from = end + 1;
  }
  return found;
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch {
    return undefined;
  }
}

function kindOf(value: unknown): string {
  const type = typeof value === "object" && value !== null && "type" in value ? value.type : null;
  return typeof type === "string" && /^[\w.-]{1,40}$/.test(type) ? type : "unnamed";
}

function otherLines(others: ReadonlyMap<string, number>): string {
  const sorted = [...others].toSorted(([, one], [, other]) => other - one);
  const named = sorted.slice(0, MOST_KINDS).map(([kind, count]) => `${kind} ${count}`);
  const rest = sorted.length - named.length;
  return `(lines without words: ${named.join(", ")}${rest > 0 ? `, ${rest} kinds more` : ""})`;
}

function dayAndTime(at: number): { day: string; time: string } {
  const date = new Date(at);
  const two = (value: number) => String(value).padStart(2, "0");
  return {
    day: `${String(date.getFullYear()).padStart(4, "0")}-${two(date.getMonth() + 1)}-${two(date.getDate())}`,
    time: `${two(date.getHours())}:${two(date.getMinutes())}`,
  };
}
