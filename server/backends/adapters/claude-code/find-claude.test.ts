import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import pin from "@/server/backends/claude-cli.json";
import { makeFolder } from "@/server/testing/make-folder";
import { findClaude, versionProblem } from "./find-claude";

const HINT = `Install it (npm install -g @anthropic-ai/claude-code@${pin.version}) or name the program in SWITCHYARD_CLAUDE_BIN.`;

function writeProgram(...parts: string[]): string {
  const file = path.join(...parts);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, "#!/bin/sh\n");
  chmodSync(file, 0o755);
  return file;
}

describe("where the program is", () => {
  it("is where the operator says, or nowhere", async () => {
    const folder = makeFolder();
    const program = writeProgram(folder, "my-claude");
    expect(await findClaude(program, "")).toEqual({ path: program });
    const named = path.join(folder, "none");
    expect(await findClaude(named, folder)).toEqual({
      problem: `Claude Code is not where SWITCHYARD_CLAUDE_BIN says (${named}). ${HINT}`,
    });
  });

  it("is the first of that name in PATH that can be run", async () => {
    const folder = makeFolder();
    mkdirSync(path.join(folder, "a", "claude"), { recursive: true });
    mkdirSync(path.join(folder, "b"));
    writeFileSync(path.join(folder, "b", "claude"), "no program");
    const program = writeProgram(folder, "c", "claude");
    const searched = ["", ...["a", "b", "c"].map((name) => path.join(folder, name))].join(path.delimiter);
    expect(await findClaude(undefined, searched)).toEqual({ path: program });
    expect(await findClaude(undefined, path.join(folder, "b"))).toEqual({
      problem: `Claude Code is not installed here: no program of that name is in PATH. ${HINT}`,
    });
  });

  it.each(["nested", "hoisted"])(
    "is the native one of npm's package (%s), whose own file may be a text that says what is missing",
    async (how) => {
      const folder = makeFolder();
      const scope = path.join(folder, "lib", "node_modules", "@anthropic-ai");
      const text = writeProgram(scope, "claude-code", "bin", "claude.exe");
      mkdirSync(path.join(folder, "bin"));
      symlinkSync(text, path.join(folder, "bin", "claude"));
      expect(await findClaude(undefined, path.join(folder, "bin"))).toEqual({ path: text });
      const owner = how === "nested" ? path.join(scope, "claude-code", "node_modules", "@anthropic-ai") : scope;
      const native = writeProgram(owner, `claude-code-${process.platform}-${process.arch}`, "claude");
      expect(await findClaude(undefined, path.join(folder, "bin"))).toEqual({ path: native });
    },
  );
});

describe("which program it is", () => {
  it.each<[string, string | null]>([
    [`${pin.version} (Claude Code)\n`, null],
    [`${pin.oldest} (Claude Code)`, null],
    ["2.99.0-beta.1 (Claude Code)", null],
    [
      "2.1.99 (Claude Code)",
      `Claude Code 2.1.99 (/x/claude) is older than ${pin.oldest}, the oldest that is known here. ${HINT}`,
    ],
    [
      "1.10.400 (Claude Code)",
      `Claude Code 1.10.400 (/x/claude) is older than ${pin.oldest}, the oldest that is known here. ${HINT}`,
    ],
    [
      "3.0.0 (Claude Code)",
      `Claude Code 3.0.0 (/x/claude) is newer than what is known here, which ends before ${pin.before}. ${HINT}`,
    ],
    ["", `The program /x/claude is not Claude Code: it does not say its version. ${HINT}`],
    ["claude 2.1.332", `The program /x/claude is not Claude Code: it does not say its version. ${HINT}`],
  ])("%j", (said, problem) => {
    expect(versionProblem("/x/claude", said)).toBe(problem);
  });
});
