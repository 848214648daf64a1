import { act, cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { NuqsTestingAdapter, type OnUrlUpdateFunction } from "nuqs/adapters/testing";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createFakeServer, type FakeAnswers, FakeApiError, FakeConsole } from "@/components/trpc/fake-console";
import { stubBrowser } from "@/components/ui/testing-browser";
import { type ChunkSummary, chunkSummarySchema, type RunDetail } from "@/server/runs/run.schema";
import { buildRunDetail } from "@/server/testing/build-run-detail";
import { ChunksPanel } from "./chunks-panel";

const push = vi.fn();
vi.mock("next/navigation", () => ({ useRouter: () => ({ push }) }));

const MANY_PIXELS = 800;

beforeEach(() => {
  push.mockReset();
  // jsdom lays nothing out: the list is told how tall its rows are, and that the screen is wide.
  stubBrowser();
  vi.spyOn(HTMLElement.prototype, "offsetHeight", "get").mockReturnValue(44);
  vi.spyOn(window, "innerHeight", "get").mockReturnValue(MANY_PIXELS);
  vi.spyOn(window, "scrollTo").mockReturnValue(undefined);
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const second = (at: number) => `2026-11-30T10:00:0${at}.000Z`;

function buildChunk(index: number, part: Partial<ChunkSummary> = {}): ChunkSummary {
  return chunkSummarySchema.parse({
    index,
    status: "succeeded",
    document: "day.md",
    tokens: 50,
    start: 0,
    end: 10,
    sourceStart: 0,
    sourceEnd: 10,
    queuedAt: second(0),
    dueAt: null,
    endedAt: second(3),
    acceptedAttempt: 1,
    repaired: false,
    truncated: false,
    insights: 2,
    failureKind: null,
    errorMessage: null,
    attempts: [],
    ...part,
  });
}

const failure = {
  status: "failed",
  acceptedAttempt: null,
  repaired: false,
  truncated: false,
  insights: null,
  failureKind: "provider-unavailable",
  errorMessage: "503",
} as const satisfies Partial<ChunkSummary>;

function buildRun(part: Partial<RunDetail> = {}): RunDetail {
  return buildRunDetail({ createdAt: second(0), startedAt: second(0), endedAt: second(9), updatedAt: second(9), ...part });
}

const CHUNKS = [
  buildChunk(1, { repaired: true }),
  buildChunk(2, failure),
  buildChunk(3, { ...failure, truncated: true }),
  buildChunk(4, failure),
];

type List = NonNullable<NonNullable<FakeAnswers["chunks"]>["list"]>;

function show(
  options: { search?: string; run?: RunDetail; list?: List; retry?: NonNullable<FakeAnswers["runs"]>["retry"] } = {},
) {
  const list = vi.fn<List>(
    options.list ??
      (({ status, mark }) => ({
        items: CHUNKS.filter(
          (chunk) =>
            (status === undefined || status.includes(chunk.status)) && (mark === undefined || mark.some((each) => chunk[each])),
        ),
        nextAfterIndex: null,
      })),
  );
  const onUrlUpdate = vi.fn<OnUrlUpdateFunction>();
  const run = options.run ?? buildRun();
  const server = createFakeServer({
    runs: {
      get: () => run,
      list: () => ({ items: [], nextCursor: null }),
      ...(options.retry === undefined ? {} : { retry: options.retry }),
    },
    chunks: { list },
  });
  render(
    <NuqsTestingAdapter hasMemory searchParams={options.search ?? ""} onUrlUpdate={onUrlUpdate}>
      <FakeConsole server={server}>
        <ChunksPanel runId="run_a" />
      </FakeConsole>
    </NuqsTestingAdapter>,
  );
  return { list, onUrlUpdate, stream: server.stream, run };
}

const indexes = () => screen.getAllByRole("link").map((link) => link.textContent);

describe("the filter", () => {
  it("shows every chunk without one, and goes into the address and to the server when it is set", async () => {
    const { list, onUrlUpdate } = show();
    await screen.findByRole("link", { name: "Open chunk 1" });
    expect(indexes()).toEqual(["1", "2", "3", "4"]);
    expect(list.mock.calls[0]?.[0]).toEqual({ runId: "run_a", afterIndex: 0, limit: 200 });
    fireEvent.click(screen.getByRole("button", { name: "Failed (3)" }));
    await waitFor(() => expect(indexes()).toEqual(["2", "3", "4"]));
    expect(onUrlUpdate.mock.lastCall?.[0].queryString).toBe("?status=failed");
    expect(list.mock.lastCall?.[0]).toMatchObject({ runId: "run_a", status: ["failed"] });
  });

  it("is read from the address, and offers the way back when nothing matches", async () => {
    const { onUrlUpdate } = show({ search: "?status=queued" });
    fireEvent.click(await screen.findByRole("button", { name: "Show all chunks" }));
    await screen.findByRole("link", { name: "Open chunk 1" });
    expect(onUrlUpdate.mock.lastCall?.[0].queryString).toBe("");
  });
});

describe("marks of answers", () => {
  const marked = buildRun({ marks: { repaired: 1, truncated: 1 } });

  it("stand beside the status, with what they mean, and nowhere else", async () => {
    show({ run: marked });
    await screen.findByRole("link", { name: "Open chunk 1" });
    const statuses = screen.getAllByRole("row").flatMap((row) => within(row).queryAllByRole("cell")[2]?.textContent ?? []);
    expect(statuses).toEqual(["SucceededRepaired", "Failed", "FailedCut off", "Failed"]);
    expect(
      screen.getByTitle("The JSON was broken; the output is a repair and not word for word what the model wrote").textContent,
    ).toBe("Repaired");
    expect(
      screen.getByTitle("The answer stops before its end. What is missing cannot be known, so it counts as a failure")
        .textContent,
    ).toBe("Cut off");
  });

  it("are filters with their own counts, which ask for the mark and no status", async () => {
    const { list, onUrlUpdate } = show({ run: marked });
    await screen.findByRole("link", { name: "Open chunk 1" });
    fireEvent.click(screen.getByRole("button", { name: "Repaired (1)" }));
    await waitFor(() => expect(indexes()).toEqual(["1"]));
    expect(onUrlUpdate.mock.lastCall?.[0].queryString).toBe("?status=repaired");
    expect(list.mock.lastCall?.[0]).toMatchObject({ runId: "run_a", mark: ["repaired"] });
    expect(list.mock.lastCall?.[0]).not.toHaveProperty("status");
    fireEvent.click(screen.getByRole("button", { name: "Cut off (1)" }));
    await waitFor(() => expect(indexes()).toEqual(["3"]));
    expect(list.mock.lastCall?.[0]).toMatchObject({ runId: "run_a", mark: ["truncated"] });
    fireEvent.click(screen.getByRole("button", { name: "Failed (3)" }));
    await waitFor(() => expect(indexes()).toEqual(["2", "3", "4"]));
    expect(list.mock.lastCall?.[0]).not.toHaveProperty("mark");
  });

  it("are read from the address, and say when no chunk has one", async () => {
    const { list } = show({ search: "?status=truncated", list: () => ({ items: [], nextAfterIndex: null }) });
    expect(await screen.findByText("No chunk has this status or mark now.")).toBeTruthy();
    expect(screen.getByRole("button", { name: "Cut off (0)" }).getAttribute("aria-pressed")).toBe("true");
    expect(list.mock.calls.map(([input]) => input.mark)).toEqual([["truncated"]]);
  });
});

describe("the rows", () => {
  it("say what failed and how, and open the chunk when pressed", async () => {
    show();
    const link = await screen.findByRole("link", { name: "Open chunk 2" });
    expect(link.getAttribute("href")).toBe("/runs/run_a/chunks/2");
    const row = screen.getAllByRole("row")[2] ?? document.body;
    expect(within(row).getByText("The provider was not available")).toBeTruthy();
    fireEvent.click(within(row).getByText("day.md"));
    expect(push).toHaveBeenCalledWith("/runs/run_a/chunks/2");
  });

  it("say when there can be none", async () => {
    show({ run: buildRun({ counts: { total: 0, queued: 0, running: 0, succeeded: 0, failed: 0, cancelled: 0 } }) });
    expect(await screen.findByText("This run has no chunks: the text was empty or all noise.")).toBeTruthy();
  });

  it("say why they cannot be loaded, and load when asked again", async () => {
    let fails = true;
    show({
      list: () => {
        if (fails) throw new FakeApiError("store_unavailable", "The disk is full.");
        return { items: CHUNKS, nextAfterIndex: null };
      },
    });
    expect((await screen.findByRole("alert")).textContent).toContain("The disk is full.");
    fails = false;
    fireEvent.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByRole("link", { name: "Open chunk 4" })).toBeTruthy();
    expect(screen.queryByRole("alert")).toBeNull();
  });
});

describe("going to a chunk", () => {
  it("leaves the filter, and puts the focus on the chunk", async () => {
    const { onUrlUpdate } = show({ search: "?status=failed" });
    await screen.findByRole("link", { name: "Open chunk 2" });
    const field = screen.getByLabelText("Go to chunk");
    fireEvent.change(field, { target: { value: "1" } });
    fireEvent.click(screen.getByRole("button", { name: "Go" }));
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("link", { name: "Open chunk 1" })));
    expect(onUrlUpdate.mock.lastCall?.[0].queryString).toBe("");
    // The same way once more, from somewhere else.
    field.focus();
    fireEvent.click(screen.getByRole("button", { name: "Go" }));
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("link", { name: "Open chunk 1" })));
  });

  it("takes no chunk that the run does not have", async () => {
    show();
    await screen.findByRole("link", { name: "Open chunk 1" });
    const field = screen.getByLabelText<HTMLInputElement>("Go to chunk");
    fireEvent.change(field, { target: { value: "5" } });
    expect([field.validity.rangeOverflow, field.max]).toEqual([true, "4"]);
    fireEvent.submit(field);
    expect(document.activeElement).toBe(document.body);
  });
});

describe("retrying a selection", () => {
  it("is refused with a reason until a failed chunk is selected; others cannot be", async () => {
    show();
    const box = await screen.findByRole<HTMLInputElement>("checkbox", { name: "Select chunk 1" });
    expect(box.disabled).toBe(true);
    const button = screen.getByRole("button", { name: /^Retry selected/ });
    expect(button.getAttribute("aria-disabled")).toBe("true");
    expect(button.textContent).toContain("Select failed chunks first");
  });

  it("sends what is selected, in order, and forgets the selection", async () => {
    const retry = vi.fn(() => ({ requeued: 2, skipped: [] }));
    const { list } = show({ retry });
    fireEvent.click(await screen.findByRole("checkbox", { name: "Select chunk 4" }));
    fireEvent.click(screen.getByRole("checkbox", { name: "Select chunk 2" }));
    expect(screen.getByText("2 selected")).toBeTruthy();
    const before = list.mock.calls.length;
    fireEvent.click(screen.getByRole("button", { name: "Retry selected" }));
    await waitFor(() => expect(retry).toHaveBeenCalledWith({ id: "run_a", chunks: [2, 4] }));
    expect(await screen.findByText("None selected")).toBeTruthy();
    await waitFor(() => expect(list.mock.calls.length).toBeGreaterThan(before));
  });

  it("takes a range with shift, and all with the box in the head", async () => {
    show();
    fireEvent.click(await screen.findByRole("checkbox", { name: "Select chunk 2" }));
    fireEvent.click(screen.getByRole("checkbox", { name: "Select chunk 4" }), { shiftKey: true });
    expect(screen.getByText("3 selected")).toBeTruthy();
    fireEvent.click(screen.getByRole("checkbox", { name: "Select all failed chunks in view" }));
    expect(screen.getByText("None selected")).toBeTruthy();
  });

  it("is reached from the keyboard: j to a row, x to select it", async () => {
    show();
    await screen.findByRole("link", { name: "Open chunk 1" });
    fireEvent.keyDown(document.body, { key: "j" });
    expect(document.activeElement?.textContent).toBe("1");
    fireEvent.keyDown(document.activeElement ?? document.body, { key: "x" });
    expect(screen.getByText("None selected")).toBeTruthy();
    fireEvent.keyDown(document.activeElement ?? document.body, { key: "j" });
    fireEvent.keyDown(document.activeElement ?? document.body, { key: "x" });
    expect(screen.getByText("1 selected")).toBeTruthy();
  });
});

describe("live changes", () => {
  it("of a filtered list wait while the pointer is on it", async () => {
    const { list, stream, run } = show({ search: "?status=failed" });
    const link = await screen.findByRole("link", { name: "Open chunk 2" });
    const place = link.closest("table")?.parentElement ?? document.body;
    const before = list.mock.calls.length;
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    fireEvent.pointerEnter(place);
    await act(async () => {
      stream.send({ id: "9", data: { ...run, lastSeq: 9 } });
      await vi.advanceTimersByTimeAsync(5_000);
    });
    expect(list.mock.calls.length).toBe(before);
    expect(screen.getByRole("button", { name: "The list has changed · Show" })).toBeTruthy();
    await act(async () => {
      fireEvent.pointerLeave(place);
      await vi.advanceTimersByTimeAsync(0);
    });
    expect(list.mock.calls.length).toBe(before + 1);
    expect(screen.queryByRole("button", { name: "The list has changed · Show" })).toBeNull();
  });

  it("of the whole list are read at once: no row moves", async () => {
    const { list, stream, run } = show();
    const link = await screen.findByRole("link", { name: "Open chunk 2" });
    const before = list.mock.calls.length;
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    fireEvent.pointerEnter(link.closest("table")?.parentElement ?? document.body);
    await act(async () => {
      stream.send({ id: "9", data: { ...run, lastSeq: 9 } });
      await vi.advanceTimersByTimeAsync(5_000);
    });
    expect(list.mock.calls.length).toBe(before + 1);
  });
});
