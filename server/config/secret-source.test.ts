import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readSecretVariable } from "@/server/env";
import { MAX_SECRET_BYTES, readSecretFile } from "./secret-source";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "secret-source-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const at = (name: string) => path.join(folder, name);

describe("a mounted file", () => {
  it("is read as it stands, without a byte order mark", () => {
    writeFileSync(at("key"), "\ufeff sk-canary \n");
    expect(readSecretFile(at("key"), "apiKey")).toEqual({ state: "read", text: " sk-canary \n" });
  });

  it("is found by the name of the key in a folder, through the links that Kubernetes makes", () => {
    mkdirSync(at("..2026_01_01"));
    writeFileSync(at("..2026_01_01/apiKey"), "first");
    symlinkSync("..2026_01_01", at("..data"));
    symlinkSync("..data/apiKey", at("apiKey"));
    expect(readSecretFile(folder, "apiKey")).toEqual({ state: "read", text: "first" });

    // A rotation swaps the folder behind the link.
    mkdirSync(at("..2026_01_02"));
    writeFileSync(at("..2026_01_02/apiKey"), "second");
    rmSync(at("..data"));
    symlinkSync("..2026_01_02", at("..data"));
    expect(readSecretFile(folder, "apiKey")).toEqual({ state: "read", text: "second" });
  });

  it("may have 64 KiB and not a byte more", () => {
    writeFileSync(at("key"), "k".repeat(MAX_SECRET_BYTES));
    expect(readSecretFile(at("key"), "apiKey")).toEqual({ state: "read", text: "k".repeat(MAX_SECRET_BYTES) });
    writeFileSync(at("key"), "k".repeat(MAX_SECRET_BYTES + 1));
    expect(readSecretFile(at("key"), "apiKey")).toEqual({ state: "unreadable", problem: "the file is larger than 64 KiB" });
  });

  it("that is not there is missing", () => {
    expect(readSecretFile(at("none"), "apiKey")).toEqual({ state: "missing", problem: "there is no such file" });
    expect(readSecretFile(folder, "apiKey")).toEqual({ state: "missing", problem: "the folder holds no file named apiKey" });
    writeFileSync(at("key"), "x");
    expect(readSecretFile(at("key/apiKey"), "apiKey")).toEqual({ state: "missing", problem: "there is no such file" });
    symlinkSync("gone", at("dangling"));
    expect(readSecretFile(at("dangling"), "apiKey")).toEqual({ state: "missing", problem: "there is no such file" });
  });

  it("that is a device, a pipe or a folder is not opened", () => {
    const refused = { state: "unreadable", problem: "it is not a regular file" };
    expect(readSecretFile("/dev/zero", "apiKey")).toEqual(refused);
    execFileSync("mkfifo", [at("pipe")]);
    expect(readSecretFile(at("pipe"), "apiKey")).toEqual(refused);
    mkdirSync(at("apiKey"));
    expect(readSecretFile(folder, "apiKey")).toEqual(refused);
  });

  it("that links to itself is unreadable", () => {
    symlinkSync("loop", at("loop"));
    expect(readSecretFile(at("loop"), "apiKey")).toEqual({
      state: "unreadable",
      problem: "the system refuses to read it (ELOOP)",
    });
  });

  // Root may read everything.
  it.skipIf(process.getuid?.() === 0)("that this process may not read is unreadable", () => {
    writeFileSync(at("key"), "x");
    chmodSync(at("key"), 0);
    expect(readSecretFile(at("key"), "apiKey")).toEqual({ state: "unreadable", problem: "this process may not read the file" });
  });

  describe("where SWITCHYARD_SECRETS_DIR names a folder", () => {
    const OUTSIDE = { state: "outside", problem: "only files in the folder of SWITCHYARD_SECRETS_DIR are read" };
    const read = (file: string) => readSecretFile(file, "apiKey", at("mount"));

    beforeEach(() => {
      mkdirSync(at("mount/..2026_01_01"), { recursive: true });
      writeFileSync(at("mount/..2026_01_01/apiKey"), "projected");
      symlinkSync("..2026_01_01", at("mount/..data"));
      symlinkSync("..data/apiKey", at("mount/apiKey"));
      writeFileSync(at("elsewhere"), "secret of another");
    });

    it("is read below it, as a file or by the name of its key, links and all", () => {
      for (const file of [at("mount/apiKey"), at("mount"), at("mount/..data"), at("mount/nothing/../apiKey")])
        expect(read(file)).toEqual({ state: "read", text: "projected" });
      symlinkSync(at("mount"), at("alias"));
      expect(read(at("alias/apiKey"))).toEqual({ state: "read", text: "projected" });
      expect(readSecretFile(at("mount/apiKey"), "apiKey", at("alias"))).toEqual({ state: "read", text: "projected" });
    });

    it("is not looked at outside, wherever the way leads from", () => {
      symlinkSync(at("elsewhere"), at("mount/link"));
      mkdirSync(at("mount/folder"));
      symlinkSync("../../elsewhere", at("mount/folder/apiKey"));
      mkdirSync(at("mount-too"));
      writeFileSync(at("mount-too/key"), "x");
      for (const file of ["elsewhere", "mount/link", "mount/folder", "mount/../elsewhere", "mount-too/key", "."])
        expect(read(at(file))).toEqual(OUTSIDE);
      expect(read("/etc/hostname")).toEqual(OUTSIDE);
    });

    it("tells nothing of what there is outside, and what is missing inside", () => {
      expect([read(at("none")), read(at("none/deeper")), read("/none")]).toEqual([OUTSIDE, OUTSIDE, OUTSIDE]);
      expect(read(at("mount/none"))).toEqual({ state: "missing", problem: "there is no such file" });
      expect(read(at("mount/none/deeper"))).toEqual({ state: "missing", problem: "there is no such file" });
    });

    it("is outside of a folder that is not there", () => {
      expect(readSecretFile(at("elsewhere"), "apiKey", at("gone"))).toEqual(OUTSIDE);
    });
  });

  it("that is no text is malformed", () => {
    writeFileSync(at("key"), Uint8Array.of(0x6b, 0xff, 0xfe));
    expect(readSecretFile(at("key"), "apiKey")).toEqual({ state: "malformed", problem: "the file is not UTF-8 text" });
  });
});

describe("a variable", () => {
  it.each(["toString", "constructor", "__proto__"])("named %s is not what every object inherits", (name) => {
    expect(readSecretVariable(name)).toBeUndefined();
  });
});
