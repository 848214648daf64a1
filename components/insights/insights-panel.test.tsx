import { cleanup, render, screen, waitFor, within } from "@testing-library/react";
import { act } from "react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createFakeServer, type FakeAnswers, FakeConsole } from "@/components/trpc/fake-console";
import { type InsightsView, insightsViewSchema, type RunDetail } from "@/server/runs/run.schema";
import { buildRunDetail } from "@/server/testing/build-run-detail";
import { InsightsPanel } from "./insights-panel";

afterEach(cleanup);

function buildDetail(part: Record<string, unknown> = {}): RunDetail {
  return buildRunDetail({
    id: "run_b",
    status: "completed",
    counts: { total: 3, queued: 0, running: 0, succeeded: 3, failed: 0, cancelled: 0 },
    tokens: { prompt: 0, completion: 0, cached: 0, cacheWrite: 0, reasoning: 0, estimated: false },
    insights: 1,
    startedAt: "2026-11-30T10:00:00.000Z",
    endedAt: "2026-11-30T10:30:00.000Z",
    updatedAt: "2026-11-30T10:30:00.000Z",
    options: { maxAttempts: 3, concurrency: 8, backoffMs: 1_000, maxBackoffMs: 60_000, timeoutMs: 120_000, chunkTokens: 1_000 },
    prep: {
      documents: [{ name: "day.md", bytes: 900, characters: 900, lines: 30, sha256: "ab" }],
      masked: [],
      dropped: [],
      cleanedCharacters: 900,
      tokens: 200,
      tokenizer: "o200k_base",
      tokensEstimated: false,
      chunkTokens: 1_000,
      chunks: 3,
    },
    ...part,
  });
}

const SOURCE = {
  chunk: 2,
  attempt: 1,
  document: 0,
  start: 410,
  end: 432,
  cleanedStart: 300,
  cleanedEnd: 322,
  quote: "<b>ship</b> on Tuesday",
  exact: true,
};

function buildView(part: Record<string, unknown> = {}): InsightsView {
  return insightsViewSchema.parse({
    items: [
      {
        rank: 1,
        content: "Releases go out on <b>Tuesdays</b>.",
        topic: "release",
        section: "Decisions",
        confidence: "high",
        date: "2026-04-19",
        score: 1.5,
        scoreParts: { confidence: 1, sources: 0.5 },
        sources: [SOURCE],
      },
    ],
    coverage: { total: 3, done: 3, failed: [], missing: [] },
    duplicates: 0,
    partial: false,
    ...part,
  });
}

const NOT_YET = { items: [], coverage: null };

function show(run: RunDetail, view: InsightsView) {
  const insights = vi.fn<NonNullable<NonNullable<FakeAnswers["runs"]>["insights"]>>(() => view);
  const server = createFakeServer({ runs: { get: () => run, insights, list: () => ({ items: [], nextCursor: null }) } });
  render(
    <FakeConsole server={server}>
      <InsightsPanel runId="run_b" />
    </FakeConsole>,
  );
  return { insights, server };
}

describe("the results", () => {
  it("show each statement and quote as plain text, with a link to the quoted passage", async () => {
    show(buildDetail(), buildView());
    expect(await screen.findByText("Releases go out on <b>Tuesdays</b>.")).toBeTruthy();
    expect(screen.getByText("<b>ship</b> on Tuesday")).toBeTruthy();
    const source = screen.getByRole("link", { name: "Chunk 2 · attempt 1 · day.md · 410–432" });
    expect(source.getAttribute("href")).toBe("/runs/run_b/chunks/2?attempt=1&at=300-322");
  });

  it("say that nothing was applied, and offer both downloads", async () => {
    show(buildDetail(), buildView());
    expect(await screen.findByText("Staged: nothing has been applied.")).toBeTruthy();
    expect(screen.getByRole("link", { name: "Download Markdown" }).getAttribute("href")).toBe("/api/v1/runs/run_b/staged.md");
    expect(screen.getByRole("link", { name: "Download JSON" }).getAttribute("href")).toBe("/api/v1/runs/run_b/insights");
    expect(screen.getByText("1 insight · From 3 of 3 chunks · no duplicates")).toBeTruthy();
    expect(screen.getByText("Complete: every chunk has a result.")).toBeTruthy();
  });

  it("name the chunks that a partial list lacks", async () => {
    const coverage = { total: 5, done: 2, failed: [3], missing: [4, 5] };
    show(buildDetail(), buildView({ coverage, partial: true, duplicates: 2 }));
    expect(
      await screen.findByText("1 insight · From 2 of 5 chunks · 1 failed: 3 · 2 missing: 4, 5 · 2 duplicates merged"),
    ).toBeTruthy();
    expect(screen.getByText("Partial: chunks are missing, and the operator accepted that.")).toBeTruthy();
  });

  it("keep two statements of one passage apart, and mark what is not word for word", async () => {
    const sources = [SOURCE, { ...SOURCE, quote: "we ship Tuesdays", exact: false }];
    show(buildDetail(), buildView({ items: [{ ...buildView().items[0], sources }] }));
    const quote = await screen.findByText("we ship Tuesdays");
    expect(within(quote.closest("li") ?? document.body).getByText(/not word for word/)).toBeTruthy();
    expect(screen.getAllByRole("link", { name: /^Chunk 2 · attempt 1/ })).toHaveLength(2);
  });

  it("wait while chunks have failed, say what to do, and lead to them", async () => {
    const counts = { total: 3, queued: 0, running: 0, succeeded: 1, failed: 2, cancelled: 0 };
    show(buildDetail({ status: "incomplete", counts }), buildView(NOT_YET));
    expect(
      await screen.findByText(/^Consolidation waits, because 2 chunks have failed\. Retry the failed chunks, or finish/),
    ).toBeTruthy();
    expect(screen.getByRole("link", { name: "See the failed chunks" }).getAttribute("href")).toBe(
      "/runs/run_b/chunks?status=failed",
    );
  });

  it("read the list again when the live feed says that the run has completed", async () => {
    const running = buildDetail({ status: "running", insights: 0 });
    const { insights, server } = show(running, buildView(NOT_YET));
    await screen.findByText("Results appear when every chunk is done.");
    insights.mockReturnValue(buildView());
    act(() => server.stream.send({ id: "1", data: { ...buildDetail(), lastSeq: 9 } }));
    await waitFor(() => expect(screen.getByText("Releases go out on <b>Tuesdays</b>.")).toBeTruthy());
  });
});
