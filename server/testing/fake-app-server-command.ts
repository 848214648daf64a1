/** How tests start the fake app-server (fake-app-server.mjs), and what it can be told to do. */
import { chmodSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { projectRoot } from "@/server/shared/project-root";
import { fixtureFolder } from "./read-fixture";

/** What it does instead of, or beside, an orderly reply `Reply to <prompt>`. Several can be joined with `+`. */
export const FAKE_BEHAVIOURS = {
  ok: "every turn is answered and completed",
  replay: "plays the CLI's side of `recording`",
  // Before and around the handshake.
  "exit-before-initialize": "ends with 0 at once",
  "exit-1": "says `reason` on stderr and ends with 1",
  "never-initialize": "does not answer initialize",
  "initialize-error": "answers initialize with an error",
  "response-without-result": "answers initialize with nothing but the id",
  "prints-environment": "writes environment, arguments and working directory to `to`, as JSON",
  // Threads.
  "thread-refused": "answers thread/start and thread/resume with -32600",
  "thread-without-id": "answers them with a thread that has no id",
  "resume-unknown": "knows no thread to resume",
  "turn-unanswered": "does not answer turn/start",
  "turn-without-id": "answers turn/start with a turn that has no id",
  // Turns.
  "silent-turn": "says nothing after the beginning; an interrupt ends the turn",
  "ignores-interrupt": "the same, and does not answer an interrupt",
  "interrupt-without-end": "the same, answers an interrupt, and the turn does not end",
  "running-command": "a command runs until it is cleaned up; an interrupt ends the turn, not the command",
  "slow-turn": "`count` pieces, `every` milliseconds apart",
  "failed-turn": "fails with `error` as codexErrorInfo",
  "empty-reply": "completed, with an empty message",
  "only-deltas": "completed, with pieces of a message that never comes",
  "end-without-status": "ends the turn with a notification that lacks its status",
  "late-item": "a command ends after the turn, by `every` milliseconds",
  "never-resolved": "hears the client's answer and does nothing more",
  "asks-upstream": "asks the provider, and fails the turn when that answers 401",
  "leaks-key": "repeats `key` in its reply and on stderr",
  "leaks-everywhere": "repeats it in every spelling and wherever a runtime can write, and asks a person about it",
  // Deaths.
  "die-mid-turn-0": "ends with 0 in the middle of a message",
  "die-mid-turn-3": "ends with 3 in the middle of a message",
  "die-mid-turn-kill": "kills itself in the middle of a message",
  "ignores-term": "does not mind SIGTERM and the end of its input",
  grandchild: "has a process that does not mind SIGTERM, its pid in `to`",
  "holds-output": "that process keeps the output open",
  // Lines.
  "split-bytes": "writes `size` bytes at a time",
  "jsonrpc-member": "every frame has `jsonrpc`",
  "garbage-line": "lines that are no JSON-RPC",
  "huge-line": "a notification of `bytes` bytes (5 MB)",
  "endless-line": "`bytes` bytes (64 MB) without the end of a line",
  "invalid-utf8": "a piece of text with bytes that are no UTF-8",
  "unknown-response-id": "answers to requests that nobody made",
  "unknown-notification": "a notification that nobody knows",
  "many-notifications": "`count` pieces (10,000)",
  "floods-stderr": "`bytes` bytes (50 MB) on stderr",
} as const;

export type FakeBehaviour = keyof typeof FAKE_BEHAVIOURS | `asks:${string}` | `fails:${string}`;

export interface FakeOptions {
  bytes?: number;
  count?: number;
  every?: number;
  size?: number;
  error?: string;
  reason?: string;
  to?: string;
  /** A file that every frame of the client is added to, as JSON lines with our `pid`. */
  log?: string;
  /** What it says where it leaks a key: it is never given one. */
  key?: string;
  /** A file that each process writes its pid to, one a line. */
  pids?: string;
  /** Name of a recording, for `replay`. */
  recording?: string;
}

/** The command line of a fake with these behaviours. `asks:<method>` sends that request and tells the answer in a message. */
export function fakeAppServer(
  behaviours: FakeBehaviour | readonly FakeBehaviour[],
  options: FakeOptions = {},
): { program: string; args: string[] } {
  const script = path.join(projectRoot(), "server", "testing", "fake-app-server.mjs");
  const words = Object.entries(options).map(
    ([name, value]) => `--${name}=${name === "recording" ? path.join(fixtureFolder(), `${value}.jsonl`) : value}`,
  );
  return { program: process.execPath, args: [script, [behaviours].flat().join("+"), ...words] };
}

/** An executable file in `folder` that is such a fake whatever its arguments, for code that is told only which program to start. */
export function writeFakeAppServer(folder: string, ...fake: Parameters<typeof fakeAppServer>): string {
  const { program, args } = fakeAppServer(...fake);
  const [script = "", ...words] = args;
  const file = path.join(folder, "codex");
  // No shell in between: it would add variables of its own.
  const source = `process.argv.splice(2, 0, ...${JSON.stringify(words)});\nimport(${JSON.stringify(pathToFileURL(script).href)});`;
  writeFileSync(file, `#!${program}\n${source}\n`);
  chmodSync(file, 0o755);
  return file;
}
