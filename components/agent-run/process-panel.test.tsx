import { act, cleanup, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createFakeServer, FakeConsole } from "@/components/trpc/fake-console";
import { buildAgentRun, buildCommand } from "@/server/testing/build-agent-run";
import { ProcessPanel } from "./process-panel";

const LAST_EVENT = Date.parse("2026-11-30T10:00:09.000Z");

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date", "setInterval", "clearInterval"], now: LAST_EVENT + 4_000 });
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const PROCESS = buildAgentRun().process;

function show(part: Parameters<typeof buildAgentRun>[0]) {
  const server = createFakeServer({ runs: { list: () => ({ items: [], nextCursor: null }) } });
  render(
    <FakeConsole server={server}>
      <ProcessPanel run={buildAgentRun(part)} />
    </FakeConsole>,
  );
}

/** The facts by their names, as they are read. */
function facts(): Record<string, string> {
  return Object.fromEntries(
    [...document.querySelectorAll("dl > div")].map((fact) => [
      fact.querySelector("dt")?.textContent ?? "",
      fact.querySelector("dd")?.textContent ?? "",
    ]),
  );
}

const WORKING = { status: "running", commands: [buildCommand({ status: "running", replyId: null })] };

describe("the process", () => {
  it("that works tells its age by the second, and warns when it has long been silent", () => {
    show(WORKING);
    const still = {
      State: "Working",
      "Process id": "4711",
      Version: "0.171.0",
      "Silence limit": "2m 15s",
      Said: "2 KiB",
      "Said on stderr": "332 B",
    };
    expect(facts()).toEqual({ ...still, "Last sign of life": "4s ago" });
    act(() => {
      vi.advanceTimersByTime(6_000);
    });
    expect(facts()).toEqual({ ...still, "Last sign of life": "10s ago" });
    act(() => {
      vi.advanceTimersByTime(80_000);
    });
    expect(facts()).toEqual({ ...still, "Last sign of life": "1m 30s agoSilent for 66% of that" });
  });

  it("may be silent while a person is asked", () => {
    show({ ...WORKING, waitingFor: "approval" });
    act(() => {
      vi.advanceTimersByTime(86_000);
    });
    expect(facts()).toMatchObject({ State: "Working", "Last sign of life": "1m 30s ago" });
  });

  it("that rests is kept, and its silence is no matter", () => {
    show({});
    act(() => {
      vi.advanceTimersByTime(600_000);
    });
    expect(facts()).toMatchObject({ State: "Idle, kept for the next turn", "Last sign of life": "10m 4s ago" });
  });

  it.each([
    [{ code: 0, signal: null, groupEnded: true }, "code 0", "yes"],
    [{ code: null, signal: "SIGKILL", groupEnded: true }, "signal SIGKILL", "yes"],
    [{ code: null, signal: null, groupEnded: false }, "unknown", "no: something of it may still run"],
    [{ code: null, signal: null, groupEnded: null }, "unknown", "not known: its server ended with it"],
  ])("that has ended says how: %j", (exit, how, group) => {
    show({ ...WORKING, process: { ...PROCESS, exit } });
    expect(facts()).toMatchObject({ State: "Ended", Exit: how, "Whole process group ended": group });
  });

  it("that was never started is said to be none", () => {
    show({ process: null });
    expect(screen.getByText("No process has worked for this run yet.")).toBeTruthy();
  });
});
