/** Result files that were made elsewhere, by `exec` or by any program of the hand-over protocol. */
import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import type { Terminal } from "@/server/cli/terminal";
import { exportRun } from "@/server/runs/export-run";
import { type ApiContainer, untilRunRests } from "@/server/testing/api-container";
import { buildRun } from "@/server/testing/build-run";
import { type CommandContainer, openCommandContainer } from "@/server/testing/command-container";
import { exec } from "./exec";
import { importResults } from "./import-results";

let open: ApiContainer;
let lines: string[];
let problems: string[];
let terminal: Terminal;
let inWork: CommandContainer["inWork"];
let pausedRun: CommandContainer["pausedRun"];
beforeEach(async () => {
  ({ open, lines, problems, terminal, inWork, pausedRun } = await openCommandContainer());
});

const adopt = (folder: string, id: string, ...more: string[]) =>
  importResults([folder, "--run", id, ...more], terminal, open.container);

async function exported(id: string): Promise<string> {
  return (await exportRun(open.container.database, id, inWork("out"), Date.now())).directory;
}

/** As a program writes it that knows the protocol and nothing of this product. */
const plainResult = (index: number, more: Record<string, unknown> = {}) => ({
  version: "xkb.result.v1",
  ok: true,
  backend: "elsewhere",
  model: "big-model",
  source_date: "2026-04-19",
  chunk_index: index,
  output: { insights: [{ content: "The register moved." }] },
  raw_text: '{"insights":[{"content":"The register moved."}]}',
  timing_ms: 1_200,
  finished_at: "2026-04-19T10:00:00Z",
  ...more,
});
const put = async (name: string, value: unknown) => {
  await mkdir(path.dirname(inWork(name)), { recursive: true });
  await writeFile(inWork(name), typeof value === "string" ? value : JSON.stringify(value));
};

describe("what exec made of an exported run", () => {
  it("comes back into it: the run is completed, and a failure is one", async () => {
    const id = await pausedRun(["", "[[mock:fail=backend-timeout]]", "[[mock:shape=broken]]"]);
    const directory = await exported(id);
    expect(await exec([directory, "--backend", "mock", "--max-attempts", "1"], terminal)).toBe(1);
    lines.length = 0;
    problems.length = 0;
    expect(await adopt("out", id, "--json")).toBe(1);
    expect([problems, JSON.parse(lines[0] ?? "")]).toEqual([
      [],
      { runId: id, adopted: 2, repaired: 1, invalid: 0, failed: 1, skipped: [], problems: [] },
    ]);
    const { items } = await open.container.runs.chunks(id, { limit: 5 });
    expect(
      items.map(({ status, failureKind, repaired, attempts }) => [status, failureKind, repaired, attempts[0]?.origin]),
    ).toEqual([
      ["succeeded", null, false, "import"],
      ["failed", "backend-timeout", false, "import"],
      ["succeeded", null, true, "import"],
    ]);
    const result = JSON.parse((await open.container.runs.chunk(id, 1)).attempts[0]?.result?.body ?? "");
    expect(result).toMatchObject({
      backend: "mock",
      model: "mock-1",
      source: "runtime/memory-distill/2026-04-19/results/chunk-0001.json",
    });
    expect((await open.container.runs.get(id)).status).toBe("incomplete");
  });
});

it("takes the files of any program that keeps to the protocol", async () => {
  const id = await pausedRun(["", ""]);
  await put("day/results/chunk-0001.json", plainResult(1));
  await put("day/results/chunk-0002.json", plainResult(2, { raw_text: "cut", raw_text_truncated: true }));
  await put("day/requests/chunk-0001.json", { version: "xkb.infer.v1" });
  expect(await adopt("day", id)).toBe(0);
  expect(lines).toEqual(["2 adopted (0 repaired), 0 invalid, 0 failed, 0 skipped, 0 not taken"]);
  expect(await open.container.runs.get(id)).toMatchObject({ status: "completed", asked: [], insights: 1 });
  expect((await open.container.runs.chunk(id, 1)).attempts).toMatchObject([{ backend: "elsewhere", model: "big-model" }]);
});

it("passes over what the run's own export holds", async () => {
  const [run] = await open.container.runs.start(buildRun({ chunks: ["", "[[mock:fail=backend-failed]]"] }));
  const id = run?.id ?? "";
  open.container.executor.start();
  await untilRunRests(open.container, id);
  await exported(id);
  expect(await adopt("out", id)).toBe(0);
  expect(lines).toEqual([
    "0 adopted (0 repaired), 0 invalid, 0 failed, 2 skipped, 0 not taken",
    "  2 skipped: it is this run's own attempt 1 (chunks 1, 2)",
  ]);
  expect(problems).toEqual([]);
});

it("refuses what was made for another run, file by file", async () => {
  const id = await pausedRun([""]);
  const directory = await exported(await pausedRun(["", ""]));
  await exec([directory, "--backend", "mock"], terminal);
  problems.length = 0;
  expect(await adopt("out", id)).toBe(1);
  expect(problems).toEqual([
    "runtime/memory-distill/2026-04-19/results/chunk-0001.json: It answers another request than that of chunk 1: their SHA-256 differ.",
    "runtime/memory-distill/2026-04-19/results/chunk-0002.json: This run has no chunk 2.",
  ]);
  expect((await open.container.runs.get(id)).counts.queued).toBe(1);
});

it("takes those of its own run where another run's stand beside them", async () => {
  const id = await pausedRun([""]);
  const directory = await exported(id);
  await exec([directory, "--backend", "mock"], terminal);
  await exec([await exported(await pausedRun(["", ""])), "--backend", "mock"], terminal);
  lines.length = 0;
  problems.length = 0;
  // The folder of the first was moved aside, and so comes after that of the second.
  expect(await adopt("out", id, "--json")).toBe(1);
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({ adopted: 1, skipped: [] });
  expect(problems).toHaveLength(2);
  expect((await open.container.runs.get(id)).status).toBe("completed");
});

it("names each file that it does not understand, and follows no link out of the folder", async () => {
  const id = await pausedRun(["", ""]);
  await put("elsewhere.json", plainResult(2));
  await put("day/a-note.txt", "hello");
  await put("day/b-broken.json", "{");
  await put("day/c-other.json", plainResult(2, { source_date: "2026-02-30" }));
  await put("day/d-list.json", "[]");
  await put("day/results/chunk-0001.json", plainResult(1));
  await put("day/results/attempts/chunk-0001.attempt-01.json", "never read");
  await symlink(inWork("elsewhere.json"), inWork("day/e-link.json"));
  await symlink(terminal.cwd, inWork("day/f-folder"));
  await symlink(inWork("nowhere.json"), inWork("day/g-dangling.json"));
  await symlink(inWork("day/results/chunk-0001.json"), inWork("day/h-inside.json"));
  expect(await adopt("day", id)).toBe(1);
  expect(problems).toEqual([
    "a-note.txt: It is no result file: its name does not end in .json.",
    "b-broken.json: It is not JSON.",
    "c-other.json: It is no result: source_date: is not a day of the calendar.",
    expect.stringMatching(/^d-list\.json: It is no result: /),
    "e-link.json: It is a link that leads out of the folder; it is not followed.",
    "f-folder: It is a link that leads out of the folder; it is not followed.",
    "g-dangling.json: It is a link that leads out of the folder; it is not followed.",
  ]);
  expect(lines).toEqual(["1 adopted (0 repaired), 0 invalid, 0 failed, 0 skipped, 7 not taken"]);
  expect((await open.container.runs.get(id)).counts).toMatchObject({ succeeded: 1, queued: 1 });
});

it("judges anew what another program could not read", async () => {
  const id = await pausedRun([""]);
  const { output: _output, ...rest } = plainResult(1);
  const error = { type: "invalid_output", message: "no JSON" };
  await put("day/chunk-0001.json", { ...rest, ok: false, error, raw_text: `Here: ${rest.raw_text}` });
  expect(await adopt("day", id)).toBe(0);
  expect((await open.container.runs.get(id)).status).toBe("completed");
});

it("ends with 1 where there is nothing", async () => {
  const id = await pausedRun([""]);
  await mkdir(inWork("empty"));
  expect(await adopt("empty", id)).toBe(1);
  expect([problems, await readdir(inWork("empty"))]).toEqual([["empty: It holds no result file."], []]);
});

it("is refused in one sentence without a folder, a run, or either of them", async () => {
  await expect(importResults(["a"], terminal, open.container)).rejects.toThrow(/^Name one folder and one run: import DIR/);
  await expect(adopt("a", "run_none")).rejects.toThrow("There is no run run_none.");
  const id = await pausedRun([""]);
  await expect(adopt("nowhere", id)).rejects.toThrow(/nowhere cannot be read: ENOENT/);
  await put("file.json", "{}");
  await expect(adopt("file.json", id)).rejects.toThrow(/file\.json cannot be read: it is no folder/);
  expect(await readFile(inWork("file.json"), "utf8")).toBe("{}");
});
