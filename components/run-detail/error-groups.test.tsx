import { cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { toast } from "sonner";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createFakeServer, type FakeAnswers, FakeApiError, FakeConsole } from "@/components/trpc/fake-console";
import { chunkSummarySchema, type RunDetail } from "@/server/runs/run.schema";
import { buildRunDetail } from "@/server/testing/build-run-detail";
import { BackoffPanel } from "./backoff-panel";
import { ErrorGroups } from "./error-groups";

beforeEach(() => {
  vi.spyOn(toast, "success");
  vi.spyOn(toast, "error");
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

const TIMES = { firstAt: "2026-11-30T10:00:01.000Z", lastAt: "2026-11-30T10:05:00.000Z" };
const TIMEOUT_GROUP = { failureKind: "backend-timeout", message: "No answer within 120 s.", count: 2, chunks: [3, 9], ...TIMES };
const KEY_GROUP = { failureKind: "provider-auth-failed", message: "401: bad key.", count: 1, chunks: [12], ...TIMES };

function buildDetail(part: Record<string, unknown> = {}): RunDetail {
  return buildRunDetail({
    id: "run_b",
    counts: { total: 20, queued: 0, running: 0, succeeded: 17, failed: 3, cancelled: 0 },
    retries: 4,
    options: { maxAttempts: 3, concurrency: 8, backoffMs: 1_000, maxBackoffMs: 60_000, timeoutMs: 120_000, chunkTokens: 1_000 },
    errorGroups: [TIMEOUT_GROUP, KEY_GROUP],
    ...part,
  });
}

type Retry = NonNullable<NonNullable<FakeAnswers["runs"]>["retry"]>;

function show(run: RunDetail, answer: Retry = () => ({ requeued: 2, skipped: [] }), chunks?: FakeAnswers["chunks"]) {
  const retry = vi.fn<Retry>(answer);
  const server = createFakeServer({ runs: { retry, list: () => ({ items: [], nextCursor: null }) }, ...(chunks && { chunks }) });
  render(
    <FakeConsole server={server}>
      <BackoffPanel run={run} />
      <ErrorGroups run={run} />
    </FakeConsole>,
  );
  return retry;
}

function groupOf(title: string): HTMLElement {
  const group = screen.getAllByRole("listitem").find((item) => within(item).queryByText(title) !== null);
  if (group === undefined) throw new Error(`no group "${title}"`);
  return group;
}

describe("the error groups", () => {
  it("say the cause, the count, what to do, and lead to the chunks", () => {
    show(buildDetail());
    const group = groupOf("The answer took too long");
    expect(within(group).getByText("2 chunks")).toBeTruthy();
    expect(within(group).getByText("No answer within 120 s.")).toBeTruthy();
    expect(within(group).getByText(/^While attempts are left it is retried by itself\. .*raise the time limit/)).toBeTruthy();
    expect(
      within(group)
        .getAllByRole("link")
        .map((link) => link.getAttribute("href")),
    ).toEqual(["/runs/run_b/chunks/3", "/runs/run_b/chunks/9"]);
  });

  it("retry only the chunks of their own group", async () => {
    const retry = show(buildDetail());
    fireEvent.click(within(groupOf("The provider refused the key")).getByRole("button", { name: "Retry this one" }));
    await waitFor(() => expect(toast.success).toHaveBeenCalledOnce());
    expect(retry.mock.calls).toEqual([[{ id: "run_b", chunks: [12] }]]);
  });

  it("retry every chunk of a group that is longer than its list, and no chunk of another", async () => {
    const failed = (index: number, failureKind: string, errorMessage: string) =>
      chunkSummarySchema.parse({
        index,
        status: "failed",
        document: "day.md",
        tokens: 50,
        start: 0,
        end: 10,
        sourceStart: 0,
        sourceEnd: 10,
        queuedAt: TIMES.firstAt,
        dueAt: null,
        endedAt: TIMES.lastAt,
        acceptedAttempt: null,
        repaired: false,
        truncated: false,
        insights: null,
        failureKind,
        errorMessage,
        attempts: [],
      });
    const pages = [
      [failed(3, "backend-timeout", "No answer within 120 s."), failed(9, "backend-timeout", "No answer within 121 s.")],
      [failed(12, "provider-auth-failed", "401: bad key."), failed(1_500, "backend-timeout", "No answer within 7 s.")],
    ];
    const list = vi.fn(({ afterIndex }: { afterIndex?: number | undefined }) =>
      afterIndex === 0 ? { items: pages[0] ?? [], nextAfterIndex: 9 } : { items: pages[1] ?? [], nextAfterIndex: null },
    );
    const run = buildDetail({ errorGroups: [{ ...TIMEOUT_GROUP, count: 3 }, KEY_GROUP] });
    const retry = show(run, () => ({ requeued: 3, skipped: [] }), { list });
    fireEvent.click(within(groupOf("The answer took too long")).getByRole("button", { name: "Retry these 3" }));
    await waitFor(() => expect(toast.success).toHaveBeenCalledWith("3 of 3 retried."));
    expect(retry.mock.calls).toEqual([[{ id: "run_b", chunks: [3, 9, 1_500] }]]);
    expect(list.mock.calls).toEqual([
      [{ runId: "run_b", afterIndex: 0, limit: 1_000, status: ["failed"] }],
      [{ runId: "run_b", afterIndex: 9, limit: 1_000, status: ["failed"] }],
    ]);
  });

  it("lead to the failed chunks where they have more than they show", () => {
    show(buildDetail({ errorGroups: [{ ...TIMEOUT_GROUP, count: 100 }] }));
    expect(screen.getByRole("link", { name: "and 98 more" }).getAttribute("href")).toBe("/runs/run_b/chunks?status=failed");
  });

  it("say how many were retried and why some were not", async () => {
    show(buildDetail(), () => ({ requeued: 1, skipped: [{ chunk: 9, reason: "it is running" }] }));
    fireEvent.click(within(groupOf("The answer took too long")).getByRole("button", { name: "Retry these 2" }));
    await waitFor(() => expect(toast.success).toHaveBeenCalledWith("1 of 2 retried; 1 skipped: it is running."));
  });

  it("send one request for a double click", async () => {
    let answerNow: (outcome: Awaited<ReturnType<Retry>>) => void = () => {};
    const retry = show(buildDetail(), () => new Promise((resolve) => (answerNow = resolve)));
    const button = within(groupOf("The answer took too long")).getByRole("button", { name: "Retry these 2" });
    fireEvent.click(button);
    await waitFor(() => expect(button.getAttribute("aria-busy")).toBe("true"));
    fireEvent.click(button);
    answerNow({ requeued: 2, skipped: [] });
    await waitFor(() => expect(toast.success).toHaveBeenCalledOnce());
    expect(retry).toHaveBeenCalledOnce();
  });

  it("show what the server said when a retry is refused", async () => {
    show(buildDetail(), () => {
      throw new FakeApiError("conflict", "The run was cancelled.");
    });
    fireEvent.click(within(groupOf("The answer took too long")).getByRole("button", { name: "Retry these 2" }));
    await waitFor(() =>
      expect(toast.error).toHaveBeenCalledWith("That did not work.", {
        description: "That is not possible in the present state. The run was cancelled.",
      }),
    );
  });

  it("cannot be retried in a cancelled run, and say why", () => {
    const retry = show(buildDetail({ status: "cancelled" }));
    const button = within(groupOf("The answer took too long")).getByRole("button", { name: /^Retry these 2/ });
    expect(button.getAttribute("aria-disabled")).toBe("true");
    expect(document.getElementById(button.getAttribute("aria-describedby") ?? "")?.textContent).toBe(
      "Not possible while the run is: Cancelled",
    );
    fireEvent.click(button);
    expect(retry).not.toHaveBeenCalled();
  });

  it("do not say that all is well while chunks wait after a failed attempt", async () => {
    vi.spyOn(Date, "now").mockReturnValue(Date.parse("2026-11-30T10:00:02.000Z"));
    show(
      buildDetail({
        status: "running",
        errorGroups: [],
        waiting: {
          slot: 0,
          batch: 0,
          backoff: 2,
          nextDueAt: "2026-11-30T11:00:02.000Z",
          failures: [{ failureKind: "provider-rate-limited", count: 2 }],
        },
      }),
    );
    expect(screen.queryByText("No chunk has failed.")).toBeNull();
    const panel = screen.getByRole("region", { name: "Waiting after a failed attempt" });
    expect(within(panel).getByText("2 chunks, next try in 1h 0m")).toBeTruthy();
    expect(within(panel).getByText("The provider limits the rate")).toBeTruthy();
    expect(within(panel).getByText(/lower the requests at once/)).toBeTruthy();
  });

  it("are replaced by one sentence when nothing failed", () => {
    show(buildDetail({ errorGroups: [] }));
    expect(screen.getByText("No chunk has failed.")).toBeTruthy();
    expect(screen.queryByRole("button")).toBeNull();
  });
});
