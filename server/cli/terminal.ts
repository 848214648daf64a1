import path from "node:path";

/** Where a command writes and where relative paths start: injected, so that commands are tested without a process. */
export interface Terminal {
  /** What was asked for; one line. */
  out(line: string): void;
  /** Progress and problems. */
  err(line: string): void;
  /** A line that replaces the last one, on a terminal; nothing otherwise. */
  progress(line: string): void;
  /** The operator's folder (npm changes into the project's). */
  cwd: string;
  /** Aborted by Ctrl-C. */
  interrupted: AbortSignal;
}

export function resolvePath(terminal: Terminal, given: string): string {
  return path.resolve(terminal.cwd, given);
}

/** `[████████░░░░]` */
export function bar(done: number, total: number, width = 24): string {
  const filled = total === 0 ? width : Math.round((done / total) * width);
  return `[${"█".repeat(filled)}${"░".repeat(width - filled)}]`;
}
