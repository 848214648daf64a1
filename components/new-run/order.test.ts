import { describe, expect, it } from "vitest";
import { MAX_RUN_BYTES } from "@/server/runs/run.rules";
import { distillOrderSchema } from "@/server/runs/run.schema";
import { type Draft, type DraftDocument, EMPTY_DRAFT } from "./draft";
import { dateInFileName } from "./file-date";
import { draftBytes, hasFieldProblems, optionRange, orderOf, problemsOf } from "./order";

const document = (name: string, date = ""): DraftDocument => ({ key: name, name, text: `text of ${name}`, bytes: 10, date });
const draft = (part: Partial<Draft>): Draft => ({ ...EMPTY_DRAFT, ...part });
const sent = (part: Partial<Draft>) => {
  const order = distillOrderSchema.parse(orderOf(draft(part)));
  return order.documents.map((each) => [each.name, each.sourceDate]);
};

describe("dateInFileName", () => {
  it.each([
    ["2026-04-19.md", "2026-04-19"],
    ["notes_20260419.txt", "2026-04-19"],
    ["2026-02-30 then 2026-03-01.md", "2026-03-01"],
    ["99999999.txt", null],
    ["120260419.txt", null],
    ["notes.md", null],
  ])("%s has %s", (name, date) => {
    expect(dateInFileName(name)).toBe(date);
  });
});

describe("orderOf", () => {
  it("leaves out everything that is as usual", () => {
    expect(orderOf(draft({ text: "hello", options: { ...EMPTY_DRAFT.options, maxAttempts: "3", concurrency: "" } }))).toEqual({
      documents: [{ name: "pasted-text.md", text: "hello" }],
    });
  });

  it("carries what was changed", () => {
    const order = orderOf(
      draft({ text: "x", name: " Day ", backend: "mock", model: "m", options: { ...EMPTY_DRAFT.options, chunkTokens: "500" } }),
    );
    expect(order).toMatchObject({ name: "Day", backend: "mock", model: "m", options: { chunkTokens: 500 } });
  });

  it("sends each text under its own date: the operator's, else the one in its name, else the run's", () => {
    expect(
      sent({
        text: "x",
        date: "2026-05-01",
        documents: [document("2026-04-19.md", "2026-04-18"), document("2026-04-20.md"), document("notes.md")],
      }),
    ).toEqual([
      ["pasted-text.md", "2026-05-01"],
      ["2026-04-19.md", "2026-04-18"],
      ["2026-04-20.md", "2026-04-20"],
      ["notes.md", "2026-05-01"],
    ]);
  });

  it("leaves a text without any date to the server's today", () => {
    expect(sent({ text: "x", documents: [document("notes.md")] })).toEqual([
      ["pasted-text.md", undefined],
      ["notes.md", undefined],
    ]);
  });
});

describe("problemsOf", () => {
  it("wants some text", () => {
    expect(problemsOf(draft({ text: " \n" })).noText).toBe(true);
    expect(problemsOf(draft({ text: "x" })).noText).toBe(false);
  });

  it.each(["0", "21", "1.5", "many", "-1"])("refuses %s attempts", (entered) => {
    const problems = problemsOf(draft({ text: "x", options: { ...EMPTY_DRAFT.options, maxAttempts: entered } }));
    expect([problems.options, hasFieldProblems(problems)]).toEqual([{ maxAttempts: { min: 1, max: 20 } }, true]);
  });

  it("takes the limits from the schema", () => {
    expect(optionRange("timeoutMs")).toEqual({ min: 100, max: 3_600_000 });
  });

  it("counts UTF-8 bytes of text and files", () => {
    expect(draftBytes(draft({ text: "日志", documents: [document("a.md")] }))).toBe(16);
    expect(problemsOf(draft({ text: "x", documents: [{ ...document("a.md"), bytes: MAX_RUN_BYTES }] })).tooLarge).toBe(true);
  });
});
