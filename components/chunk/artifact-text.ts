import { jsonFields } from "@/components/json-fields";

/** What a page shows of one body; the rest is a download away. UTF-8 bytes. */
export const SHOWN_BYTES = 256 * 1024;

/** `prompt`: only for requests, what the model reads, with real line ends. */
export type BodyView = "pretty" | "prompt" | "raw";

/** A body as it is shown. `isJson` is false when it was asked to be pretty but is no JSON: then it is shown as it is. */
export interface ShownBody {
  text: string;
  isCut: boolean;
  isJson: boolean;
}

export function shownBody(body: string, view: BodyView): ShownBody {
  const asked = READERS[view](body);
  const whole = asked ?? body;
  const text = cutText(whole, SHOWN_BYTES);
  return { text, isCut: text.length < whole.length, isJson: asked !== null };
}

const READERS = { pretty: prettyJson, prompt: promptOf, raw: (body) => body } as const satisfies Record<
  BodyView,
  (body: string) => string | null
>;

/** The longest beginning of at most `bytes` UTF-8 bytes that splits no character. */
export function cutText(text: string, bytes: number): string {
  // A UTF-16 unit is at least one byte: short texts need no count, and of long ones only the beginning is looked at.
  const { read } = new TextEncoder().encodeInto(text.slice(0, bytes), new Uint8Array(bytes));
  return text.slice(0, read);
}

function prettyJson(body: string): string | null {
  const value = parseJson(body);
  return value === undefined ? null : JSON.stringify(value, null, 2);
}

function promptOf(requestBody: string): string | null {
  const { system, user } = jsonFields(jsonFields(parseJson(requestBody)).input);
  return typeof system === "string" && typeof user === "string" ? `${system}\n\n────────\n\n${user}` : null;
}

/** `raw_text` of a result artifact; null when there is none. */
export function rawTextOf(resultBody: string): string | null {
  const text = jsonFields(parseJson(resultBody)).raw_text;
  return typeof text === "string" && text !== "" ? text : null;
}

/** What a result artifact says, to be read: its output, else what the model wrote, laid out where it is JSON or begins as such; empty when there is neither. */
export function answerTextOf(resultBody: string): string {
  const { output, raw_text: raw } = jsonFields(parseJson(resultBody));
  if (output !== undefined) return JSON.stringify(output, null, 2);
  if (typeof raw !== "string") return "";
  return prettyJson(raw) ?? (/^\s*[[{]/.test(raw) ? laidOut(raw) : raw);
}

/** JSON that is cut or broken, with the line ends and indents of whole JSON: its own blanks outside strings go, nothing else does. */
function laidOut(text: string): string {
  const out: string[] = [];
  let depth = 0;
  const newLine = () => out.push(`\n${"  ".repeat(Math.max(0, depth))}`);
  // Strings (a cut one goes to the end), signs, blanks, and everything else.
  for (const [part] of text.matchAll(/"(?:[^"\\]|\\[\s\S])*(?:"|$)|[[\]{},:]|\s+|[^"[\]{},:\s]+|"/g)) {
    if (/^\s/.test(part)) continue;
    if (part === "]" || part === "}") {
      depth -= 1;
      newLine();
    }
    out.push(part === ":" ? ": " : part);
    if (part === "[" || part === "{") depth += 1;
    if (part === "[" || part === "{" || part === ",") newLine();
  }
  return out.join("");
}

/** Entries of a result's insights; null when it has none of that kind. */
export function insightsIn(resultBody: string): number | null {
  const { insights } = jsonFields(jsonFields(parseJson(resultBody)).output);
  return Array.isArray(insights) ? insights.length : null;
}

/** Where an adopted answer came from, out of its result artifact; null when nobody told. */
export function sourceOf(resultBody: string): string | null {
  const { source } = jsonFields(parseJson(resultBody));
  return typeof source === "string" && source !== "" ? source : null;
}

/** Undefined when the body is no JSON. */
function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
