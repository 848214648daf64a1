import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { makeFolder } from "@/server/testing/make-folder";
import { findCodex } from "./find-codex";

const PLATFORM = `codex-${process.platform}-${process.arch}`;
const HINT = "Install it (npm install -g @openai/codex) or name the program in SWITCHYARD_CODEX_BIN.";

function writeFile(file: string, mode: number): string {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, "#!/bin/sh\n");
  chmodSync(file, mode);
  return file;
}

const program = (...parts: string[]) => writeFile(path.join(...parts), 0o755);

/** npm's package: a script in `bin`, the native program in a package of the platform, `nested` below it or hoisted beside it. */
function npmPackage(folder: string, place: "nested" | "hoisted") {
  const owner = path.join(folder, "node_modules", "@openai", "codex");
  const script = program(owner, "bin", "codex.js");
  const around = place === "nested" ? path.join(owner, "node_modules", "@openai") : path.dirname(owner);
  const native = program(around, PLATFORM, "vendor", "some-triple", "bin", "codex");
  return { script, native };
}

describe("the program that the operator names", () => {
  it("is taken as it is, links resolved", async () => {
    const folder = makeFolder();
    const real = program(folder, "real", "codex-0.171.0");
    const link = path.join(folder, "codex");
    symlinkSync(real, link);
    expect(await findCodex(real, "")).toEqual({ path: real });
    expect(await findCodex(link, "")).toEqual({ path: real });
  });

  it.each(["nested", "hoisted"] as const)("may be npm's script: the native program is %s", async (place) => {
    const { script, native } = npmPackage(makeFolder(), place);
    expect(await findCodex(script, "")).toEqual({ path: native });
  });

  it("is not replaced by another one when it cannot be used", async () => {
    const folder = makeFolder();
    const inPath = path.dirname(program(folder, "path", "codex"));
    for (const named of [
      path.join(folder, "gone"),
      folder,
      writeFile(path.join(folder, "plain"), 0o644),
      program(folder, "lonely", "bin", "codex.js"),
    ]) {
      expect(await findCodex(named, inPath)).toEqual({
        problem: `Codex is not where SWITCHYARD_CODEX_BIN says (${named}). ${HINT}`,
      });
    }
  });
});

describe("without a name", () => {
  it("the first program of the search path counts; what cannot be run is passed over", async () => {
    const folder = makeFolder();
    mkdirSync(path.join(folder, "a", "codex"), { recursive: true });
    writeFile(path.join(folder, "b", "codex"), 0o644);
    const third = program(folder, "c", "codex");
    program(folder, "d", "codex");
    const searchPath = ["", "a", "gone", "b", "c", "d"]
      .map((name) => (name === "" ? "" : path.join(folder, name)))
      .join(path.delimiter);
    expect(await findCodex(undefined, searchPath)).toEqual({ path: third });
  });

  it("npm's link in the search path leads to the native program", async () => {
    const folder = makeFolder();
    const { script, native } = npmPackage(folder, "nested");
    mkdirSync(path.join(folder, "bin"));
    symlinkSync(script, path.join(folder, "bin", "codex"));
    expect(await findCodex(undefined, path.join(folder, "bin"))).toEqual({ path: native });
  });

  it("nothing found says what to do", async () => {
    const told = { problem: `Codex is not installed here: no program of that name is in PATH. ${HINT}` };
    expect(await findCodex(undefined, makeFolder())).toEqual(told);
    expect(await findCodex(undefined, "")).toEqual(told);
  });
});
