import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { NuqsTestingAdapter } from "nuqs/adapters/testing";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createFakeServer, FakeConsole } from "@/components/trpc/fake-console";
import { stubBrowser } from "@/components/ui/testing-browser";
import { eventSchema, type StoredEvent } from "@/server/events/event.schema";
import type { EventPage, EventQuery } from "@/server/runs/run-service";
import { buildRunSummary } from "@/server/testing/build-run-detail";
import { EventsPanel } from "./events-panel";

beforeEach(() => {
  // jsdom lays nothing out.
  stubBrowser();
  // Only what the panel waits with: promises and the library's own polling stay real.
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"] });
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function eventOf(seq: number): StoredEvent {
  return eventSchema.parse({
    seq,
    type: "chunk_claimed",
    ts: "2026-11-30T10:00:00.000Z",
    chunk: seq,
    attempt: 1,
    payload: { worker: `w${seq}` },
    bytes: 20,
    truncated: false,
    artifactId: null,
  });
}

/** A trace that grows; pages are cut as the service cuts them. */
class Trace {
  lastSeq = 0;

  readonly page = (query: EventQuery): EventPage => {
    const all = Array.from({ length: this.lastSeq }, (_, place) => eventOf(place + 1));
    const { afterSeq, beforeSeq, limit } = query;
    const matching = all.filter((event) => event.seq > (afterSeq ?? 0) && event.seq < (beforeSeq ?? Number.POSITIVE_INFINITY));
    const items = afterSeq === undefined ? matching.slice(-limit) : matching.slice(0, limit);
    return { items, nextAfterSeq: items.at(-1)?.seq ?? 0, hasMore: matching.length > items.length, lastSeq: this.lastSeq };
  };
}

async function show(trace: Trace, address = "") {
  const server = createFakeServer({
    events: { list: (input) => trace.page({ ...input, limit: input.limit ?? 100 }), counts: () => [] },
    runs: { list: () => ({ items: [], nextCursor: null }) },
  });
  render(
    <NuqsTestingAdapter hasMemory searchParams={address}>
      <FakeConsole server={server}>
        <EventsPanel runId="run_b" />
      </FakeConsole>
    </NuqsTestingAdapter>,
  );
  await settle();
  return async (lastSeq: number) => {
    trace.lastSeq = lastSeq;
    act(() => server.stream.send({ id: String(lastSeq), data: runAt(lastSeq) }));
    await settle();
  };
}

/** Lets every timer and answer that is due come. */
const settle = () => act(() => vi.advanceTimersByTimeAsync(2_000));

function runAt(lastSeq: number) {
  return buildRunSummary({
    id: "run_b",
    status: "running",
    counts: { total: 9, queued: 9, running: 0, succeeded: 0, failed: 0, cancelled: 0 },
    tokens: { prompt: 0, completion: 0, cached: 0, cacheWrite: 0, reasoning: 0, estimated: false },
    startedAt: null,
    updatedAt: "2026-11-30T10:00:00.000Z",
    lastSeq,
  });
}

/** By id and by text: looking roles up among hundreds of rows takes jsdom seconds. */
function shownSeqs(): number[] {
  return [...document.querySelectorAll("li[id^=event-]")].map((row) => Number(row.id.replace("event-", "")));
}

const press = async (name: string) => {
  fireEvent.click(screen.getByText(name, { selector: "button" }));
  await settle();
};

describe("the events", () => {
  it("stand under heads that say what the columns are", async () => {
    const trace = new Trace();
    trace.lastSeq = 2;
    await show(trace);
    for (const head of ["Seq", "Time", "Type", "Chunk · attempt", "What it says"]) expect(screen.getByText(head)).toBeTruthy();
    expect(screen.getByTitle("Chunk 2, attempt 1").textContent).toBe("2 · 1");
  });

  it("follow the run, and stand still while paused with the number that came since", async () => {
    const trace = new Trace();
    trace.lastSeq = 3;
    const grow = await show(trace);
    await grow(5);
    expect(shownSeqs()).toEqual([1, 2, 3, 4, 5]);
    await press("Pause live");
    await grow(1_209);
    expect(shownSeqs()).toEqual([1, 2, 3, 4, 5]);
    expect(screen.getByText("1,204 new events", { selector: "button" })).toBeTruthy();
    await press("Follow live");
    expect(shownSeqs().at(-1)).toBe(1_209);
    expect(screen.queryByText(/new event/, { selector: "button" })).toBeNull();
  });

  it("reach the end while followed, even when more comes than one page holds, and go on from there", async () => {
    const trace = new Trace();
    trace.lastSeq = 3;
    const grow = await show(trace);
    await grow(900);
    expect([shownSeqs()[0], shownSeqs().at(-1)]).toEqual([701, 900]);
    expect(screen.getByText("This is the latest event.")).toBeTruthy();
    await grow(902);
    expect(shownSeqs().at(-1)).toBe(902);
  });

  it("page both ways, and jump to a sequence number", async () => {
    const trace = new Trace();
    trace.lastSeq = 1_000;
    await show(trace);
    await press("Load earlier events");
    expect([shownSeqs()[0], shownSeqs().at(-1)]).toEqual([601, 1_000]);
    fireEvent.change(screen.getByLabelText("Go to seq"), { target: { value: "50" } });
    await press("Go");
    expect([shownSeqs()[0], shownSeqs().at(-1)]).toEqual([50, 249]);
    await press("Load later events");
    expect(shownSeqs().at(-1)).toBe(449);
  });

  it("begin at the event of the address, which is marked, and count as new only what comes later", async () => {
    const trace = new Trace();
    trace.lastSeq = 1_000;
    const grow = await show(trace, "?seq=50");
    expect([shownSeqs()[0], shownSeqs().at(-1)]).toEqual([50, 249]);
    expect([...document.querySelectorAll("[aria-current=true]")].map((row) => row.id)).toEqual(["event-50"]);
    expect(screen.queryByText(/new event/, { selector: "button" })).toBeNull();
    await grow(1_002);
    fireEvent.click(screen.getByText("2 new events", { selector: "button" }));
    await settle();
    expect(shownSeqs().at(-1)).toBe(1_002);
    await grow(1_003);
    expect(shownSeqs().at(-1)).toBe(1_003);
  });

  it("show the newest where the address leads past the end", async () => {
    const trace = new Trace();
    trace.lastSeq = 3;
    await show(trace, "?seq=900");
    expect(shownSeqs()).toEqual([1, 2, 3]);
  });

  it("say at the end of a paused list that there is more", async () => {
    const trace = new Trace();
    trace.lastSeq = 3;
    const grow = await show(trace);
    await press("Pause live");
    expect(screen.getByText("This is the latest event.")).toBeTruthy();
    await grow(5);
    await press("Load later events");
    expect(shownSeqs()).toEqual([1, 2, 3, 4, 5]);
    expect(screen.queryByText(/new event/, { selector: "button" })).toBeNull();
  });
});
