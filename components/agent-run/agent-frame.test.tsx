import { act, cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createFakeServer, type FakeAnswers, FakeApiError, FakeConsole } from "@/components/trpc/fake-console";
import { type AgentRunDetail, agentRunDetailSchema } from "@/server/runs/agent-run.schema";
import { runSummarySchema } from "@/server/runs/run.schema";
import { buildAgentRun, buildApproval, buildCommand } from "@/server/testing/build-agent-run";
import { AgentFrame } from "./agent-frame";

const location = vi.hoisted(() => ({ pathname: "/runs/run_t" }));
vi.mock("next/navigation", () => ({ usePathname: () => location.pathname }));

beforeEach(() => {
  location.pathname = "/runs/run_t";
  sessionStorage.clear();
  vi.stubGlobal(
    "ResizeObserver",
    class {
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  );
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function show(first: AgentRunDetail, answers: { agents?: FakeAnswers["agents"]; runs?: FakeAnswers["runs"] } = {}) {
  let run = first;
  const get = vi.fn(() => run);
  const server = createFakeServer({
    agents: { get, ...answers.agents },
    runs: { list: () => ({ items: [], nextCursor: null }), ...answers.runs },
  });
  render(
    <FakeConsole server={server}>
      <AgentFrame runId="run_t">
        <p>the view</p>
      </AgentFrame>
    </FakeConsole>,
  );
  return {
    get,
    /** The run becomes another, and the live stream says so. */
    become: (part: Partial<AgentRunDetail>) => {
      run = agentRunDetailSchema.parse({ ...run, lastSeq: run.lastSeq + 1, ...part });
      act(() => server.stream.send({ id: "1", data: runSummarySchema.parse(run) }));
    },
  };
}

const RUNNING = {
  status: "running",
  endedAt: null,
  reply: null,
  commands: [buildCommand({ status: "running", replyId: null, endedAt: null })],
};

describe("the page of an agent run", () => {
  it("says what it is, what it may do and what it has come to", async () => {
    show(buildAgentRun());
    expect((await screen.findByRole("heading", { level: 1 })).textContent).toBe("Agent run: Run the tests");
    expect(screen.getByText("deepseek · deepseek-flash")).toBeTruthy();
    expect(screen.getByText("/srv/repo")).toBeTruthy();
    expect(screen.getByText("22 prompt + 14 answer tokens")).toBeTruthy();
    expect(
      within(screen.getByRole("list", { name: "What it may do" }))
        .getAllByRole("listitem")
        .map((chip) => chip.textContent),
    ).toEqual(["Writes in its workspace", "No network", "Asks when it wants more", "30m 0s a turn"]);
    expect(screen.getByRole("region", { name: "Text of the reply" }).textContent).toBe("All tests pass.");
    expect(screen.getByText("of turn 1")).toBeTruthy();
    expect(screen.queryByRole("group", { name: "Actions on the run" })).toBeNull();
    expect(screen.getByText("the view")).toBeTruthy();
    expect(document.title).toBe("Run the tests · Conversation · Switchyard");
  });

  it("leads to the raw events and back", async () => {
    location.pathname = "/runs/run_t/events";
    show(buildAgentRun());
    const views = await screen.findByRole("navigation", { name: "Views of the run" });
    expect(
      within(views)
        .getAllByRole("link")
        .map((link) => [link.getAttribute("href"), link.getAttribute("aria-current")]),
    ).toEqual([
      ["/runs/run_t", null],
      ["/runs/run_t/events", "page"],
    ]);
  });

  it("shows a question at once when the live stream tells of it, and takes it away when it is answered", async () => {
    const { become, get } = show(buildAgentRun(RUNNING));
    await screen.findByText("No turn has ended with a reply yet.");
    const before = get.mock.calls.length;
    become({ waitingFor: "approval", approvals: [buildApproval()] });
    expect(await screen.findByRole("article", { name: "May it run this command?" })).toBeTruthy();
    expect(get.mock.calls.length).toBe(before + 1);
    expect(screen.getByText("Waits for you")).toBeTruthy();
    expect(document.title).toBe("? Run the tests · Conversation · Switchyard");
    become({ waitingFor: null, approvals: [buildApproval({ status: "accepted", decidedBy: "Ana" })] });
    await waitFor(() => expect(screen.queryByRole("article")).toBeNull());
    expect(document.title).toBe("● Run the tests · Conversation · Switchyard");
  });

  it("reads what only grows again no more than once a second", async () => {
    const { become, get } = show(buildAgentRun(RUNNING));
    await screen.findByText("No turn has ended with a reply yet.");
    become({});
    await waitFor(() => expect(get).toHaveBeenCalledTimes(2));
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    for (let at = 0; at < 5; at++) become({});
    await act(() => vi.advanceTimersByTimeAsync(999));
    expect(get).toHaveBeenCalledTimes(2);
    await act(() => vi.advanceTimersByTimeAsync(1));
    expect(get).toHaveBeenCalledTimes(3);
  });

  it("interrupts the turn under way", async () => {
    const command = vi.fn(() => buildCommand({ id: "cmd_1", type: "interrupt", preview: "Interrupted by the operator." }));
    show(buildAgentRun(RUNNING), { agents: { command } });
    fireEvent.click(await screen.findByRole("button", { name: "Interrupt" }));
    await waitFor(() => expect(command.mock.calls).toEqual([[{ id: "run_t", order: { type: "interrupt" } }]]));
  });

  it("is interrupted once a turn", async () => {
    const interrupt = buildCommand({ id: "cmd_1", index: 1, type: "interrupt", replyId: null });
    show(buildAgentRun({ ...RUNNING, commands: [...RUNNING.commands, interrupt] }));
    const button = await screen.findByRole("button", { name: "Interrupt" });
    expect(button.getAttribute("aria-disabled")).toBe("true");
    expect(button.textContent).toBe("InterruptThe turn is being interrupted");
  });

  it("asks before it is cancelled, and says what that means", async () => {
    const cancel = vi.fn(() => runSummarySchema.parse(buildAgentRun({ status: "cancelled" })));
    show(buildAgentRun(RUNNING), { runs: { cancel } });
    fireEvent.click(await screen.findByRole("button", { name: "Cancel run" }));
    const dialog = await screen.findByRole("alertdialog", { name: "Cancel this run?" });
    expect(dialog.textContent).toContain(
      "The turn under way is stopped, turns that wait are dropped, and the conversation is over.",
    );
    fireEvent.click(within(dialog).getByRole("button", { name: "Cancel the run" }));
    await waitFor(() => expect(cancel.mock.calls).toEqual([[{ id: "run_t" }]]));
  });

  it("numbers turns without the interrupts between them", async () => {
    show(
      buildAgentRun({
        ...RUNNING,
        turns: 2,
        commands: [
          buildCommand(),
          buildCommand({ id: "cmd_1", index: 1, type: "interrupt" }),
          buildCommand({ id: "cmd_2", index: 2, status: "running", replyId: null }),
        ],
        reply: "First.",
      }),
    );
    expect((await screen.findAllByText("Turn 2 is under way")).length).toBe(2);
    expect(screen.getByText("of turn 1")).toBeTruthy();
  });

  it.each([
    ["paused", null, "Interrupted. The next turn goes on from here."],
    ["failed", "deepseek answered 401", "The last turn failed: deepseek answered 401. Another one may follow."],
    ["cancelled", "Cancelled by the operator.", "Cancelled: Cancelled by the operator. The conversation is over."],
    [
      "blocked",
      "the command npm publish needs an approval, which the policy never gives",
      "The policy stopped it: the command npm publish needs an approval, which the policy never gives. A new run with another policy may go further.",
    ],
    ["queued", null, "Waiting for a worker"],
  ])("says what %s means", async (status, statusReason, sentence) => {
    show(buildAgentRun({ status, statusReason }));
    expect((await screen.findAllByText(sentence)).length).toBe(2);
  });

  it("says why it cannot be shown, and is read again when asked", async () => {
    let fails = true;
    show(buildAgentRun(), {
      agents: {
        get: () => {
          if (fails) throw new FakeApiError("store_unavailable", "The disk is full.");
          return buildAgentRun();
        },
      },
    });
    expect((await screen.findByRole("alert")).textContent).toContain("The disk is full.");
    fails = false;
    fireEvent.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByText("the view")).toBeTruthy();
    expect(screen.queryByRole("alert")).toBeNull();
  });
});
