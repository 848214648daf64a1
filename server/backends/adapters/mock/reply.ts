/** What the mock answers: statements made of the text's own first sentences, always the same for the same text. */
import type { Insight } from "@/server/artifacts/insight.schema";
import type { NewEvent } from "@/server/events/event.schema";
import { type MockScript, type MockShape, withoutMarks } from "./marks";

const STATEMENTS = 3;
const LONGEST_STATEMENT = 400;
const LONGEST_TOPIC_WORDS = 4;

/** `isRepair`: the prompt carries a former answer, which the shape `mendable` gets right then. */
export function replyFor(chunkText: string, script: MockScript, isRepair: boolean): string {
  if (script.invalidJson) return 'The statements are: {"insights": [{"content": "cut off';
  const insights = insightsOf(withoutMarks(chunkText));
  if (script.shape !== undefined) return shaped(insights, script.shape, isRepair);
  return script.largeBytes === undefined ? JSON.stringify({ insights }) : largeReply(insights, script.largeBytes);
}

function shaped(insights: Insight[], shape: MockShape, isRepair: boolean): string {
  const reply = JSON.stringify({ insights });
  switch (shape) {
    case "fence":
      return `\`\`\`json\n${reply}\n\`\`\``;
    case "think":
      return `<think>\nThe notes say a few things. {"insights": []} would be too little.\n</think>\n${reply}`;
    case "orphan-think":
      return `The notes say a few things.\n</think>\n${reply}`;
    case "prose":
      return `Here are the statements:\n\n${reply}\n\nIs there anything else?`;
    case "string":
      return JSON.stringify(reply);
    case "array":
      return JSON.stringify(insights);
    case "residue":
      return `${reply}<|im_end|>`;
    case "broken":
      // A comma too many, a comment, and a key without quotes.
      return `${reply.slice(0, -2).replace('{"insights"', "{ // statements\n insights")},],}`;
    case "cut":
    case "length":
      return reply.slice(0, Math.ceil((reply.length * 2) / 3));
    case "two":
      return `${reply}\n${JSON.stringify({ insights: [], more: true })}`;
    case "misfit":
      return JSON.stringify({ statements: insights });
    case "mendable":
      return isRepair ? reply : JSON.stringify({ statements: insights });
  }
}

function insightsOf(text: string): Insight[] {
  return sentencesOf(text).map((sentence) => ({
    topic: sentence.split(/\s+/).slice(0, LONGEST_TOPIC_WORDS).join(" ").slice(0, 80),
    section: "mock",
    content: sentence,
    confidence: "medium",
    quote: sentence,
  }));
}

/** The first sentences, word for word, so that each is found in the text as a quote. */
function sentencesOf(text: string): string[] {
  const sentences: string[] = [];
  for (const match of text.matchAll(/[^\s.!?。！？][^\n.!?。！？]*[.!?。！？]?/g)) {
    const sentence = cutWhole(match[0].trim(), LONGEST_STATEMENT);
    if (/[\p{L}\p{N}]/u.test(sentence)) sentences.push(sentence);
    if (sentences.length === STATEMENTS) break;
  }
  return sentences;
}

function cutWhole(text: string, length: number): string {
  const code = text.charCodeAt(length - 1);
  return text.slice(0, code >= 0xd800 && code <= 0xdbff ? length - 1 : length);
}

/** Exactly `bytes` long (ASCII filling), but never shorter than an empty reply. */
function largeReply(insights: Insight[], bytes: number): string {
  const frame = JSON.stringify({ insights, filling: "" });
  const missing = bytes - Buffer.byteLength(frame);
  if (missing < 0)
    return JSON.stringify({
      insights: [],
      filling: "x".repeat(Math.max(0, bytes - Buffer.byteLength('{"insights":[],"filling":""}'))),
    });
  return JSON.stringify({ insights, filling: "x".repeat(missing) });
}

/** The `number`th further event (from 0) of `[[mock:events=…]]`, in a fixed round of four kinds. */
export function extraEvent(number: number, requestId: string): NewEvent {
  const itemId = `${requestId}-event-${number}`;
  switch (number % 4) {
    case 0:
      return { type: "backend_status", payload: { phase: "working", backendKind: "mock", message: `step ${number + 1}` } };
    case 1:
      return { type: "tool_call", payload: { itemId, toolName: "read_file", status: "completed" } };
    case 2: {
      const text = `read ${number + 1} lines\n`;
      return { type: "command_output", payload: { itemId, text, bytes: text.length, truncated: false } };
    }
    default: {
      const text = `--- a/notes.md\n+++ b/notes.md\n@@ -${number} +${number} @@\n-old line\n+new line\n`;
      return { type: "diff", payload: { text, bytes: text.length, truncated: false } };
    }
  }
}
