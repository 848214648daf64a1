import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createFakeServer, type FakeAnswers, FakeApiError, FakeConsole } from "@/components/trpc/fake-console";
import { buildAgentRun, buildCommand } from "@/server/testing/build-agent-run";
import { Composer } from "./composer";

beforeEach(() => sessionStorage.clear());
afterEach(cleanup);

type Command = NonNullable<NonNullable<FakeAnswers["agents"]>["command"]>;
type Part = Parameters<typeof buildAgentRun>[0];

function show(part: Part = {}, command: Command = () => buildCommand({ id: "cmd_9", status: "queued" })) {
  const sent = vi.fn(command);
  const server = createFakeServer({
    agents: { command: sent },
    runs: { list: () => ({ items: [], nextCursor: null }) },
  });
  render(
    <FakeConsole server={server}>
      <Composer run={buildAgentRun(part)} />
    </FakeConsole>,
  );
  return { sent };
}

const field = () => screen.getByLabelText<HTMLTextAreaElement>("What to do next");
const sendButton = () => screen.getByRole("button", { name: "Send" });
const type = (value: string) => fireEvent.change(field(), { target: { value } });
const turn = (prompt: string) => [{ id: "run_t", order: { type: "turn", prompt } }];

describe("the composer", () => {
  it("sends what was written, by the button and by the keys, and is empty then", async () => {
    const { sent } = show();
    type("Now the linter");
    fireEvent.click(sendButton());
    await waitFor(() => expect(field().value).toBe(""));
    type("And the types");
    fireEvent.keyDown(field(), { key: "Enter" });
    expect(sent).toHaveBeenCalledTimes(1);
    fireEvent.keyDown(field(), { key: "Enter", ctrlKey: true });
    fireEvent.keyDown(field(), { key: "Enter", ctrlKey: true });
    await waitFor(() => expect(sent).toHaveBeenCalledTimes(2));
    await waitFor(() => expect(field().value).toBe(""));
    type("Once more");
    fireEvent.keyDown(field(), { key: "Enter", metaKey: true });
    await waitFor(() => expect(sent.mock.calls).toEqual([turn("Now the linter"), turn("And the types"), turn("Once more")]));
  });

  it("sends nothing while nothing is written, and says why", () => {
    const { sent } = show();
    type("  ");
    expect(sendButton().getAttribute("aria-disabled")).toBe("true");
    expect(sendButton().textContent).toContain("Write what to do first");
    fireEvent.keyDown(field(), { key: "Enter", ctrlKey: true });
    expect(sent).not.toHaveBeenCalled();
  });

  it("keeps what was refused, and what was typed while it was sent", async () => {
    const { sent } = show({}, () => {
      throw new FakeApiError("conflict", "A run that is cancelled takes no further turn.");
    });
    type("Now the linter");
    fireEvent.click(sendButton());
    await waitFor(() => expect(sent).toHaveBeenCalledTimes(1));
    await waitFor(() => expect(sendButton().getAttribute("aria-busy")).toBeNull());
    expect(field().value).toBe("Now the linter");
    cleanup();
    let answer = () => {};
    show({}, () => new Promise((resolve) => (answer = () => resolve(buildCommand({ status: "queued" })))));
    type("First");
    fireEvent.click(sendButton());
    await waitFor(() => expect(sendButton().getAttribute("aria-busy")).toBe("true"));
    type("First and second");
    answer();
    await waitFor(() => expect(sendButton().getAttribute("aria-busy")).toBeNull());
    expect(field().value).toBe("First and second");
  });

  it("keeps the draft of its run over a reload", () => {
    show();
    type("half a thought");
    cleanup();
    show({ id: "run_other" });
    expect(field().value).toBe("");
    cleanup();
    show();
    expect(field().value).toBe("half a thought");
  });

  it("says that the turn waits while another is under way, and how many do", () => {
    show({
      status: "running",
      commands: [buildCommand({ status: "running" }), buildCommand({ id: "cmd_1", index: 1, status: "queued" })],
    });
    expect(screen.getByText("A turn is under way: yours waits until it ends.")).toBeTruthy();
    expect(screen.getByText("1 turn waits")).toBeTruthy();
    type("and then");
    expect(sendButton().getAttribute("aria-disabled")).toBeNull();
  });

  it.each([
    ["failed", true],
    ["paused", true],
    ["completed", false],
    ["running", false],
  ])("offers to continue after %s: %s", async (status, isOffered) => {
    const { sent } = show({ status });
    const button = screen.queryByRole("button", { name: "Continue" });
    expect(button !== null).toBe(isOffered);
    if (button === null) return;
    type("not this");
    fireEvent.click(button);
    await waitFor(() => expect(sent.mock.calls).toEqual([turn("Continue where you were interrupted.")]));
    expect(field().value).toBe("not this");
  });

  it.each([
    ["cancelled", "The run is cancelled: its conversation is over. Start a new run."],
    ["blocked", "The policy stopped this run. Start a new one with another policy."],
  ])("takes no turn of a run that is %s, and leads to a new one", (status, reason) => {
    show({ status });
    expect(screen.getByText(reason)).toBeTruthy();
    expect(screen.queryByLabelText("What to do next")).toBeNull();
    expect(screen.getByRole("link", { name: "New agent run" }).getAttribute("href")).toBe("/runs/new/agent");
  });
});
