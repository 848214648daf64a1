import { cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { NuqsTestingAdapter } from "nuqs/adapters/testing";
import { toast } from "sonner";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createFakeServer, type FakeAnswers, FakeConsole } from "@/components/trpc/fake-console";
import type { ChunkDetail } from "@/server/runs/run.schema";
import { buildAttempt, buildChunk } from "@/server/testing/build-chunk";
import { buildRunDetail } from "@/server/testing/build-run-detail";
import { BesidePanel } from "./beside-panel";

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

type Choose = NonNullable<NonNullable<FakeAnswers["chunks"]>["choose"]>;

const answer = (...contents: string[]) => JSON.stringify({ ok: true, output: { insights: contents } });
const FAILED = buildAttempt(1, '{"ok":false,"raw_text":"I cannot do that"}', {
  status: "failed",
  failureKind: "backend-response-invalid",
});
const OLD = buildAttempt(1, answer("kept", "slow"), { backend: "first" });
const NEW = buildAttempt(2, answer("kept", "quick"), { backend: "second" });

function show(part: Partial<ChunkDetail>, run = buildRunDetail({ status: "completed" })) {
  vi.spyOn(toast, "success");
  const chunk = buildChunk({ acceptedAttempt: 2, ...part });
  const choose = vi.fn<Choose>(({ attempt }) => {
    const chosen = chunk.attempts.find(({ number }) => number === attempt);
    const accepted = chosen?.failureKind === null ? attempt : null;
    return { ...chunk, acceptedAttempt: accepted, status: accepted === null ? "failed" : "succeeded" };
  });
  render(
    <NuqsTestingAdapter hasMemory>
      <FakeConsole server={createFakeServer({ chunks: { choose, get: () => chunk }, runs: { get: () => run } })}>
        <BesidePanel chunk={chunk} run={run} />
      </FakeConsole>
    </NuqsTestingAdapter>,
  );
  return { choose };
}

const columns = () => screen.getAllByRole("columnheader").map((head) => within(head));

describe("two answers side by side", () => {
  it("are not there while there are not two", () => {
    show({ attempts: [NEW] });
    expect(screen.queryByRole("region", { name: "Answers side by side" })).toBeNull();
  });

  it("say who gave them and where they differ", () => {
    show({ attempts: [OLD, NEW] });
    expect(screen.getByText("first/mock-1")).toBeTruthy();
    const cell = (name: RegExp) => screen.getByRole("cell", { name });
    expect(cell(/slow/).textContent).toBe('only left:    "slow"');
    expect(cell(/quick/).textContent).toBe('only right:    "quick"');
    expect(screen.getAllByRole("cell", { name: /kept/ }).map(({ textContent }) => textContent)).toEqual([
      '    "kept",',
      '    "kept",',
    ]);
  });

  it("let the old one be kept, at once", async () => {
    const { choose } = show({ attempts: [OLD, NEW] });
    const [left, right] = columns();
    expect(right?.getByText("This answer counts")).toBeTruthy();
    fireEvent.click(left?.getByRole("button", { name: "Keep the old answer" }) ?? document.body);
    await waitFor(() => expect(choose.mock.calls).toEqual([[{ runId: "run_a", index: 3, attempt: 1 }]]));
    await waitFor(() => expect(toast.success).toHaveBeenCalledWith("The answer of attempt 1 counts."));
  });

  it("ask before a failure is kept instead of an answer", async () => {
    const { choose } = show({ attempts: [FAILED, NEW] });
    fireEvent.click(screen.getByRole("button", { name: "Keep the failure" }));
    expect(choose).not.toHaveBeenCalled();
    fireEvent.click(within(screen.getByRole("alertdialog")).getByRole("button", { name: "Take none" }));
    await waitFor(() => expect(choose.mock.calls).toEqual([[{ runId: "run_a", index: 3, attempt: 1 }]]));
    await waitFor(() => expect(toast.success).toHaveBeenCalledWith("No answer of this chunk counts; it has failed again."));
  });

  it("offer nothing between two failures", () => {
    show({ status: "failed", acceptedAttempt: null, attempts: [FAILED, { ...FAILED, number: 2, requestId: "req_2" }] });
    expect(screen.queryByRole("button")).toBeNull();
  });

  it("can be others of its attempts", async () => {
    show({ attempts: [OLD, NEW, buildAttempt(3, answer("third"))], acceptedAttempt: 2 });
    const [left] = columns();
    expect(left?.getByRole<HTMLSelectElement>("combobox", { name: "Attempt on the left" }).value).toBe("2");
    fireEvent.change(screen.getByRole("combobox", { name: "Attempt on the left" }), { target: { value: "1" } });
    expect(await screen.findByText("first/mock-1")).toBeTruthy();
  });

  it.each([
    [{ status: "running" as const }, buildRunDetail({ status: "running" }), "The chunk is being asked again; wait for its end"],
    [{}, buildRunDetail({ status: "cancelled" }), "The run is Cancelled: its answers stay as they are"],
  ])("say why there is no choice now", (part, run, sentence) => {
    show({ attempts: [OLD, NEW], ...part }, run);
    const button = screen.getByRole("button", { name: /^Keep the old answer/ });
    expect(button.getAttribute("aria-disabled")).toBe("true");
    expect(document.body.textContent).toContain(sentence);
  });
});
