/** For tests of commands: a container, and a terminal in a folder of its own that remembers what it was told. */
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { onTestFinished } from "vitest";
import type { Terminal } from "@/server/cli/terminal";
import { type ApiContainer, openApiContainer } from "./api-container";
import { buildRun } from "./build-run";

export interface CommandContainer {
  open: ApiContainer;
  terminal: Terminal;
  /** What came on stdout, and on stderr. */
  lines: string[];
  problems: string[];
  /** A path in the terminal's folder. */
  inWork(name: string): string;
  /** The id of a run of these chunks that waits, paused. */
  pausedRun(chunks: readonly string[]): Promise<string>;
}

/** Closed when the test has ended. */
export async function openCommandContainer(): Promise<CommandContainer> {
  const open = await openApiContainer();
  onTestFinished(() => open.close());
  const cwd = path.join(open.dataDir, "work");
  await mkdir(cwd);
  const lines: string[] = [];
  const problems: string[] = [];
  return {
    open,
    terminal: {
      out: (line) => lines.push(line),
      err: (line) => problems.push(line),
      progress: () => undefined,
      cwd,
      interrupted: new AbortController().signal,
    },
    lines,
    problems,
    inWork: (name) => path.join(cwd, name),
    async pausedRun(chunks) {
      const [run] = await open.container.runs.start(buildRun({ chunks }));
      if (!run) throw new Error("there is no run");
      await open.container.runs.pause(run.id);
      return run.id;
    },
  };
}
