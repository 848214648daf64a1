import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Terminal } from "@/server/cli/terminal";
import { type Container, createContainer } from "@/server/container";
import { loadEnv } from "@/server/env";
import { distill } from "./distill";
import { exec } from "./exec";
import { act, exportCommand, listRuns, retry, showRun } from "./runs";
import { work } from "./work";

let root: string;
let lines: string[];
let problems: string[];
let terminal: Terminal;
const openContainer = (only?: ReadonlySet<string>) =>
  createContainer({
    env: loadEnv({ SWITCHYARD_DATA_DIR: path.join(root, "data"), LOG_LEVEL: "silent" }),
    ...(only ? { only } : {}),
  });

beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), "switchyard-distill-"));
  lines = [];
  problems = [];
  terminal = {
    out: (line) => lines.push(line),
    err: (line) => problems.push(line),
    progress: () => undefined,
    cwd: root,
    interrupted: new AbortController().signal,
  };
});
afterEach(() => rm(root, { recursive: true, force: true }));

const run = (...argv: string[]) => distill([...argv, "--backend", "mock"], terminal, openContainer);
const note = (name: string, text: string) => writeFile(path.join(root, name), text);
const TEXT = "We moved the database to Oslo. The old host was too slow. Nobody noticed.";

async function withContainer<T>(work: (container: Container) => Promise<T>): Promise<T> {
  const container = await openContainer();
  try {
    return await work(container);
  } finally {
    await container.close(0);
  }
}

/** Every file below a folder, relative, sorted. */
async function tree(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .sort();
}

describe("distill", () => {
  it("does the whole job: one line and one tree a date, exit 0", async () => {
    await note("2026-04-19.md", TEXT);
    await note("2026-04-20.md", "Lena leads the team now. She starts on Monday.");
    expect(await run("2026-04-20.md", "2026-04-19.md", "--out", "out", "--json")).toBe(0);
    const said = lines.map((line) => JSON.parse(line));
    expect(said.map((line) => Object.keys(line))).toEqual([
      ["runId", "date", "chunks", "insights", "out"],
      ["runId", "date", "chunks", "insights", "out"],
    ]);
    expect(said[0]).toMatchObject({
      date: "2026-04-19",
      chunks: { total: 1, succeeded: 1, failed: 0 },
      out: path.join(root, "out"),
    });
    expect(said[1].date).toBe("2026-04-20");
    const day = path.join(root, "out/runtime/memory-distill/2026-04-19");
    expect(await tree(day)).toEqual([
      ".switchyard-run",
      "cleaned.txt",
      "insights.json",
      "insights.md",
      "manifest.json",
      "requests/chunk-0001.json",
      "results/chunk-0001.json",
    ]);
    expect(JSON.parse(await readFile(path.join(day, "results/chunk-0001.json"), "utf8"))).toMatchObject({
      version: "xkb.result.v1",
      ok: true,
      source_date: "2026-04-19",
      chunk_index: 1,
    });
    expect(await readFile(path.join(day, "insights.md"), "utf8")).toContain("We moved the database to Oslo.");
  });

  it("ends with 1 when a chunk failed; retry, finish and export go on from there", async () => {
    await note("a.md", `${TEXT} [[mock:fail=backend-failed]]`);
    expect(await run("a.md", "--date", "2026-04-19", "--json")).toBe(1);
    const { runId, chunks, out } = JSON.parse(lines[0] ?? "");
    expect({ chunks, out }).toEqual({ chunks: { total: 1, succeeded: 0, failed: 1 }, out: null });
    await withContainer(async (container) => {
      lines.length = 0;
      expect(await listRuns(["--json"], terminal, container)).toBe(0);
      expect(lines.map((line) => JSON.parse(line).id)).toEqual([runId]);
      lines.length = 0;
      expect(await showRun([runId], terminal, container)).toBe(0);
      expect(lines.join("\n")).toContain(
        "1 × backend-failed: The mock backend was told to fail with backend-failed.  (chunks 1)",
      );
      await expect(act("resume", [runId], terminal, container)).rejects.toThrow(
        "Only a paused run can be resumed; this one is incomplete.",
      );
      lines.length = 0;
      expect(await retry([runId, "--chunks", "1,9", "--json"], terminal, container, openContainer)).toBe(0);
      expect(JSON.parse(lines[0] ?? "")).toEqual({ requeued: 1, skipped: [{ chunk: 9, reason: "there is no such chunk" }] });
      await expect(retry([runId, "--chunks", "1,x"], terminal, container, openContainer)).rejects.toThrow(
        '--chunks takes indexes like 1,2,3; "x" is none.',
      );
      await expect(showRun(["run_none"], terminal, container)).rejects.toThrow("There is no run run_none.");
      await expect(exportCommand([runId], terminal, container)).rejects.toThrow("Say where to: export RUN --out DIR");
    });
  });

  it("accepts gaps when told, and still ends with 1", async () => {
    await note("a.md", `${TEXT} [[mock:fail=backend-failed]]`);
    expect(await run("a.md", "--accept-gaps")).toBe(1);
    expect(lines[0]).toContain("  completed  0/1 chunks, 1 failed");
  });

  it("exports requests that exec runs into the same tree", async () => {
    const text = Array.from(
      { length: 40 },
      (_, at) => `## Part ${at}\n\nThe team of part ${at} chose plan number ${at} for the long move to Oslo.`,
    ).join("\n\n");
    await note("a.md", text);
    expect(await run("a.md", "--date", "2026-04-19", "--chunk-tokens", "200", "--out", "first", "--json")).toBe(0);
    const { runId, chunks } = JSON.parse(lines[0] ?? "");
    expect(chunks.total).toBeGreaterThan(1);
    const { directory } = await withContainer(async (container) => {
      lines.length = 0;
      expect(await exportCommand([runId, "--out", "second"], terminal, container)).toBe(0);
      return { directory: lines[0] ?? "" };
    });
    expect(await tree(directory)).toEqual(await tree(path.join(root, "first/runtime/memory-distill/2026-04-19")));
    const before = await tree(directory);
    await rm(path.join(directory, "results"), { recursive: true });
    expect(await exec([directory, "--backend", "mock"], terminal)).toBe(0);
    expect(await tree(directory)).toEqual(before);
    for (const file of before.filter((name) => name.startsWith("results/"))) {
      const [again, original] = await Promise.all(
        [directory, path.join(root, "first/runtime/memory-distill/2026-04-19")].map(async (folder) =>
          JSON.parse(await readFile(path.join(folder, file), "utf8")),
        ),
      );
      expect({ output: again.output, sha256: again.request_sha256 }).toEqual({
        output: original.output,
        sha256: original.request_sha256,
      });
    }
  });

  it("moves the files of another run of that date aside", async () => {
    await note("a.md", TEXT);
    const paid = path.join(root, "out/runtime/memory-distill/2026-04-19/results");
    await mkdir(paid, { recursive: true });
    await writeFile(path.join(paid, "chunk-0001.json"), "paid for");
    expect(await run("a.md", "--date", "2026-04-19", "--out", "out")).toBe(0);
    const aside = (await readdir(path.join(root, "out/runtime/memory-distill"))).filter((name) => name !== "2026-04-19");
    expect(aside).toHaveLength(1);
    expect(await readFile(path.join(root, "out/runtime/memory-distill", aside[0] ?? "", "results/chunk-0001.json"), "utf8")).toBe(
      "paid for",
    );
    expect(problems[0]).toContain("were moved to");
  });

  it("pauses the run when interrupted: exit 130, resumable", async () => {
    await note("a.md", `${TEXT} [[mock:hang]]`);
    const interrupt = new AbortController();
    const told = { ...terminal, interrupted: interrupt.signal, progress: () => interrupt.abort() };
    expect(await distill(["a.md", "--backend", "mock"], told, openContainer)).toBe(130);
    await withContainer(async (container) => {
      const { items } = await container.runs.list({ limit: 5 });
      expect(items.map((item) => [item.status, item.statusReason, item.counts.running])).toEqual([
        ["paused", "Interrupted on the command line.", 0],
      ]);
      expect(problems).toEqual([
        `Interrupted. Run ${items[0]?.id} is paused; go on with: npm run -s switchyard -- work ${items[0]?.id}`,
      ]);
    });
  }, 30_000);

  it("is gone on with by work, which ends as distill does", async () => {
    await note("a.md", `${TEXT} [[mock:delay=50]]`);
    await note("b.md", `The queue kept its order all day, and so did the workers. [[mock:delay=60]]`);
    const interrupt = new AbortController();
    const told = { ...terminal, interrupted: interrupt.signal, progress: () => interrupt.abort() };
    const argv = ["a.md", "b.md", "--date", "2026-04-19", "--concurrency", "1", "--backend", "mock", "--out", "out"];
    expect(await distill(argv, told, openContainer)).toBe(130);
    const id = await withContainer(async (container) => (await container.runs.list({ limit: 1 })).items[0]?.id ?? "");
    expect(await work([id, "--out", "out"], terminal, openContainer)).toBe(0);
    expect(lines.at(-1)).toContain("completed  2/2 chunks, 0 failed");
    expect(await tree(path.join(root, "out/runtime/memory-distill/2026-04-19/results"))).toEqual([
      "chunk-0001.json",
      "chunk-0002.json",
    ]);
  }, 30_000);

  it("leaves failed chunks to a retry, which can do the work itself", async () => {
    await note("a.md", `${TEXT} [[mock:fail=provider-unavailable]]`);
    expect(await run("a.md", "--max-attempts", "1")).toBe(1);
    const id = await withContainer(async (container) => (await container.runs.list({ limit: 1 })).items[0]?.id ?? "");
    problems = [];
    await withContainer((container) => retry([id], terminal, container, openContainer));
    expect(problems).toEqual([`A running server goes on with it; without one, do it here: npm run -s switchyard -- work ${id}`]);
    expect(await work([id], terminal, openContainer)).toBe(1);
    expect(await withContainer((container) => retry([id, "--work"], terminal, container, openContainer))).toBe(1);
    await withContainer(async (container) => {
      const { items } = await container.runs.chunks(id, { limit: 1 });
      expect(items[0]?.attempts.map(({ number, status }) => [number, status])).toEqual([
        [1, "failed"],
        [2, "failed"],
        [3, "failed"],
      ]);
    });
  }, 30_000);
});

describe("bad use", () => {
  it.each([
    [[], /^Name at least one file/],
    [["nowhere.md"], /^nowhere\.md cannot be read/],
    [["."], /^\. is a folder; name the files in it\.$/],
    [["nul.md"], /NUL character/],
    [["latin1.md"], /not valid UTF-8: byte 0xe9 at offset 3/],
    [["a.md", "--date", "2026-02-30"], /sourceDate/],
    [["a.md", "--concurrency", "1000"], /concurrency/],
    [["a.md", "--nonsense"], /Flags here/],
  ])("is one sentence and makes no run: %j", async (argv, sentence) => {
    await note("a.md", TEXT);
    await writeFile(path.join(root, "nul.md"), "a\u0000b");
    await writeFile(path.join(root, "latin1.md"), Buffer.from("caf\xe9 au lait", "latin1"));
    await expect(run(...argv)).rejects.toThrow(sentence);
    expect(await readdir(root)).not.toContain("data");
  });

  it("names the backends there are", async () => {
    await note("a.md", TEXT);
    await expect(distill(["a.md", "--backend", "gpt"], terminal, openContainer)).rejects.toThrow(
      'There is no backend "gpt"; there are: extractive, mock.',
    );
  });
});
