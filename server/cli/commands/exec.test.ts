import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { resultArtifactSchema } from "@/server/artifacts/result-artifact.schema";
import type { Terminal } from "@/server/cli/terminal";
import { exec } from "./exec";

/** The sample of the XKB adapter specification v0. */
const SEED = {
  version: "xkb.infer.v1",
  task: "memory_distill_extract",
  source_date: "2026-04-19",
  chunk_index: 1,
  input: { system: "system prompt...", user: "user prompt..." },
  expect: { format: "json", schema: { insights: "array" } },
  meta: { runtime_dir: "...", created_at: "2026-04-21T00:00:00Z" },
};

const FOREIGN_OK = {
  version: "xkb.result.v1",
  ok: true,
  backend: "b",
  model: "m",
  source_date: "2026-04-19",
  chunk_index: 1,
  output: { insights: [] },
  raw_text: "",
  timing_ms: 1,
  finished_at: "2026-04-21T00:00:00Z",
};

let root: string;
let lines: string[];
let problems: string[];
let terminal: Terminal;

beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), "switchyard-exec-"));
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

async function put(file: string, value: unknown): Promise<string> {
  const whole = path.join(root, file);
  await mkdir(path.dirname(whole), { recursive: true });
  await writeFile(whole, typeof value === "string" ? value : JSON.stringify(value));
  return whole;
}
const request = (index: number, user: string) => ({ ...SEED, chunk_index: index, input: { system: "s", user } });
const result = async (file: string) => resultArtifactSchema.parse(JSON.parse(await readFile(path.join(root, file), "utf8")));
const run = (...argv: string[]) => exec([...argv, "--backend", "mock"], terminal);

describe("exec", () => {
  it("runs the specification's own sample into the sibling results folder", async () => {
    await put("day/requests/chunk-0001.json", SEED);
    expect(await run("day/requests/chunk-0001.json", "--json")).toBe(0);
    expect(await result("day/results/chunk-0001.json")).toMatchObject({
      version: "xkb.result.v1",
      ok: true,
      backend: "mock",
      model: "mock-1",
      source_date: "2026-04-19",
      chunk_index: 1,
    });
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      {
        total: 1,
        succeeded: 1,
        kept: 0,
        failed: 0,
        failures: [],
        models: [{ model: "mock/mock-1", requests: 1, answers: 1 }],
        passedOver: [],
      },
    ]);
  });

  it("runs a folder and its day alike, and ends with 1 when some failed", async () => {
    await put("day/requests/chunk-0001.json", request(1, "One sentence."));
    await put("day/requests/chunk-0002.json", request(2, "Two. [[mock:fail=provider-auth-failed]]"));
    expect(await run("day", "--json", "--model", "mock-7")).toBe(1);
    expect(await result("day/results/chunk-0001.json")).toMatchObject({ ok: true, model: "mock-7" });
    expect(await result("day/results/chunk-0002.json")).toMatchObject({
      ok: false,
      error: { type: "auth_failed", failureKind: "provider-auth-failed" },
    });
    const said = JSON.parse(lines[0] ?? "");
    expect(said).toMatchObject({ total: 2, succeeded: 1, failed: 1 });
    expect(said.failures[0]).toMatchObject({ file: path.join(root, "day/results/chunk-0002.json"), type: "auth_failed" });
  });

  it("keeps an ok result byte for byte, unless forced; then the old one goes to attempts", async () => {
    await put("day/requests/chunk-0001.json", SEED);
    const old =
      '{ "version": "xkb.result.v1", "ok": true, "backend": "python", "model": "m", "source_date": "2026-04-19", "chunk_index": 1, "output": { "insights": [] }, "raw_text": "", "timing_ms": 1, "finished_at": "2026-04-21T00:00:00Z" }';
    const file = await put("day/results/chunk-0001.json", old);
    expect(await run("day", "--json")).toBe(0);
    expect(await readFile(file, "utf8")).toBe(old);
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({ kept: 1, succeeded: 0 });
    expect(await run("day", "--force")).toBe(0);
    expect(await result("day/results/chunk-0001.json")).toMatchObject({ backend: "mock", attempt: 2 });
    expect(await readFile(path.join(root, "day/results/attempts/chunk-0001.attempt-01.json"), "utf8")).toBe(old);
  });

  it("overwrites no file in attempts, and no result when it is interrupted", async () => {
    await put("day/requests/chunk-0001.json", request(1, "[[mock:hang]]"));
    const old = JSON.stringify({ ...FOREIGN_OK, backend: "python" });
    const file = await put("day/results/chunk-0001.json", old);
    const taken = await put("day/results/attempts/chunk-0001.attempt-01.json", "of another program");
    const interrupt = new AbortController();
    setImmediate(() => interrupt.abort());
    expect(await exec(["day", "--backend", "mock", "--force"], { ...terminal, interrupted: interrupt.signal })).toBe(130);
    expect(await readFile(file, "utf8")).toBe(old);
    await put("day/requests/chunk-0001.json", SEED);
    expect(await run("day", "--force")).toBe(0);
    expect(await readFile(taken, "utf8")).toBe("of another program");
    expect(await readFile(path.join(root, "day/results/attempts/chunk-0001.attempt-01.2.json"), "utf8")).toBe(old);
  });

  it("runs a failed result again and keeps the failure beside it", async () => {
    await put("day/requests/chunk-0001.json", request(1, "A sentence. [[mock:fail-times=1:backend-failed]]"));
    expect(await run("day")).toBe(1);
    expect(await run("day")).toBe(1);
    expect(await readdir(path.join(root, "day/results/attempts"))).toEqual(["chunk-0001.attempt-01.json"]);
    expect((await result("day/results/chunk-0001.json")).attempt).toBe(2);
  });

  it("writes under --out, and makes the folder", async () => {
    await put("loose/one.json", SEED);
    expect(await run("loose", "--out", "elsewhere/deep")).toBe(0);
    expect(await readdir(path.join(root, "elsewhere/deep"))).toEqual(["one.json"]);
    expect(await readdir(path.join(root, "loose"))).toEqual(["one.json"]);
  });

  it("never writes over a request: its own folder, another's, or through a link", async () => {
    const own = await put("day/requests/chunk-0001.json", SEED);
    const other = await put("other/requests/chunk-0001.json", request(1, "Other."));
    await mkdir(path.join(root, "link"));
    await symlink(own, path.join(root, "link/chunk-0001.json"));
    for (const out of ["day/requests", "other/requests", "link"]) {
      const before = [await readFile(own, "utf8"), await readFile(other, "utf8")];
      await expect(run("day", "--out", out, "--force")).rejects.toThrow(
        /would be written over a request file; choose another --out folder\.$/,
      );
      expect([await readFile(own, "utf8"), await readFile(other, "utf8")]).toEqual(before);
    }
  });

  it.each([
    ["version", { ...SEED, version: "xkb.infer.v2" }, /version: /],
    ["input.user", { ...SEED, input: { system: "s" } }, /input\.user: /],
    ["source_date", { ...SEED, source_date: "2026-02-30" }, /source_date: is not a day of the calendar/],
    ["chunk_index", { ...SEED, chunk_index: 0 }, /chunk_index: /],
    ["expect.format", { ...SEED, expect: { format: "text", schema: {} } }, /expect\.format: /],
    ["JSON", "{", /is not valid JSON/],
    ["UTF-8", Buffer.from('"\xe9"', "latin1"), /is not valid UTF-8/],
  ])("refuses a wrong file before anything runs, naming it: %s", async (_what, value, sentence) => {
    await put("day/requests/chunk-0001.json", SEED);
    const wrong = path.join(root, "day/requests/chunk-0002.json");
    await writeFile(wrong, Buffer.isBuffer(value) || typeof value === "string" ? value : JSON.stringify(value));
    const error = await run("day").catch((reason: Error) => reason);
    expect(String(error)).toMatch(sentence);
    expect(String(error)).toContain(wrong);
    expect(await readdir(path.join(root, "day"))).toEqual(["requests"]);
  });

  it("takes a file with a byte order mark and hashes its exact bytes", async () => {
    const file = await put("day/requests/chunk-0001.json", `\uFEFF${JSON.stringify(SEED)}`);
    expect(await run("day")).toBe(0);
    expect((await result("day/results/chunk-0001.json")).request_sha256).toBe(
      createHash("sha256")
        .update(await readFile(file))
        .digest("hex"),
    );
  });

  it.each([
    [["nowhere"], /nowhere cannot be read/],
    [["a", "b"], /^Name one request file or folder/],
    [["."], /holds no request files/],
    [["a", "--concurrency", "0"], /--concurrency takes a whole number from 1, not "0"/],
    [["a", "--colour", "red"], /^Unknown option '--colour'\. Flags here: --scene --backend/],
  ])("refuses bad use: %j", async (argv, sentence) => {
    await put("a", SEED);
    await expect(exec(argv, terminal)).rejects.toThrow(sentence);
  });

  it("names the backends there are", async () => {
    await put("a.json", SEED);
    await expect(exec(["a.json", "--backend", "gpt"], terminal)).rejects.toThrow(
      'There is no backend "gpt"; there are: extractive, mock.',
    );
  });

  it("ends with 130 when interrupted, and keeps what was done", async () => {
    await put("day/requests/chunk-0001.json", SEED);
    await put("day/requests/chunk-0002.json", request(2, "[[mock:hang]]"));
    const interrupt = new AbortController();
    const told = { ...terminal, interrupted: interrupt.signal, progress: () => interrupt.abort() };
    expect(await exec(["day", "--backend", "mock"], told)).toBe(130);
    expect(await result("day/results/chunk-0001.json")).toMatchObject({ ok: true });
    expect(await result("day/results/chunk-0002.json")).toMatchObject({ ok: false, error: { type: "cancelled" } });
  });

  it("starts nothing when interrupted while it read the files", async () => {
    await put("day/requests/chunk-0001.json", request(1, "[[mock:hang]]"));
    expect(await exec(["day", "--backend", "mock"], { ...terminal, interrupted: AbortSignal.abort() })).toBe(130);
    expect(await readdir(path.join(root, "day"))).toEqual(["requests"]);
  });
});
