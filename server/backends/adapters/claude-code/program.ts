/** The program of this machine: found and asked for its version once, and again when the file has changed. */
import { stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { BackendError } from "@/server/backends/backend";
import type { BackendHost } from "@/server/backends/backend-host";
import { SpawnError, startChild } from "@/server/backends/transport/child-process";
import { findClaude, versionProblem } from "./find-claude";

/** It says its version in a quarter of a second. */
const VERSION_MS = 20_000;
/** More than this is no version. */
const LONGEST_VERSION = 200;

export class ClaudeProgram {
  readonly #providerName: string;
  readonly #host: BackendHost;
  #known: { file: string; path: Promise<string> } | null = null;

  constructor(providerName: string, host: BackendHost) {
    this.#providerName = providerName;
    this.#host = host;
  }

  /** Its path. Throws `backend-spawn-failed` with what is wrong with it where there is none that can be used. */
  async path(): Promise<string> {
    const found = await findClaude(this.#host.programs.claude, this.#host.childEnv.PATH ?? "");
    if ("problem" in found) throw this.#unusable(found.problem);
    const { mtimeMs, size } = await stat(/* turbopackIgnore: true */ found.path);
    const file = `${found.path} ${mtimeMs} ${size}`;
    if (this.#known?.file !== file) {
      const checked = this.#checked(found.path);
      const known = { file, path: checked };
      this.#known = known;
      // What went wrong may be mended by then.
      checked.catch(() => {
        if (this.#known === known) this.#known = null;
      });
    }
    return this.#known.path;
  }

  async #checked(program: string): Promise<string> {
    const problem = versionProblem(program, await this.#version(program));
    if (problem !== null) throw this.#unusable(problem);
    return program;
  }

  /** What it says of itself; "" when it says nothing in time. */
  async #version(program: string): Promise<string> {
    let said = "";
    const child = await startChild({
      command: program,
      args: ["--version"],
      env: this.#host.childEnv,
      cwd: tmpdir(),
      onOutput: (piece) => {
        if (said.length < LONGEST_VERSION) said += piece.toString("utf8");
      },
    }).catch((error: unknown) => {
      if (error instanceof SpawnError) throw this.#unusable(`${error.message}. Is Claude Code installed here?`);
      throw error;
    });
    child.closeInput();
    const timer = setTimeout(() => void child.kill(), VERSION_MS);
    await child.exited;
    clearTimeout(timer);
    return said.slice(0, LONGEST_VERSION);
  }

  #unusable(problem: string): BackendError {
    return new BackendError("backend-spawn-failed", `${this.#providerName}: ${problem}`);
  }
}
