/** Commands, changed files and other tools of a turn. Fields stay flat: no item is passed on as it came. */
import type { NewEvent } from "@/server/events/event.schema";
import { type CommandOutput, createCommandOutput } from "./command-output";
import { patchText } from "./patch-text";
import {
  type CommandItem,
  commandItemSchema,
  type FileChangeItem,
  fileChangeItemSchema,
  toolItemSchema,
} from "./protocol.schema";
import type { SuppressedNotifications } from "./suppressed-notifications";
import { wholeOutput } from "./whole-output";

/** UTF-8 bytes of output or patch inside an event; the whole stands beside it. */
export const OUTPUT_IN_EVENT_BYTES = 16 * 1024;
const LONGEST_COMMAND = 4_000;
const MOST_PATHS = 50;
/** Commands whose output is kept before they begin, and changes of files that wait; each may hold megabytes. */
const MOST_WAITING = 16;

interface Item {
  type: string;
  id: string;
}

export interface ItemTranslator {
  /** Whether an item of that type gets lines of its own. */
  isTold(type: string): boolean;
  started(item: Item): void;
  completed(item: Item): void;
  output(itemId: string, piece: string): void;
  /** A person is asked about an announced change of files: tells its diff, for nobody can judge what they do not see. Its paths. */
  proposed(itemId: string): string[];
  /** The turn's whole diff so far; the last one counts. */
  diffIs(diff: string): void;
  turnEnded(): void;
  /** Commands die with their process: those that are open still have ended with it. */
  processEnded(): void;
  /** Commands that are still running. */
  readonly openCalls: number;
}

interface OpenCall {
  output: CommandOutput;
  item: CommandItem;
}

export function createItemTranslator(emit: (event: NewEvent) => void, suppressed: SuppressedNotifications): ItemTranslator {
  const open = new Map<string, OpenCall>();
  /** Output that came before its command was announced. */
  const early = new Map<string, CommandOutput>();
  /** Commands that have ended: what is said of them again is a repetition. */
  const ended = new Set<string>();
  /** Changes of files that were announced and not made. */
  const announced = new Map<string, FileChangeItem>();
  let diff = "";

  function commandStarted(item: CommandItem): void {
    if (open.has(item.id) || ended.has(item.id)) {
      suppressed.count("item/started", `${item.type} repeated`);
      return;
    }
    open.set(item.id, { item, output: early.get(item.id) ?? createCommandOutput() });
    early.delete(item.id);
    emit({ type: "tool_call", payload: callFields("item/started", item) });
  }

  function commandCompleted(item: CommandItem): void {
    if (ended.has(item.id)) {
      suppressed.count("item/completed", `${item.type} repeated`);
      return;
    }
    ended.add(item.id);
    const output = wholeOutput(open.get(item.id)?.output ?? early.get(item.id), item.aggregatedOutput ?? "");
    open.delete(item.id);
    early.delete(item.id);
    emit({
      type: "tool_call",
      payload: {
        ...callFields("item/completed", item),
        exitCode: item.exitCode ?? null,
        durationMs: item.durationMs ?? null,
        bytes: output.bytes,
        truncated: output.bytes > OUTPUT_IN_EVENT_BYTES,
      },
    });
    tellOutput(item.id, output);
  }

  function tellOutput(itemId: string, output: Pick<CommandOutput, "bytes" | "text">): void {
    if (output.bytes === 0) return;
    const text = output.text();
    const keptBytes = Buffer.byteLength(text);
    emit({
      type: "command_output",
      payload: {
        itemId,
        text,
        bytes: output.bytes,
        // Beyond what is kept of one command nothing is whole, which must not be promised.
        ...(keptBytes < output.bytes ? { keptBytes } : {}),
        truncated: false,
      },
      inEvent: { field: "text", bytes: OUTPUT_IN_EVENT_BYTES },
    });
  }

  function filesChanged(item: FileChangeItem): void {
    const text = item.changes.map(patchText).join("\n");
    emit({
      type: "diff",
      payload: {
        itemId: item.id,
        status: item.status,
        paths: item.changes.slice(0, MOST_PATHS).map(({ path }) => path),
        files: item.changes.length,
        text,
        bytes: Buffer.byteLength(text),
        truncated: false,
      },
      inEvent: { field: "text", bytes: OUTPUT_IN_EVENT_BYTES },
    });
  }

  return {
    isTold: (type) => type === "commandExecution" || type === "fileChange",
    started(item) {
      if (item.type !== "commandExecution") {
        suppressed.count("item/started", item.type);
        const change = item.type === "fileChange" ? fileChangeItemSchema.safeParse(item) : null;
        if (change?.success && announced.size < MOST_WAITING) announced.set(item.id, change.data);
        return;
      }
      const command = commandItemSchema.safeParse(item);
      if (command.success) commandStarted(command.data);
      else suppressed.count("item/started", `${item.type} malformed`);
    },
    completed(item) {
      if (item.type === "commandExecution") {
        const command = commandItemSchema.safeParse(item);
        if (command.success) {
          commandCompleted(command.data);
          return;
        }
      }
      if (item.type === "fileChange") {
        const change = fileChangeItemSchema.safeParse(item);
        if (change.success) {
          announced.delete(item.id);
          filesChanged(change.data);
          return;
        }
      }
      suppressed.count("item/completed", item.type);
      const tool = toolItemSchema.safeParse(item);
      if (!tool.success || tool.data.status !== "failed") return;
      const named = [tool.data.server, tool.data.tool].filter(Boolean).join("/") || tool.data.type;
      emit({
        type: "error",
        payload: { failureKind: "backend-failed", message: `The tool ${named} failed.`, willRetry: false, itemId: tool.data.id },
      });
    },
    output(itemId, piece) {
      const call = open.get(itemId);
      if (call) {
        call.output.push(piece);
        return;
      }
      if (ended.has(itemId)) return;
      const output = early.get(itemId) ?? createCommandOutput();
      output.push(piece);
      if (early.size < MOST_WAITING || early.has(itemId)) early.set(itemId, output);
    },
    proposed(itemId) {
      const change = announced.get(itemId);
      if (!change) return [];
      filesChanged(change);
      return change.changes.map(({ path }) => path);
    },
    diffIs(whole) {
      diff = whole;
    },
    turnEnded() {
      for (const { item, output } of open.values()) {
        emit({
          type: "tool_call",
          payload: { ...callFields("turn/completed", item), status: "still running", bytes: output.bytes, truncated: false },
        });
      }
      if (diff === "") return;
      emit({
        type: "diff",
        payload: { scope: "turn", text: diff, bytes: Buffer.byteLength(diff), truncated: false },
        inEvent: { field: "text", bytes: OUTPUT_IN_EVENT_BYTES },
      });
      diff = "";
    },
    processEnded() {
      for (const { item, output } of open.values()) {
        ended.add(item.id);
        emit({
          type: "tool_call",
          payload: {
            ...callFields("process/ended", item),
            status: "ended with its process",
            exitCode: null,
            durationMs: null,
            bytes: output.bytes,
            truncated: output.bytes > OUTPUT_IN_EVENT_BYTES,
          },
        });
        tellOutput(item.id, output);
      }
      open.clear();
    },
    get openCalls() {
      return open.size;
    },
  };
}

function callFields(method: string, item: CommandItem) {
  return {
    method,
    itemId: item.id,
    toolName: "shell",
    type: item.type,
    command: item.command.length > LONGEST_COMMAND ? `${item.command.slice(0, LONGEST_COMMAND)}…` : item.command,
    cwd: item.cwd ?? null,
    status: item.status,
    processId: item.processId ?? null,
    valuesPrinted: false,
  };
}
