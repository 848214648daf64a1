/**
 * Assistant text. Each non-empty completed message becomes one `assistant_message`, told as soon as it is known whether it is the
 * reply: when another message completes, when a tool starts, or when the turn ends. Deltas are progress; they become a message
 * only when none of them was ever completed, and then without authority. A reply that was told before its turn ended, for a tool
 * came after it, is told a second time at the end (`again`): whoever looks for the final message finds one in each completed turn.
 */
import type { z } from "zod";
import type { NewEvent } from "@/server/events/event.schema";
import type { agentMessageItemSchema } from "./protocol.schema";
import type { SuppressedNotifications } from "./suppressed-notifications";

type AgentMessage = z.infer<typeof agentMessageItemSchema>;

/** Says of itself that it is not the answer. */
const COMMENTARY = "commentary";
/** UTF-16 units of deltas that are kept of one message. */
const LONGEST_DELTA_TEXT = 8 * 1024 * 1024;

/** As a `TurnListener` hears it. */
interface MessageProgress {
  progress(characters: number): void;
  writing?(text: string | null): void;
}

export interface MessageTranslator {
  completed(message: AgentMessage): void;
  delta(itemId: string, piece: string): void;
  /** Something else begins: what was completed is told now, although more may follow. */
  release(): void;
  /** The app-server asks its upstream again: what it completed since the last tool comes a second time. */
  retried(): void;
  finish(isCompleted: boolean): void;
  readonly reply: string | null;
  readonly saidText: string;
}

export function createMessageTranslator(
  emit: (event: NewEvent) => void,
  { progress, writing = () => undefined }: MessageProgress,
  suppressed: SuppressedNotifications,
): MessageTranslator {
  let held: AgentMessage | null = null;
  /** Completed before a retry, and not told: the same comes again, or nothing does. */
  let superseded: AgentMessage | null = null;
  let told = 0;
  let lastTold: AgentMessage | null = null;
  let reply: string | null = null;
  const deltas = new Map<string, string>();
  const seenIds = new Set<string>();
  /** Texts told since the last tool or retry, against a second telling. */
  const repeats = new Set<string>();
  let characters = 0;

  function tell(message: AgentMessage, final: boolean): void {
    repeats.add(message.text);
    told += 1;
    lastTold = message;
    say(message, final);
  }

  function say(message: AgentMessage, final: boolean, again = false): void {
    writing(null);
    emit({
      type: "assistant_message",
      payload: {
        text: message.text,
        itemId: message.id,
        messageIndex: told - 1,
        messageCount: told,
        replyAuthority: final || message.phase !== COMMENTARY,
        final,
        ...(message.phase ? { messagePhase: message.phase } : {}),
        ...(again ? { again } : {}),
      },
    });
  }

  function release(): void {
    if (held) tell(held, false);
    held = null;
  }

  let wasRetried = false;
  return {
    completed(message) {
      deltas.delete(message.id);
      if (message.text.trim() === "" || seenIds.has(message.id) || (wasRetried && repeats.has(message.text))) {
        suppressed.count("item/completed", "agentMessage");
        return;
      }
      seenIds.add(message.id);
      superseded = null;
      release();
      held = message;
      reply = message.text;
      writing(message.text);
      if (message.text.length > characters) {
        characters = message.text.length;
        progress(characters);
      }
    },
    delta(itemId, piece) {
      const before = deltas.get(itemId) ?? "";
      const text = before.length < LONGEST_DELTA_TEXT ? before + piece : before;
      deltas.set(itemId, text);
      writing(text);
      if (text.length <= characters) return;
      characters = text.length;
      progress(characters);
    },
    release() {
      release();
      repeats.clear();
      wasRetried = false;
    },
    retried() {
      writing(null);
      wasRetried = true;
      if (!held) return;
      superseded = held;
      held = null;
      suppressed.count("item/completed", "agentMessage before a retry");
    },
    finish(isCompleted) {
      writing(null);
      // A retry that brought nothing: what was said before it is still said.
      const last = held ?? superseded;
      held = null;
      superseded = null;
      if (last) tell(last, isCompleted);
      else if (isCompleted && lastTold) say(lastTold, true, true);
      const unfinished = [...deltas].filter(([, text]) => text.trim() !== "");
      if (told > 0 || unfinished.length === 0) return;
      const [itemId, text] = unfinished.at(-1) ?? ["", ""];
      told += 1;
      emit({
        type: "assistant_message",
        payload: { text, itemId, messageIndex: 0, messageCount: 1, replyAuthority: false, final: false },
      });
    },
    get reply() {
      return reply;
    },
    get saidText() {
      return reply ?? [...deltas.values()].findLast((text) => text.trim() !== "") ?? "";
    },
  };
}
