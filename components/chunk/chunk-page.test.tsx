import { cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { NuqsTestingAdapter, type OnUrlUpdateFunction } from "nuqs/adapters/testing";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createFakeServer, type FakeAnswers, FakeApiError, FakeConsole } from "@/components/trpc/fake-console";
import type { AttemptSummary, ChunkDetail, RunDetail } from "@/server/runs/run.schema";
import { buildArtifact, buildAttempt, buildChunk as buildPlainChunk } from "@/server/testing/build-chunk";
import { buildConfig, buildProviderRow } from "@/server/testing/build-config";
import { buildRunDetail } from "@/server/testing/build-run-detail";
import { ChunkPage } from "./chunk-page";

const push = vi.fn();
vi.mock("next/navigation", () => ({ useRouter: () => ({ push }) }));

const scrollIntoView = vi.fn();

beforeEach(() => {
  push.mockReset();
  scrollIntoView.mockReset();
  // jsdom does not scroll.
  Element.prototype.scrollIntoView = scrollIntoView;
});
afterEach(cleanup);

const second = (at: number) => `2026-11-30T10:00:0${at}.000Z`;
const attempt = (number: number, part: Partial<AttemptSummary>, body: string) =>
  buildAttempt(number, body, { status: "failed", ...part });

function buildChunk(part: Partial<ChunkDetail> = {}): ChunkDetail {
  return buildPlainChunk({
    attempts: [
      attempt(
        1,
        { failureKind: "backend-response-invalid", errorMessage: "No JSON." },
        '{"ok":false,"raw_text":"I cannot <b>do</b> that"}',
      ),
      attempt(2, { status: "succeeded" }, '{"ok":true}'),
    ],
    ...part,
  });
}

function buildRun(part: Partial<RunDetail> = {}): RunDetail {
  return buildRunDetail({ createdAt: second(0), startedAt: second(0), endedAt: second(9), updatedAt: second(9), ...part });
}

interface Shown {
  search?: string;
  chunk?: ChunkDetail;
  run?: RunDetail;
  runs?: NonNullable<FakeAnswers["runs"]>;
  chunks?: NonNullable<FakeAnswers["chunks"]>;
  config?: NonNullable<FakeAnswers["config"]>;
}

function show({ search = "", chunk = buildChunk(), run = buildRun(), runs, chunks, config }: Shown = {}) {
  const onUrlUpdate = vi.fn<OnUrlUpdateFunction>();
  const server = createFakeServer({
    ...(config && { config }),
    runs: { get: () => run, list: () => ({ items: [], nextCursor: null }), ...runs },
    chunks: {
      get: () => chunk,
      list: ({ afterIndex = 0 }) => ({
        items: [1, 9]
          .filter((index) => index > afterIndex)
          .slice(0, 1)
          .map((index) => ({ ...buildChunk({ attempts: [] }), index })),
        nextAfterIndex: null,
      }),
      ...chunks,
    },
    events: { list: () => ({ items: [], nextAfterSeq: 0, hasMore: false, lastSeq: 0 }) },
  });
  render(
    <NuqsTestingAdapter hasMemory searchParams={search} onUrlUpdate={onUrlUpdate}>
      <FakeConsole server={server}>
        <ChunkPage runId="run_a" index={3} />
      </FakeConsole>
    </NuqsTestingAdapter>,
  );
  return { onUrlUpdate };
}

const selected = () => screen.getByRole("tab", { selected: true }).textContent;

describe("attempts", () => {
  it("show the last one, and another by its digit, which goes into the address", async () => {
    const { onUrlUpdate } = show();
    await screen.findByRole("tablist", { name: "Attempts" });
    expect(selected()).toBe("Attempt 2accepted");
    fireEvent.keyDown(document.body, { key: "1" });
    await waitFor(() => expect(selected()).toBe("Attempt 1Failed"));
    await waitFor(() => expect(onUrlUpdate.mock.lastCall?.[0].queryString).toBe("?attempt=1"));
    fireEvent.keyDown(document.body, { key: "7" });
    expect(selected()).toBe("Attempt 1Failed");
  });

  it("are read from the address; one that does not exist is said to be missing", async () => {
    show({ search: "?attempt=5" });
    expect(await screen.findByText("This chunk has no attempt 5; the last one is shown.")).toBeTruthy();
    expect(selected()).toBe("Attempt 2accepted");
  });

  it("that failed say why and show what the model said, as text", async () => {
    show({ search: "?attempt=1" });
    expect(await screen.findByText("No JSON.")).toBeTruthy();
    const raw = screen.getByRole("region", { name: "Raw text of the answer" });
    expect(raw.textContent).toBe("I cannot <b>do</b> that");
    expect(raw.querySelector("b")).toBeNull();
  });

  it("say where the time went", async () => {
    show();
    const bar = await screen.findByRole("figure", { name: "Where the time went" });
    expect(bar.textContent).toBe("Waited for a slot 1sRequest 2sIn all 3s");
  });
});

describe("a repair round", () => {
  const SENT_BACK = "Your answer was not valid.";
  const ledgerBody = (steps: unknown[]) => JSON.stringify({ ok: true, normalization: { version: 1, steps } });
  const repaired = () =>
    buildChunk({
      repaired: true,
      attempts: [
        attempt(
          1,
          { failureKind: "backend-response-invalid", errorMessage: "No JSON." },
          ledgerBody([{ step: "parse", outcome: "failed" }]),
        ),
        {
          ...attempt(
            2,
            { status: "succeeded", repairOf: 1, repaired: true },
            ledgerBody([{ step: "repair", outcome: "changed", detail: { commas: 2 } }]),
          ),
          repairRequest: buildArtifact("art_9", JSON.stringify({ input: { user: SENT_BACK } })),
        },
      ],
    });
  const steps = () => within(screen.getByRole("list", { name: "From the text to the output" })).getAllByRole("listitem");

  it("is marked, with what was sent back, and the ledger is the one of the attempt that is shown", async () => {
    show({ chunk: repaired() });
    const panel = within(await screen.findByRole("tabpanel"));
    expect(selected()).toBe("Attempt 2Repair round ·accepted");
    expect(
      panel.getByTitle("A request that sends the answer of attempt 1 back to the model with what is wrong with it").textContent,
    ).toBe("Repair round");
    expect(screen.getByRole("region", { name: "Request of the repair round" }).textContent).toContain(SENT_BACK);
    expect(steps().map((step) => step.textContent)).toEqual(["Repaircommas: 2"]);
    fireEvent.keyDown(document.body, { key: "1" });
    await waitFor(() => expect(steps().map((step) => step.textContent)).toEqual(["Read as JSON"]));
    expect(screen.queryByRole("region", { name: "Request of the repair round" })).toBeNull();
  });

  it("leaves its mark beside the heading of the chunk", async () => {
    show({ chunk: repaired() });
    const heading = await screen.findByRole("heading", { level: 1, name: "Chunk 3" });
    expect(heading.parentElement?.textContent).toBe("Chunk 3SucceededRepaired1 insight");
  });
});

describe("artifacts", () => {
  it("are shown readable, as the model reads them, or as they are", async () => {
    show();
    const request = await screen.findByRole("region", { name: "Request" });
    expect(request.textContent).toContain('"system": "Read.\\nWrite."');
    fireEvent.click(screen.getByRole("button", { name: "Prompt" }));
    await waitFor(() => expect(request.textContent).toContain("Read.\nWrite.\n\n────────\n\nNotes"));
    expect(request.textContent).not.toContain('"system"');
  });

  it("link to the whole", async () => {
    show();
    const link = await screen.findByRole("link", { name: "Download: Result" });
    expect(link.getAttribute("href")).toBe("/api/v1/runs/run_a/artifacts/art_2");
  });
});

describe("the source text", () => {
  it("marks the quoted passage and scrolls to it", async () => {
    show({ search: "?at=113-125" });
    const mark = await screen.findByText("raw file is");
    expect(mark.tagName).toBe("MARK");
    expect(scrollIntoView).toHaveBeenCalledTimes(1);
  });

  it("says when the passage is not in it", async () => {
    show({ search: "?at=200-210" });
    expect(await screen.findByText("The quoted passage is not in this chunk.")).toBeTruthy();
    expect(document.querySelector("mark")).toBeNull();
  });
});

describe("the way to other chunks", () => {
  it("leads to the failed ones by [ and ]", async () => {
    show();
    // The two are asked for apart from each other.
    for (const name of ["Next failed (])", "Previous failed ([)"])
      await waitFor(() => expect(screen.getByRole("button", { name }).getAttribute("aria-disabled")).toBeNull());
    fireEvent.keyDown(document.body, { key: "]" });
    expect(push).toHaveBeenLastCalledWith("/runs/run_a/chunks/9");
    fireEvent.keyDown(document.body, { key: "[" });
    expect(push).toHaveBeenLastCalledWith("/runs/run_a/chunks/1");
  });

  it("tells an unknown chunk from an unknown run", async () => {
    const get = () => {
      throw new FakeApiError("not_found", "nothing there");
    };
    show({ chunks: { get } });
    expect(await screen.findByRole("heading", { level: 1, name: "This run has no chunk 3." })).toBeTruthy();
    cleanup();
    show({ chunks: { get }, runs: { get } });
    expect(await screen.findByRole("heading", { level: 1, name: "There is no run with this id." })).toBeTruthy();
  });
});

describe("retry", () => {
  it("is for failed chunks, and sends this one", async () => {
    show();
    const refused = await screen.findByRole("button", { name: /^Retry this chunk/ });
    expect(refused.textContent).toContain("Only a failed chunk can be retried");
    cleanup();
    const retry = vi.fn(() => ({ requeued: 1, skipped: [] }));
    show({ chunk: buildChunk({ status: "failed" }), runs: { retry } });
    fireEvent.click(await screen.findByRole("button", { name: "Retry this chunk" }));
    await waitFor(() => expect(retry).toHaveBeenCalledWith({ id: "run_a", chunks: [3] }));
  });

  it("sends it to another provider", async () => {
    const retry = vi.fn(() => ({ requeued: 1, skipped: [] }));
    const config = { overview: () => buildConfig({ providers: [buildProviderRow({ name: "loop", defaultModel: "fast" })] }) };
    show({ chunk: buildChunk({ status: "failed" }), runs: { retry }, config });
    fireEvent.click(await screen.findByRole("button", { name: "Retry with…" }));
    const dialog = within(await screen.findByRole("alertdialog"));
    const radio = dialog.getByRole<HTMLInputElement>("radio", { name: /^A provider/ });
    await waitFor(() => expect(radio.disabled).toBe(false));
    fireEvent.click(radio);
    expect(dialog.getByText("loop/fast")).toBeTruthy();
    fireEvent.click(dialog.getByRole("button", { name: "Retry" }));
    await waitFor(() => expect(screen.queryByRole("alertdialog")).toBeNull());
    expect(retry.mock.calls).toEqual([[{ id: "run_a", chunks: [3], with: { backend: "loop" } }]]);
  });

  it("asks for another answer of one that has succeeded, with a word about the answer that it has", async () => {
    const retry = vi.fn(() => ({ requeued: 1, skipped: [] }));
    show({ runs: { retry }, config: { overview: () => buildConfig({}) } });
    fireEvent.click(await screen.findByRole("button", { name: "Ask again…" }));
    const dialog = within(await screen.findByRole("alertdialog"));
    expect(dialog.getByText(/stands until another one is accepted/)).toBeTruthy();
    fireEvent.click(dialog.getByRole("radio", { name: /^As before/ }));
    fireEvent.click(dialog.getByRole("button", { name: "Ask again" }));
    await waitFor(() => expect(retry.mock.calls).toEqual([[{ id: "run_a", chunks: [3], again: true }]]));
  });

  it("says why the run does not allow it", async () => {
    show({ chunk: buildChunk({ status: "failed" }), run: buildRun({ status: "cancelled" }) });
    // Neither as before nor with other models.
    expect(await screen.findAllByText("Not possible while the run is: Cancelled")).toHaveLength(2);
  });
});
