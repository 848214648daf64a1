/** A run's open requests leave as lines, and their answers come back. */
import { readdir, readFile, writeFile } from "node:fs/promises";
import { beforeEach, describe, expect, it } from "vitest";
import type { Terminal } from "@/server/cli/terminal";
import { type ApiContainer, untilRunRests } from "@/server/testing/api-container";
import { buildRun } from "@/server/testing/build-run";
import { type CommandContainer, openCommandContainer } from "@/server/testing/command-container";
import { batchCommand } from "./batch";

let open: ApiContainer;
let lines: string[];
let problems: string[];
let terminal: Terminal;
let inWork: CommandContainer["inWork"];
let pausedRun: CommandContainer["pausedRun"];
beforeEach(async () => {
  ({ open, lines, problems, terminal, inWork, pausedRun } = await openCommandContainer());
});

const batch = (...argv: string[]) => batchCommand(argv, terminal, (work) => work(open.container));
const GOOD = '{"insights":[{"content":"The register moved."}]}';

/** What a batch service does with a file of requests: an answer each, in any order. */
function answered(requests: readonly string[], answer: (at: number) => string = () => GOOD): string[] {
  return requests
    .map((request, at) => {
      const { custom_id, body } = JSON.parse(request);
      const choices = [{ index: 0, message: { role: "assistant", content: answer(at) }, finish_reason: "stop" }];
      const usage = { prompt_tokens: 10, completion_tokens: 2 };
      const response = { status_code: 200, request_id: "x", body: { model: `${body.model}-2026`, choices, usage } };
      return JSON.stringify({ id: `batch_req_${at}`, custom_id, response, error: null });
    })
    .reverse();
}

describe("the round trip", () => {
  it("of a paused run completes it, with one accepted result a chunk", async () => {
    const count = 450;
    const id = await pausedRun(Array.from({ length: count }, () => ""));
    expect(await batch("export", id, "--out", "requests.jsonl", "--json")).toBe(0);
    expect(JSON.parse(lines[0] ?? "")).toEqual({
      runId: id,
      requests: count,
      format: "openai",
      out: inWork("requests.jsonl"),
    });
    expect([problems, await readdir(terminal.cwd)]).toEqual([[], ["requests.jsonl"]]);
    const requests = (await readFile(inWork("requests.jsonl"), "utf8")).trimEnd().split("\n");
    const artifact = JSON.parse((await open.container.runs.chunk(id, 1)).request.body);
    expect(JSON.parse(requests[0] ?? "")).toEqual({
      custom_id: "memory_distill_extract/2026-04-19/chunk-0001",
      method: "POST",
      url: "/v1/chat/completions",
      body: {
        model: "mock-1",
        messages: [
          { role: "system", content: artifact.input.system },
          { role: "user", content: artifact.input.user },
        ],
      },
    });
    await writeFile(inWork("answers.jsonl"), `${answered(requests).join("\n")}\n`);

    expect(await batch("import", id, "answers.jsonl")).toBe(0);
    expect(lines.slice(1)).toEqual([`${count} adopted (0 repaired), 0 invalid, 0 failed, 0 skipped, 0 not taken`]);
    expect(problems).toEqual([]);
    const run = await open.container.runs.get(id);
    expect(run).toMatchObject({
      status: "completed",
      retries: 0,
      tokens: { prompt: count * 10, completion: count * 2, cached: 0, cacheWrite: 0, reasoning: 0, estimated: false },
      counts: { total: count, succeeded: count, queued: 0, failed: 0 },
      coverage: { done: count, total: count },
    });
    const { items } = await open.container.runs.chunks(id, { limit: 1_000 });
    expect(new Set(items.map(({ acceptedAttempt, attempts }) => `${acceptedAttempt} of ${attempts.length}`))).toEqual(
      new Set(["1 of 1"]),
    );
    expect((await open.container.runs.chunk(id, 1)).attempts).toMatchObject([{ origin: "import", model: "mock-1-2026" }]);
    expect(JSON.parse((await open.container.runs.chunk(id, 1)).attempts[0]?.result?.body ?? "").source).toBe(
      `answers.jsonl line ${count}`,
    );

    // Once more, nothing is doubled.
    expect(await batch("import", id, "answers.jsonl")).toBe(0);
    expect(lines[2]).toBe(`0 adopted (0 repaired), 0 invalid, 0 failed, ${count} skipped, 0 not taken`);
    expect(lines[3]).toMatch(/^ {2}450 skipped: it has succeeded already \(chunks 450, 449, .*, … 430 more\)$/);
    expect((await open.container.runs.get(id)).counts.succeeded).toBe(count);
  });

  it("goes through Anthropic's form as well", async () => {
    const id = await pausedRun([""]);
    expect(await batch("export", id, "--format", "anthropic", "--model", "claude-x", "--max-tokens", "900")).toBe(0);
    const request = JSON.parse(lines[0] ?? "");
    expect(request).toMatchObject({
      custom_id: `${id}-chunk-0001`,
      params: { model: "claude-x", max_tokens: 900, system: expect.any(String), messages: [{ role: "user" }] },
    });
    expect(problems).toEqual(["1 request"]);
    const message = { model: "claude-x", content: [{ type: "text", text: GOOD }], stop_reason: "end_turn" };
    const answer = JSON.stringify({ custom_id: request.custom_id, result: { type: "succeeded", message } });
    async function* stdin() {
      yield Buffer.from(answer);
    }
    expect(await batchCommand(["import", id, "-", "--json"], terminal, (work) => work(open.container), stdin)).toBe(0);
    expect(JSON.parse(lines[1] ?? "")).toEqual({
      runId: id,
      adopted: 1,
      repaired: 0,
      invalid: 0,
      failed: 0,
      skipped: [],
      problems: [],
    });
    expect((await open.container.runs.get(id)).status).toBe("completed");
  });
});

describe("export", () => {
  it("takes failed chunks alone, queued ones alone, or both", async () => {
    const id = await pausedRun(["", "", ""]);
    await writeFile(
      inWork("a.jsonl"),
      '{"custom_id":"memory_distill_extract/2026-04-19/chunk-0002","result":{"type":"expired"}}\n',
    );
    expect(await batch("import", id, "a.jsonl")).toBe(1);
    const exported = async (status: string) => {
      lines.length = 0;
      await batch("export", id, "--status", status);
      return lines.map((line) => JSON.parse(line).custom_id.slice(-1));
    };
    expect([await exported("failed"), await exported("queued"), await exported("open")]).toEqual([
      ["2"],
      ["1", "3"],
      ["1", "2", "3"],
    ]);
  });

  it("warns when a server may be at the same work, and says when there is none", async () => {
    const [run] = await open.container.runs.start(buildRun({ chunks: [""] }));
    const id = run?.id ?? "";
    expect(await batch("export", id)).toBe(0);
    expect(problems).toEqual([
      `Run ${id} is queued: a server may ask for the same chunks meanwhile. Pause it first: npm run -s switchyard -- pause ${id}`,
      "1 request",
    ]);
    open.container.executor.start();
    await untilRunRests(open.container, id);
    problems.length = 0;
    expect(await batch("export", id, "--out", "none.jsonl")).toBe(1);
    expect([problems, await readdir(terminal.cwd)]).toEqual([[`Run ${id} has no chunk to export.`], []]);
  });

  it("masks what the documents had masked", async () => {
    const id = await pausedRun(["Authorization: Bearer abcdefghijklmnopqrstuvwxyz0123456789"]);
    await batch("export", id);
    expect(lines[0]).not.toContain("abcdefghijklmnopqrstuvwxyz0123456789");
    expect(lines[0]).toContain("move the b register");
  });

  it("leaves no file behind when it is interrupted", async () => {
    const id = await pausedRun([""]);
    terminal = { ...terminal, interrupted: AbortSignal.abort() };
    expect(await batch("export", id, "--out", "a.jsonl")).toBe(130);
    expect(await readdir(terminal.cwd)).toEqual([]);
  });
});

describe("import", () => {
  it("names the line of everything that it cannot take, and takes the others", async () => {
    const id = await pausedRun(["", "", "", ""]);
    await batch("export", id);
    const [first = "", second = "", third = "", fourth = ""] = answered(lines, (at) =>
      at === 1 ? '{"insights":[{"content":"It moved."},]}' : at === 2 ? "no" : GOOD,
    ).reverse();
    const cut = fourth.replace('"finish_reason":"stop"', '"finish_reason":"length"');
    await writeFile(inWork("a.jsonl"), ["{", first, "", second, first, third, cut, lines[0]].join("\n"));
    lines.length = 0;
    problems.length = 0;
    expect(await batch("import", id, "a.jsonl")).toBe(1);
    expect(problems).toEqual([
      "a.jsonl line 1: It is not JSON.",
      "a.jsonl line 5: Its id stands in a.jsonl line 2 already; the first one counts.",
      "a.jsonl line 8: It is a request and no answer: the file to import is the one that the service gave back.",
    ]);
    expect(lines).toEqual(["2 adopted (1 repaired), 2 invalid, 0 failed, 0 skipped, 3 not taken"]);
    expect(await open.container.runs.get(id)).toMatchObject({ status: "incomplete", marks: { repaired: 1, truncated: 1 } });
  });

  it("ends with 1 for a file without a line, and with 130 when it was interrupted", async () => {
    const id = await pausedRun([""]);
    await writeFile(inWork("empty.jsonl"), "\n");
    expect(await batch("import", id, "empty.jsonl")).toBe(1);
    expect(problems).toEqual(["empty.jsonl: It holds no line."]);
    lines.length = 0;
    await batch("export", id);
    await writeFile(inWork("a.jsonl"), answered(lines).join("\n"));
    terminal = { ...terminal, interrupted: AbortSignal.abort() };
    expect(await batch("import", id, "a.jsonl")).toBe(130);
    expect((await open.container.runs.get(id)).counts).toMatchObject({ queued: 1, succeeded: 0 });
  });
});

it.each([
  [[], /^Say what to do; there are:\n {2}batch export RUN /],
  [["fly"], /^There is no "batch fly"/],
  [["export"], /^Name one run: batch export RUN/],
  [["export", "a", "--status", "running"], /^--status is one of open, queued, failed, not "running"\.$/],
  [["export", "a", "--format", "toString"], /^--format is one of openai, anthropic, not "toString"\.$/],
  [["export", "run_none"], /^There is no run run_none\.$/],
  [["import", "run_none"], /^Name one run and one file: batch import RUN FILE/],
  [["import", "run_none", "a.jsonl"], /^There is no run run_none\.$/],
])("%j is refused in one sentence", async (argv, sentence) => {
  await expect(batch(...argv)).rejects.toThrow(sentence);
});

it("says which file cannot be read", async () => {
  const id = await pausedRun([""]);
  await expect(batch("import", id, "nowhere.jsonl")).rejects.toThrow(/^nowhere\.jsonl cannot be read: ENOENT/);
});
