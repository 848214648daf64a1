import { cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { toast } from "sonner";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createFakeServer, FakeConsole } from "@/components/trpc/fake-console";
import { type RunDetail, runDetailSchema } from "@/server/runs/run.schema";
import type { RunStatus } from "@/server/runs/run-state.schema";
import { RunHeader } from "./run-header";

beforeEach(() => {
  vi.spyOn(toast, "success");
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

function buildDetail(status: RunStatus, failed: number): RunDetail {
  return runDetailSchema.parse({
    id: "run_b",
    kind: "distill",
    name: "Day one",
    status,
    statusReason: null,
    sourceDate: "2026-04-19",
    backend: "mock",
    model: "mock-1",
    counts: { total: 20, queued: 0, running: 0, succeeded: 20 - failed, failed, cancelled: 0 },
    retries: 0,
    tokens: { prompt: 0, completion: 0, estimated: false },
    insights: 0,
    gapsAcceptedAt: null,
    createdAt: "2026-11-30T10:00:00.000Z",
    startedAt: "2026-11-30T10:00:01.000Z",
    endedAt: null,
    updatedAt: "2026-11-30T10:05:00.000Z",
    lastSeq: 90,
    options: {},
    prep: {
      documents: [],
      masked: [],
      dropped: [],
      cleanedCharacters: 0,
      tokens: 0,
      tokenizer: "o200k_base",
      tokensEstimated: false,
      chunkTokens: 1_000,
      chunks: 20,
    },
    promptVersion: "v1",
    errorGroups: [],
    waiting: { slot: 0, backoff: 0, nextDueAt: null, failures: [] },
    coverage: null,
  });
}

function show(run: RunDetail) {
  const resume = vi.fn(() => run);
  const server = createFakeServer({ runs: { resume, list: () => ({ items: [], nextCursor: null }) } });
  render(
    <FakeConsole server={server}>
      <RunHeader run={run} />
    </FakeConsole>,
  );
  return { resume };
}

it.each<[RunStatus, failed: number, actions: string[]]>([
  ["queued", 0, ["Pause", "Cancel run"]],
  ["running", 0, ["Pause", "Cancel run"]],
  ["running", 2, ["Retry failed chunks", "Pause", "Cancel run"]],
  ["paused", 0, ["Resume", "Cancel run"]],
  ["incomplete", 2, ["Retry failed chunks", "Finish with gaps", "Cancel run"]],
  ["failed", 0, ["Retry failed chunks"]],
  ["completed", 0, []],
  ["completed", 2, ["Retry failed chunks"]],
  ["cancelled", 2, []],
  ["blocked", 0, []],
])("a %s run with %d failed chunks offers what its state allows, and nothing else", (status, failed, actions) => {
  show(buildDetail(status, failed));
  const group = screen.queryByRole("group", { name: "Actions on the run" });
  const offered = group === null ? [] : within(group).getAllByRole("button");
  expect(offered.map((button) => button.textContent)).toEqual(actions);
  expect(offered.filter((button) => button.getAttribute("aria-disabled") === "true")).toEqual([]);
});

it("resumes at once, without asking", async () => {
  const { resume } = show(buildDetail("paused", 0));
  fireEvent.click(screen.getByRole("button", { name: "Resume" }));
  expect(screen.queryByRole("alertdialog")).toBeNull();
  await waitFor(() => expect(toast.success).toHaveBeenCalledWith("“Day one” goes on"));
  expect(resume.mock.calls).toEqual([[{ id: "run_b" }]]);
});
