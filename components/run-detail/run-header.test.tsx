import { cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { toast } from "sonner";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createFakeServer, FakeConsole } from "@/components/trpc/fake-console";
import type { RunDetail } from "@/server/runs/run.schema";
import type { RunStatus } from "@/server/runs/run-state.rules";
import { buildRunDetail } from "@/server/testing/build-run-detail";
import { RunHeader } from "./run-header";

beforeEach(() => {
  vi.spyOn(toast, "success");
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

function buildDetail(status: RunStatus, failed: number): RunDetail {
  return buildRunDetail({
    id: "run_b",
    status,
    counts: { total: 20, queued: 0, running: 0, succeeded: 20 - failed, failed, cancelled: 0 },
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
