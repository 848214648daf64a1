import { act, cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { NuqsTestingAdapter } from "nuqs/adapters/testing";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createFakeServer, type FakeAnswers, FakeApiError, FakeConsole } from "@/components/trpc/fake-console";
import { stubBrowser } from "@/components/ui/testing-browser";
import { type ChunkSummary, chunkSummarySchema, type RunDetail, runSummarySchema } from "@/server/runs/run.schema";
import { buildRunDetail } from "@/server/testing/build-run-detail";
import { TimelinePanel } from "./timeline-panel";

const push = vi.fn();
vi.mock("next/navigation", () => ({ useRouter: () => ({ push }) }));

/** 72 of them are the names' column. */
const GRID_PX = 872;
const BARS_PX = 800;
const TEN_ROWS_PX = 260;

beforeEach(() => {
  push.mockReset();
  // jsdom lays nothing out: the grid is told its size.
  stubBrowser({ isWide: false });
  vi.spyOn(Element.prototype, "clientWidth", "get").mockReturnValue(GRID_PX);
  vi.spyOn(Element.prototype, "clientHeight", "get").mockReturnValue(TEN_ROWS_PX);
  vi.spyOn(HTMLCanvasElement.prototype, "getContext").mockReturnValue(null);
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const START = Date.parse("2026-11-30T10:00:00.000Z");
const RUN_MS = 10_000;
const at = (offsetMs: number) => new Date(START + offsetMs).toISOString();

/** A chunk that was sent at `from` and answered at `to`, or failed then; milliseconds after the start. */
function chunkOf(index: number, part: { from?: number; to?: number; status?: ChunkSummary["status"] } = {}): ChunkSummary {
  const { from = 1_000, to = 3_000, status = "succeeded" } = part;
  const failureKind = status === "failed" ? "backend-timeout" : null;
  const attempt = {
    number: 1,
    status,
    backend: "mock",
    model: "mock-1",
    servedModel: null,
    servedProvider: null,
    repaired: false,
    truncated: false,
    repairOf: null,
    origin: "asked",
    requestId: `req_${index}`,
    claimedAt: at(0),
    startedAt: at(from),
    firstTokenAt: null,
    endedAt: status === "running" ? null : at(to),
    failureKind,
    errorMessage: null,
    finishReason: null,
    promptTokens: 1,
    completionTokens: 1,
    tokensEstimated: false,
    cachedTokens: null,
    cacheWriteTokens: null,
    reasoningTokens: null,
    costUsd: null,
  };
  return chunkSummarySchema.parse({
    index,
    status,
    document: "notes.md",
    tokens: 10,
    start: 0,
    end: 1,
    sourceStart: 0,
    sourceEnd: 1,
    queuedAt: at(0),
    dueAt: null,
    endedAt: null,
    acceptedAttempt: null,
    repaired: false,
    truncated: false,
    insights: null,
    failureKind,
    errorMessage: null,
    attempts: status === "queued" ? [] : [attempt],
  });
}

function runOf(total: number, part: Record<string, unknown> = {}): RunDetail {
  return buildRunDetail({
    id: "run_b",
    counts: { total, queued: 0, running: 0, succeeded: total, failed: 0, cancelled: 0 },
    tokens: { prompt: 1, completion: 1, cached: 0, cacheWrite: 0, reasoning: 0, estimated: false },
    createdAt: at(0),
    startedAt: at(0),
    endedAt: at(RUN_MS),
    updatedAt: at(RUN_MS),
    lastSeq: 90,
    options: { maxAttempts: 3, concurrency: 8, backoffMs: 1, maxBackoffMs: 1, timeoutMs: 1_000, chunkTokens: 1_000 },
    prep: {
      documents: [],
      masked: [],
      dropped: [],
      cleanedCharacters: 0,
      tokens: 0,
      tokenizer: "o200k_base",
      tokensEstimated: false,
      chunkTokens: 1_000,
      chunks: total,
    },
    ...part,
  });
}

type ListAnswer = NonNullable<NonNullable<FakeAnswers["chunks"]>["list"]>;

/** Pages as the service cuts them. */
function pagesOf(chunks: readonly ChunkSummary[]): ListAnswer {
  return ({ afterIndex = 0, limit = 200 }) => {
    const items = chunks.slice(afterIndex, afterIndex + limit);
    const end = afterIndex + items.length;
    return { items, nextAfterIndex: end < chunks.length ? end : null };
  };
}

function show(chunks: readonly ChunkSummary[], { run = runOf(chunks.length), list = pagesOf(chunks), address = "" } = {}) {
  const answer = vi.fn<ListAnswer>(list);
  const server = createFakeServer({
    chunks: { list: answer },
    runs: { get: () => run, list: () => ({ items: [], nextCursor: null }) },
  });
  render(
    <NuqsTestingAdapter hasMemory searchParams={address}>
      <FakeConsole server={server}>
        <TimelinePanel runId="run_b" />
      </FakeConsole>
    </NuqsTestingAdapter>,
  );
  return { server, answer };
}

const grid = () => screen.findByRole("grid", { name: "Chunks over time" });
const rowAt = (place: number) => document.querySelector<HTMLElement>(`[data-row="${place}"]`);
const tabStops = () => [...document.querySelectorAll<HTMLElement>('[data-row][tabindex="0"]')].map((row) => row.dataset.row);

/** Left edge and width of the bar of the request in a row. */
function barOf(place: number): [number, number] | null {
  const bar = rowAt(place)?.querySelector<HTMLElement>('[title^="Attempt 1: Sent"]');
  return bar ? [Number.parseFloat(bar.style.left), Number.parseFloat(bar.style.width)] : null;
}

const many = (count: number) => Array.from({ length: count }, (_, place) => chunkOf(place + 1));

describe("the timeline's rows", () => {
  it("are buttons that say what they show, and open their chunk", async () => {
    show([chunkOf(1), chunkOf(2, { status: "failed", to: 4_500 })]);
    const buttons = within(await grid()).getAllByRole("button");
    expect(buttons.map((button) => button.getAttribute("aria-label"))).toEqual([
      "Chunk 1, Succeeded, 1 attempt, 3s",
      "Chunk 2, Failed, 1 attempt, The answer took too long, 4.5s",
    ]);
    fireEvent.click(screen.getByRole("button", { name: /^Chunk 2,/ }));
    expect(push).toHaveBeenCalledExactlyOnceWith("/runs/run_b/chunks/2");
  });

  it("have one tab stop, which arrows, j, k, Home and End move with the focus", async () => {
    show(many(40));
    const element = await grid();
    expect(tabStops()).toEqual(["0"]);
    act(() => rowAt(0)?.focus());
    for (const [key, place] of [
      ["ArrowDown", "1"],
      ["j", "2"],
      ["k", "1"],
      ["PageDown", "11"],
      ["End", "39"],
      ["ArrowDown", "39"],
      ["Home", "0"],
      ["ArrowUp", "0"],
    ] as const) {
      fireEvent.keyDown(element, { key });
      await waitFor(() => expect(document.activeElement?.getAttribute("data-row")).toBe(place));
      expect(tabStops()).toEqual([place]);
    }
  });

  it("are mounted only where they are seen, and where the focus is", async () => {
    show(many(1_000));
    const element = await grid();
    expect(element.getAttribute("aria-rowcount")).toBe("1000");
    act(() => rowAt(0)?.focus());
    fireEvent.keyDown(element, { key: "End" });
    await waitFor(() => expect(document.activeElement?.getAttribute("data-row")).toBe("999"));
    expect(document.querySelectorAll("[data-row]").length).toBeLessThan(40);
  });

  it("are not opened by the end of a drag, which moves the window", async () => {
    HTMLElement.prototype.setPointerCapture = () => {};
    show(many(3));
    await grid();
    fireEvent.keyDown(window, { key: "w" });
    const before = barOf(0);
    const row = rowAt(0);
    if (row === null || before === null) throw new Error("the first row is not drawn");
    fireEvent.pointerDown(row, { pointerId: 1, pointerType: "mouse", button: 0, clientX: 400 });
    fireEvent.pointerMove(row, { pointerId: 1, pointerType: "mouse", clientX: 440 });
    fireEvent.pointerUp(row, { pointerId: 1, pointerType: "mouse", clientX: 440 });
    fireEvent.click(row);
    expect(push).not.toHaveBeenCalled();
    expect(barOf(0)?.[1]).toBeCloseTo((before[1] ?? 0) + 40, 3);
    fireEvent.pointerDown(row, { pointerId: 1, pointerType: "mouse", button: 0, clientX: 400 });
    fireEvent.pointerUp(row, { pointerId: 1, pointerType: "mouse", clientX: 400 });
    fireEvent.click(row);
    expect(push).toHaveBeenCalledOnce();
  });
});

describe("the timeline's keys", () => {
  /** Pixels of a millisecond while the whole run is shown, with its air at the end. */
  const WHOLE_PX = BARS_PX / (RUN_MS * 1.03);

  it("zoom, fit what is on the screen, then the focused row, and go back to the whole run", async () => {
    show([chunkOf(1, { from: 4_000, to: 6_000 }), chunkOf(2, { from: 4_000, to: 8_000 })]);
    await grid();
    expect(barOf(0)?.[1]).toBeCloseTo(2_000 * WHOLE_PX, 3);
    fireEvent.keyDown(window, { key: "w" });
    expect(barOf(0)?.[1]).toBeCloseTo(2_000 * WHOLE_PX * 1.5, 3);
    fireEvent.keyDown(window, { key: "f" });
    expect(barOf(0)?.[1]).toBeCloseTo((BARS_PX * 2_000) / (4_000 * 1.16), 3);
    fireEvent.keyDown(window, { key: "f" });
    expect(barOf(0)?.[1]).toBeCloseTo(BARS_PX / 1.16, 3);
    fireEvent.keyDown(window, { key: "0" });
    expect(barOf(0)?.[1]).toBeCloseTo(2_000 * WHOLE_PX, 3);
  });

  it("leave only rows with a failure, and say when there is none", async () => {
    show([chunkOf(1), chunkOf(2, { status: "failed" })]);
    await grid();
    fireEvent.keyDown(window, { key: "e" });
    await screen.findByText("1 of 2 chunks");
    expect(screen.getByRole("button", { name: "Errors only (e)" }).getAttribute("aria-pressed")).toBe("true");
    expect(within(await grid()).getAllByRole("button")).toHaveLength(1);
    cleanup();
    show([chunkOf(1)], { address: "?errors=true" });
    expect(await screen.findByText("No chunk has failed an attempt.")).toBeTruthy();
  });

  it("are not ours while someone types", async () => {
    show(many(2));
    await grid();
    const before = barOf(0);
    const input = document.body.appendChild(document.createElement("input"));
    fireEvent.keyDown(input, { key: "w" });
    input.remove();
    expect(barOf(0)).toEqual(before);
  });
});

describe("the timeline's data", () => {
  it("say why it could not be read, and read it again on request", async () => {
    let broken = true;
    const list: ListAnswer = (input) => {
      if (broken) throw new FakeApiError("store_unavailable", "The store is locked.");
      return pagesOf(many(2))(input);
    };
    show(many(2), { list });
    expect(await screen.findByText("The chunks could not be loaded.")).toBeTruthy();
    broken = false;
    fireEvent.click(screen.getByRole("button", { name: /again|retry/i }));
    expect(within(await grid()).getAllByRole("button")).toHaveLength(2);
  });

  it("come in pages of a thousand, with what is loaded shown meanwhile", async () => {
    let release = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const chunks = many(1_200);
    const list: ListAnswer = async (input) => {
      if (input.afterIndex === 1_000) await gate;
      return pagesOf(chunks)(input);
    };
    const { answer } = show(chunks, { list });
    expect(await screen.findByText("1,000 of 1,200 chunks loaded")).toBeTruthy();
    release();
    expect(await screen.findByText("1,200 of 1,200 chunks")).toBeTruthy();
    expect(answer.mock.calls.map(([input]) => input)).toEqual([
      { runId: "run_b", afterIndex: 0, limit: 1_000 },
      { runId: "run_b", afterIndex: 1_000, limit: 1_000 },
    ]);
  });

  it("read again after a change only where something can have changed", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const settle = () => act(() => vi.advanceTimersByTimeAsync(2_000));
    const chunks = [...many(1_000), chunkOf(1_001, { status: "running" })];
    const counts = { total: 1_001, queued: 0, running: 1, succeeded: 1_000, failed: 0, cancelled: 0 };
    const run = runOf(1_001, { status: "running", endedAt: null, counts });
    const { server, answer } = show(chunks, { run });
    await settle();
    answer.mockClear();
    chunks[1_000] = chunkOf(1_001);
    act(() => server.stream.send({ id: "91", data: runSummarySchema.parse(run) }));
    await settle();
    expect(answer.mock.calls.map(([input]) => input.afterIndex)).toEqual([1_000]);
    // The run at rest is read once more as a whole.
    answer.mockClear();
    act(() => server.stream.send({ id: "92", data: runSummarySchema.parse({ ...run, status: "cancelled", lastSeq: 92 }) }));
    await settle();
    expect(answer.mock.calls.map(([input]) => input.afterIndex)).toEqual([0, 1_000]);
  });
});
