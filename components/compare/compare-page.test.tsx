import { act, cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { NuqsTestingAdapter, type OnUrlUpdateFunction } from "nuqs/adapters/testing";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createFakeServer, type FakeAnswers, FakeApiError, FakeConsole } from "@/components/trpc/fake-console";
import { stubBrowser } from "@/components/ui/testing-browser";
import type { ComparedRun, ComparedStretch } from "@/server/runs/run-comparison.schema";
import { buildRunSummary } from "@/server/testing/build-run-detail";
import { ComparePage } from "./compare-page";

beforeEach(() => stubBrowser());
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const FAST = buildRunSummary({ id: "run_a", name: "Day one, fast", backend: "mock", status: "completed" });
const SLOW = buildRunSummary({ id: "run_b", name: "Day one, slow", backend: "ollama", model: "llama3" });

const figures = (run: ComparedRun["run"], part: Partial<ComparedRun> = {}): ComparedRun => ({
  run,
  requests: 5,
  requestMs: { median: 1_200, longest: 9_000 },
  firstTokenMs: 300,
  marks: { repaired: 2, truncated: 1 },
  cost: { known: [], unknown: [], unknownAttempts: 0, revision: 1 },
  answeredBy: [`${run.backend}/${run.model}`],
  ...part,
});

const PARTLY_KNOWN: ComparedRun["cost"] = {
  known: [{ amount: 0.5, currency: "USD", about: false }],
  unknown: [{ reference: "ollama/llama3", reason: "no_price", attempts: 2 }],
  unknownAttempts: 2,
  revision: 1,
};

const DONE = {
  status: "succeeded",
  attempts: 1,
  repaired: false,
  truncated: false,
  failureKind: null,
  insights: 3,
  requestMs: 900,
} as const;
const STRETCH: ComparedStretch = {
  document: "2026-04-19.md",
  sha256: "aa",
  sourceStart: 0,
  sourceEnd: 1_200,
  chunks: [
    { ...DONE, index: 1 },
    { ...DONE, index: 4, status: "failed", attempts: 2, failureKind: "backend-timeout", insights: null, requestMs: null },
  ],
};
const ALONE: ComparedStretch = { ...STRETCH, sourceStart: 1_200, sourceEnd: 2_400, chunks: [{ ...DONE, index: 2 }, null] };

function show(
  search: string,
  answers: NonNullable<FakeAnswers["runs"]> = {},
  left: { unknown: string[]; agentRuns: string[] } = { unknown: [], agentRuns: [] },
) {
  const compare = vi.fn<NonNullable<NonNullable<FakeAnswers["runs"]>["compare"]>>(({ ids }) =>
    [figures(FAST), figures(SLOW, { cost: PARTLY_KNOWN, requestMs: null, firstTokenMs: null, answeredBy: [] })].filter(
      ({ run }) => ids.includes(run.id),
    ),
  );
  const comparedChunks = vi.fn<NonNullable<NonNullable<FakeAnswers["runs"]>["comparedChunks"]>>(({ differing }) => ({
    items: differing ? [ALONE] : [STRETCH, ALONE],
    nextCursor: null,
  }));
  const server = createFakeServer({
    runs: {
      compare,
      comparedChunks,
      ofSameText: () => [SLOW],
      list: () => ({ items: [FAST, SLOW, buildRunSummary({ id: "run_c", name: "Another day" })], nextCursor: null }),
      ...answers,
    },
  });
  const onUrlUpdate = vi.fn<OnUrlUpdateFunction>();
  render(
    <NuqsTestingAdapter hasMemory searchParams={search} onUrlUpdate={onUrlUpdate}>
      <FakeConsole server={server}>
        <ComparePage {...left} />
      </FakeConsole>
    </NuqsTestingAdapter>,
  );
  return { compare, comparedChunks, onUrlUpdate, stream: server.stream };
}

const rowOf = async (name: string) => {
  const row = (await screen.findByRole("link", { name })).closest("tr");
  if (row === null) throw new Error(`no row of ${name}`);
  return Array.from(row.cells, (cell) => cell.textContent);
};

it("shows a line a run, and a dash for what is not known", async () => {
  show("?runs=run_a,run_b");
  const fast = await rowOf("Day one, fast");
  expect(fast.slice(1, 3)).toEqual(["mock/mock-1", "Completed"]);
  expect(fast.slice(3, 9)).toEqual(["1/4", "2", "1", "3", "5", "—"]);
  expect(fast.slice(10, 12)).toEqual(["1.2s", "300ms"]);
  const slow = await rowOf("Day one, slow");
  expect([slow[1], ...slow.slice(10, 12)]).toEqual(["nobody yet", "—", "—"]);
  expect(slow[8]).toBe("US$0.50+ unknown for 2 requests");
});

it("puts what became of the same text side by side", async () => {
  show("?runs=run_a,run_b");
  const chunk = await screen.findByRole("link", { name: "Open chunk 4" });
  expect(chunk.getAttribute("href")).toBe("/runs/run_b/chunks/4");
  const row = chunk.closest("tr");
  expect(Array.from(row?.cells ?? [], (cell) => cell.textContent)).toEqual([
    "2026-04-19.mdcharacters 0–1,200",
    "#1Succeeded3 insights · 900ms",
    "#4FailedThe answer took too long2 requests",
  ]);
  expect(screen.getByText("no such chunk")).toBeTruthy();
});

it("asks for differences alone, and keeps that in the address", async () => {
  const { comparedChunks, onUrlUpdate } = show("?runs=run_a,run_b");
  fireEvent.click(await screen.findByRole("checkbox", { name: "Only where they differ" }));
  await waitFor(() => expect(screen.queryByRole("link", { name: "Open chunk 4" })).toBeNull());
  expect(comparedChunks.mock.lastCall?.[0]).toMatchObject({ ids: ["run_a", "run_b"], differing: true });
  expect(onUrlUpdate.mock.lastCall?.[0].queryString).toBe("?runs=run_a,run_b&differing=true");
});

it("offers the runs of the same text first, adds all of them, and takes one out", async () => {
  const { onUrlUpdate } = show("?runs=run_a");
  const group = await screen.findByRole("group", { name: "Of the same text" });
  expect(within(group).getAllByRole("option")).toHaveLength(1);
  expect(within(screen.getByRole("group", { name: "The newest others" })).getAllByRole("option")).toHaveLength(1);
  fireEvent.click(screen.getByRole("button", { name: "Add the other run of this text" }));
  await screen.findByRole("link", { name: "Day one, slow" });
  expect(onUrlUpdate.mock.lastCall?.[0].queryString).toBe("?runs=run_a,run_b");
  fireEvent.click(screen.getByRole("button", { name: "Take Day one, fast out of the comparison" }));
  await waitFor(() => expect(onUrlUpdate.mock.lastCall?.[0].queryString).toBe("?runs=run_b"));
});

it("adds a run from the list", async () => {
  const { onUrlUpdate } = show("");
  await screen.findByText("No run chosen yet");
  fireEvent.change(await screen.findByRole("combobox", { name: "Add a run…" }), { target: { value: "run_a" } });
  await screen.findByRole("link", { name: "Day one, fast" });
  expect(onUrlUpdate.mock.lastCall?.[0].queryString).toBe("?runs=run_a");
});

it("says which of its runs cannot be compared, and shows the others", async () => {
  const { compare } = show("?runs=run_x,run_a,run_t", {}, { unknown: ["run_x"], agentRuns: ["run_t"] });
  await screen.findByRole("link", { name: "Day one, fast" });
  expect(screen.getAllByRole("alert").map(({ textContent }) => textContent)).toEqual([
    "There is no run run_x; it is left out.",
    "Run run_t is an agent run, which has no chunks to compare; it is left out.",
  ]);
  expect(compare.mock.lastCall?.[0]).toEqual({ ids: ["run_a"] });
});

it("says what went wrong, and tries again", async () => {
  const compare = vi.fn(() => {
    if (compare.mock.calls.length === 1) throw new FakeApiError("internal", "Something broke on the server; its log says what.");
    return [figures(FAST)];
  });
  show("?runs=run_a", { compare });
  expect((await screen.findByRole("alert")).textContent).toContain("These runs could not be compared.");
  fireEvent.click(screen.getByRole("button", { name: "Try again" }));
  await screen.findByRole("link", { name: "Day one, fast" });
  expect(screen.queryByRole("alert")).toBeNull();
});

it("reads the figures again when one of its runs changes, and not for others", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  try {
    const { compare, stream } = show("?runs=run_a");
    await screen.findByRole("link", { name: "Day one, fast" });
    const before = compare.mock.calls.length;
    act(() => stream.send({ id: "1", data: { ...SLOW, lastSeq: 9 } }));
    await act(() => vi.advanceTimersByTimeAsync(2_000));
    expect(compare).toHaveBeenCalledTimes(before);
    act(() => stream.send({ id: "2", data: { ...FAST, lastSeq: 9 } }));
    await act(() => vi.advanceTimersByTimeAsync(2_000));
    await waitFor(() => expect(compare).toHaveBeenCalledTimes(before + 1));
  } finally {
    vi.useRealTimers();
  }
});
