import { act, cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createFakeServer, type FakeAnswers, FakeApiError, FakeConsole } from "@/components/trpc/fake-console";
import type { AgentRunDetail } from "@/server/runs/agent-run.schema";
import { buildAgentRun, buildApproval } from "@/server/testing/build-agent-run";
import { QuestionCards } from "./question-cards";

const NOW = Date.parse("2026-11-30T10:03:30.000Z");

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date", "setInterval", "clearInterval"], now: NOW });
  localStorage.clear();
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

type Decide = NonNullable<NonNullable<FakeAnswers["agents"]>["decide"]>;

function show(approvals: AgentRunDetail["approvals"], decide: Decide = () => buildApproval({ status: "accepted" })) {
  const answer = vi.fn(decide);
  const server = createFakeServer({
    agents: { decide: answer },
    runs: { list: () => ({ items: [], nextCursor: null }) },
  });
  const run = buildAgentRun({ status: "running", waitingFor: "approval", approvals });
  const page = (now: AgentRunDetail) => (
    <FakeConsole server={server}>
      <button type="button">Elsewhere</button>
      <QuestionCards run={now} />
    </FakeConsole>
  );
  const { rerender } = render(page(run));
  return { answer, change: (part: Partial<AgentRunDetail>) => rerender(page({ ...run, ...part })) };
}

const card = () => screen.getByRole("article", { name: "May it run this command?" });

describe("a question", () => {
  it("says what is asked, where, why, and how long it waits", () => {
    show([buildApproval()]);
    expect(within(card()).getByRole("region", { name: "Command" }).textContent).toBe("npm publish");
    expect(card().textContent).toContain("/srv/repo");
    expect(card().textContent).toContain("the package has to be published");
    expect(card().textContent).toContain("6m 30s left, then it counts as declined");
    act(() => {
      vi.advanceTimersByTime(90_000);
    });
    expect(card().textContent).toContain("5m 0s left, then it counts as declined");
    act(() => {
      vi.advanceTimersByTime(600_000);
    });
    expect(card().textContent).toContain("The time is up: it counts as declined");
  });

  it("is announced, and takes the focus from nobody", () => {
    const { change } = show([]);
    const region = document.querySelector("[aria-live=assertive]");
    expect(region?.textContent).toBe("");
    const elsewhere = screen.getByRole("button", { name: "Elsewhere" });
    elsewhere.focus();
    change({ approvals: [buildApproval()] });
    expect(region?.textContent).toBe("The agent asks: May it run this command? npm publish. It waits 10m 0s for an answer.");
    expect(document.activeElement).toBe(elsewhere);
    change({ approvals: [buildApproval({ status: "expired" })] });
    expect(region?.textContent).toBe("");
    expect(screen.queryByRole("article")).toBeNull();
  });

  it("is answered once, under a name that the browser remembers", async () => {
    const { answer } = show([buildApproval()]);
    fireEvent.change(screen.getByLabelText("Your name"), { target: { value: " Ana " } });
    const accept = within(card()).getByRole("button", { name: "Accept" });
    fireEvent.click(accept);
    fireEvent.click(accept);
    fireEvent.click(within(card()).getByRole("button", { name: "Decline" }));
    await waitFor(() =>
      expect(answer.mock.calls).toEqual([[{ id: "run_t", approvalId: "apr_1", decision: "accept", by: "Ana" }]]),
    );
    expect(localStorage.getItem("switchyard-author")).toBe("Ana");
    cleanup();
    show([buildApproval()]);
    expect(screen.getByLabelText<HTMLInputElement>("Your name").value).toBe("Ana");
  });

  it("is declined without a name", async () => {
    const { answer } = show([buildApproval()], () => buildApproval({ status: "declined" }));
    fireEvent.click(within(card()).getByRole("button", { name: "Decline" }));
    await waitFor(() => expect(answer.mock.calls).toEqual([[{ id: "run_t", approvalId: "apr_1", decision: "decline" }]]));
    expect(localStorage.getItem("switchyard-author")).toBeNull();
  });

  it("that somebody else has answered can be answered again when the server refused", async () => {
    const { answer } = show([buildApproval()], () => {
      throw new FakeApiError("conflict", "The question is closed already: it is declined.");
    });
    const accept = within(card()).getByRole("button", { name: "Accept" });
    fireEvent.click(accept);
    await waitFor(() => expect(answer).toHaveBeenCalledTimes(1));
    await waitFor(() => expect(accept.getAttribute("aria-busy")).toBeNull());
    fireEvent.click(accept);
    await waitFor(() => expect(answer).toHaveBeenCalledTimes(2));
  });

  it("is not hit by who aims at the one before it, in whose place it comes", async () => {
    const { answer, change } = show([buildApproval()]);
    change({ approvals: [buildApproval({ status: "accepted" }), buildApproval({ id: "apr_2" })] });
    const accept = () => within(card()).getByRole("button", { name: "Accept" });
    fireEvent.click(accept());
    expect(accept().getAttribute("aria-disabled")).toBe("true");
    expect(answer).not.toHaveBeenCalled();
    await waitFor(() => expect(accept().getAttribute("aria-disabled")).toBeNull(), { timeout: 5_000 });
    fireEvent.click(accept());
    await waitFor(() => expect(answer.mock.calls).toEqual([[{ id: "run_t", approvalId: "apr_2", decision: "accept" }]]));
  });

  it("about files that are not named says so; the oldest of several stands first", () => {
    show([
      buildApproval({ id: "apr_2", kind: "file-change", subject: "", cwd: null, reason: null }),
      buildApproval({ id: "apr_0", status: "declined" }),
      buildApproval(),
    ]);
    expect(screen.getAllByRole("article").map((article) => within(article).getByRole("heading").textContent)).toEqual([
      "May it run this command?",
      "May it change these files?",
    ]);
    expect(screen.getByText("The agent does not say which files.")).toBeTruthy();
  });
});
