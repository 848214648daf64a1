import { describe, expect, it } from "vitest";
import { MAX_RUN_BYTES } from "@/server/runs/run.rules";
import type { DraftDocument } from "./draft";
import { MAX_FILES, type ReadableFile, readFiles } from "./read-files";

function file(name: string, content: string | number[] | Error, size?: number): ReadableFile {
  const bytes =
    typeof content === "string" ? new TextEncoder().encode(content) : Uint8Array.from(content instanceof Error ? [] : content);
  return {
    name,
    size: size ?? bytes.byteLength,
    arrayBuffer: () => (content instanceof Error ? Promise.reject(content) : Promise.resolve(bytes.buffer)),
  };
}

const NOTHING = { documents: [], pastedBytes: 0 };
const present = (name: string, text: string): DraftDocument => ({ key: name, name, text, bytes: text.length, date: "" });

describe("readFiles", () => {
  it("keeps good files and leaves each bad one out with its reason", async () => {
    const { added, rejected } = await readFiles(
      [
        file("2026-04-19.md", "日志 ok\n"),
        file("latin.txt", [0x63, 0xe9, 0x20]),
        file("utf16.txt", [0xff, 0xfe, 0x41, 0x00]),
        file("empty.txt", ""),
        file("folder", new Error("is a folder")),
        file("a/b.txt", "x"),
        file("last.txt", "end"),
      ],
      NOTHING,
    );
    expect(added.map(({ name, text, bytes }) => ({ name, text, bytes }))).toEqual([
      { name: "2026-04-19.md", text: "日志 ok\n", bytes: 10 },
      { name: "empty.txt", text: "", bytes: 0 },
      { name: "last.txt", text: "end", bytes: 3 },
    ]);
    expect(rejected.map(({ name, reason }) => [name, reason])).toEqual([
      ["latin.txt", "not_utf8"],
      ["utf16.txt", "not_utf8"],
      ["folder", "unreadable"],
      ["a/b.txt", "bad_name"],
    ]);
  });

  it("takes a byte order mark off", async () => {
    const { added } = await readFiles([file("bom.txt", [0xef, 0xbb, 0xbf, 0x61])], NOTHING);
    expect(added.map((document) => document.text)).toEqual(["a"]);
  });

  it("takes no more than fits one start, pasted text and earlier files included", async () => {
    const { added, rejected } = await readFiles([file("big.txt", "x", MAX_RUN_BYTES - 9), file("fits.txt", "12345")], {
      documents: [present("old.txt", "12345")],
      pastedBytes: 5,
    });
    expect([added.map((document) => document.name), rejected.map((each) => [each.name, each.reason])]).toEqual([
      ["fits.txt"],
      [["big.txt", "too_large"]],
    ]);
  });

  it("leaves out what is there already, but not another text of the same name", async () => {
    const { added, rejected } = await readFiles([file("a.txt", "one"), file("a.txt", "two"), file("a.txt", "two")], {
      documents: [present("a.txt", "one")],
      pastedBytes: 0,
    });
    expect([added.map((document) => document.text), rejected.map((each) => each.reason)]).toEqual([
      ["two"],
      ["duplicate", "duplicate"],
    ]);
  });

  it("takes no more files than a start may have", async () => {
    const documents = Array.from({ length: MAX_FILES }, (_, index) => present(`${index}.txt`, "x"));
    const { rejected } = await readFiles([file("one-more.txt", "y")], { documents, pastedBytes: 0 });
    expect(rejected.map((each) => each.reason)).toEqual(["too_many"]);
  });
});
