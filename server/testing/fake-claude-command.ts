/** How tests start the fake Claude Code (fake-claude.mjs), and what it can be told to do. */
import { chmodSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { projectRoot } from "@/server/shared/project-root";

/** What it does instead of, or beside, an orderly answer `{"insights":[]}`. Several can be joined with `+`. */
export const FAKE_CLAUDE_BEHAVIOURS = {
  ok: "answers with what was asked for: an object where there is a schema, else text",
  prose: "answers with words where there is a schema, too",
  "without-usage": "tells no tokens",
  "leaks-key": "repeats its key in its answer, its failure and on stderr",
  // Answers that the adapter must end.
  "max-tokens": "is cut at the limit, and would go on",
  empty: "says nothing, and would ask again",
  repeats: "begins a second answer",
  refusal: "is refused by the service's filter",
  "zero-turns": "answers by itself",
  long: "`bytes` bytes of text",
  // Ends.
  "exit-at-once": "says a bad option on stderr and ends with 1",
  die: "ends with 3 in the middle of the answer",
  "kills-itself": "does what it says in the middle of the answer",
  "ends-without-result": "ends with 0 and no result",
  lingers: "does not end after its result",
  "bad-exit": "ends with 3 after a good result",
  // Silence.
  silent: "says nothing at all",
  "silent-after-start": "says nothing after the beginning of an answer",
  "silent-after-text": "says nothing after half of its answer",
  "ignores-term": "does not mind SIGTERM",
  grandchild: "has a process that does not mind SIGTERM, its number in `pids`",
  // Lines.
  "unknown-lines": "lines and events that nobody knows",
  garbage: "a handful of lines that are no messages",
  "much-garbage": "forty of them",
  "only-garbage": "one of them, and the end",
  "huge-line": "a line of `bytes` bytes (5 MB)",
  "endless-line": "`bytes` bytes (5 MB) without the end of a line, and its own end",
  "split-bytes": "writes one byte at a time",
  "floods-stderr": "6.5 MB on stderr",
} as const;

export type FakeClaudeBehaviour = keyof typeof FAKE_CLAUDE_BEHAVIOURS | `status:${number}` | `status:${number}:${string}`;

export interface FakeClaudeOptions {
  /** For prompts without a mark. */
  behaviour?: FakeClaudeBehaviour;
  bytes?: number;
  /** What it says its version is. */
  version?: string;
  hangsAtVersion?: boolean;
  /** A file that each process writes its number to, one a line. */
  pids?: string;
  /** A file for environment, arguments, folder and prompt, as JSON. */
  to?: string;
  /** The key that it refuses with 401. */
  refused?: string;
}

/** An executable file `claude` in `folder` that is such a fake whatever its arguments. */
export function writeFakeClaude(folder: string, options: FakeClaudeOptions = {}): string {
  const script = pathToFileURL(path.join(projectRoot(), "server", "testing", "fake-claude.mjs")).href;
  const file = path.join(folder, "claude");
  // No shell in between: it would add variables of its own.
  const source = `process.argv.splice(2, 0, ${JSON.stringify(JSON.stringify(options))});\nimport(${JSON.stringify(script)});`;
  writeFileSync(file, `#!${process.execPath}\n${source}\n`);
  chmodSync(file, 0o755);
  return file;
}

/** The mark that makes it so. */
export function fakeClaude(...behaviours: FakeClaudeBehaviour[]): string {
  return `[[fake:${behaviours.join("+")}]]`;
}
