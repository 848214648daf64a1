import { act, cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createFakeServer, type FakeAnswers, FakeApiError, FakeConsole } from "@/components/trpc/fake-console";
import type { StoredEvent } from "@/server/events/event.schema";
import { buildAgentRun, buildCommand } from "@/server/testing/build-agent-run";
import { Conversation } from "./conversation";
import { asked, callEnded, callStarted, decided, ended, queued, said, started, storedEvents, type Told } from "./testing-events";

const BOX_PX = 600;
const ROW_PX = 30;

beforeEach(() => {
  // jsdom lays nothing out: the list is told how tall it and its rows are.
  vi.stubGlobal(
    "ResizeObserver",
    class {
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  );
  vi.spyOn(Element.prototype, "clientHeight", "get").mockReturnValue(BOX_PX);
  vi.spyOn(Element.prototype, "clientWidth", "get").mockReturnValue(BOX_PX);
  vi.spyOn(HTMLElement.prototype, "offsetHeight", "get").mockReturnValue(ROW_PX);
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

type List = NonNullable<NonNullable<FakeAnswers["events"]>["list"]>;

/** The service's pages over these events. */
function pagesOf(events: () => readonly StoredEvent[]): List {
  return ({ afterSeq = 0, limit = 100, types }) => {
    const matching = events().filter(({ seq, type }) => seq > afterSeq && (types === undefined || types.includes(type)));
    const items = matching.slice(0, limit);
    return {
      items,
      nextAfterSeq: items.at(-1)?.seq ?? afterSeq,
      hasMore: matching.length > items.length,
      lastSeq: events().length,
    };
  };
}

function show(
  events: readonly StoredEvent[],
  part: Parameters<typeof buildAgentRun>[0] = {},
  list?: List,
  writing: string | null = null,
) {
  let stored = events;
  const read = vi.fn<List>(list ?? pagesOf(() => stored));
  const run = buildAgentRun({ lastSeq: events.length, ...part });
  const writingOf = vi.fn(() => ({ text: writing }));
  const server = createFakeServer({
    agents: { get: () => run, writing: writingOf },
    events: { list: read },
    runs: { list: () => ({ items: [], nextCursor: null }) },
  });
  render(
    <FakeConsole server={server}>
      <Conversation runId="run_t" />
    </FakeConsole>,
  );
  return {
    read,
    writing: writingOf,
    grow: (more: readonly Told[]) => {
      stored = [...stored, ...storedEvents(more, stored.length + 1)];
      const {
        workflow: _w,
        policy: _p,
        threadId: _t,
        reply: _r,
        process: _q,
        commands: _c,
        approvals: _a,
        config: _g,
        ...summary
      } = run;
      act(() => server.stream.send({ id: "1", data: { ...summary, lastSeq: stored.length } }));
    },
  };
}

function rowWith(text: string | RegExp): HTMLElement {
  const found = screen
    .getAllByRole("listitem")
    .find((row) => (typeof text === "string" ? row.textContent?.includes(text) : text.test(row.textContent ?? "")));
  if (found === undefined) throw new Error(`no step says ${text}`);
  return found;
}

const PATCH = "--- /srv/repo/a.ts\n@@ -1 +1 @@\n-old\n+new\n";
const TURN: Told[] = [
  queued(0, "Run the tests"),
  started(0),
  callStarted("call_1", "npm test"),
  callEnded("call_1", "npm test", { status: "failed", exitCode: 2, bytes: 348_897 }),
  [
    "command_output",
    { itemId: "call_1", text: "\u001b[31mred\u001b[0m\n… 300 bytes left out …\nend", bytes: 348_897, truncated: true },
    { truncated: true, artifactId: "art_out" },
  ],
  ["diff", { itemId: "c", status: "completed", paths: ["/srv/repo/a.ts"], files: 1, text: PATCH, bytes: 43, truncated: false }],
  said("I look first.", { messagePhase: "commentary", final: false }),
  said("All pass."),
  ["backend_status", { phase: "codex-app-server-notifications-suppressed", total: 47, counts: { "turn/started": 2 } }],
  ended(0, "completed"),
];

describe("what is being written", () => {
  const RUNNING = { status: "running", commands: [buildCommand({ status: "running", replyId: null })] } satisfies Parameters<
    typeof buildAgentRun
  >[0];

  it("stands below the steps while a turn runs, as no step of its own", async () => {
    show(storedEvents([queued(0, "Say hello"), started(0)]), RUNNING, undefined, "Hello, I");
    const writing = await screen.findByRole("region", { name: "Being written…" });
    expect(writing.textContent).toBe("Being written…Hello, I");
    expect(screen.getAllByRole("listitem")).toHaveLength(1);
  });

  it("is not there when nothing is written, and is not asked for when no turn works", async () => {
    const running = show(storedEvents(TURN), RUNNING);
    await waitFor(() => expect(running.writing).toHaveBeenCalled());
    expect(screen.queryByText("Being written…")).toBeNull();
    for (const part of [{}, { ...RUNNING, waitingFor: "approval" } as const]) {
      cleanup();
      const { writing } = show(storedEvents(TURN), part, undefined, "Hello, I");
      await screen.findByText("7 steps");
      expect(writing).not.toHaveBeenCalled();
    }
  });
});

describe("the conversation", () => {
  it("tells a turn in few rows, and reads what is large only when it is looked at", async () => {
    const { read } = show(storedEvents(TURN));
    const call = await waitFor(() => rowWith("npm test"));
    expect(screen.getAllByRole("listitem").map((row) => row.textContent)).toEqual([
      expect.stringMatching(/^Turn 1Complete10:00:02.*Run the tests$/),
      "npm testfailedexit 2340.7 KiB455ms",
      "Changed 1 filea.ts1 added, 1 removed+1−1",
      "Agent: I look first.",
      "Reply: All pass.",
      "47 messages of little worth left out",
      "Turn 1 is complete8s",
    ]);
    expect(read.mock.calls.map(([input]) => input.types?.includes("command_output"))).toEqual([false]);
    fireEvent.click(within(call).getByRole("button", { expanded: false }));
    const output = await within(call).findByRole("region", { name: "Output of npm test" });
    expect(output.textContent).toBe("red300 B left out hereend");
    expect(within(call).getByRole("link", { name: "Open the whole output (340.7 KiB)" }).getAttribute("href")).toBe(
      "/api/v1/runs/run_t/artifacts/art_out",
    );
    expect(read.mock.lastCall?.[0]).toEqual({ runId: "run_t", afterSeq: 4, limit: 5, types: ["command_output"] });
  });

  it("shows a patch with its signs, and what was left out in numbers", async () => {
    show(storedEvents(TURN));
    const change = await waitFor(() => rowWith("Changed 1 file"));
    fireEvent.click(within(change).getByRole("button", { expanded: false }));
    const patch = within(change).getByRole("region", { name: "Patch of step 6" });
    expect([...patch.querySelectorAll("span.tone-success, span.tone-danger")].map((line) => line.textContent)).toEqual([
      "-old",
      "+new",
    ]);
    const chip = screen.getByRole("button", { name: "47 messages of little worth left out" });
    fireEvent.click(chip);
    expect(chip.getAttribute("aria-expanded")).toBe("true");
    expect(screen.getByText("turn/started").nextElementSibling?.textContent).toBe("2");
  });

  it("goes on as the run does: a question on its call, the answer, the end", async () => {
    const { grow } = show(storedEvents([queued(0, "Publish"), started(0), callStarted("call_1", "npm publish")]), {
      status: "running",
      commands: [buildCommand({ status: "running", replyId: null })],
    });
    await waitFor(() => rowWith(/npm publish.*running/));
    grow([asked("apr_1", "call_1", "npm publish")]);
    await waitFor(() => rowWith(/npm publish.*waits for an answer/));
    grow([decided("apr_1", "accepted", "Ana"), callEnded("call_1", "npm publish", { bytes: 0 }), queued(1, "Tag it")]);
    await waitFor(() => rowWith(/npm publish.*OK.*accepted by Ana/));
    expect(rowWith("Turn 2").textContent).toMatch(/^Turn 2Waits.*Tag it$/);
    grow([ended(0, "failed", { failureKind: "backend-timeout", message: "too slow" })]);
    await waitFor(() => rowWith(/Turn 2Not sent/));
    expect(rowWith("Turn 1 failed").textContent).toBe("Turn 1 failed · The answer took too longtoo slow6s");
  });

  it("leads from error to error, and follows only while nobody reads", async () => {
    const trouble = (message: string): Told => ["error", { failureKind: "backend-failed", message, willRetry: false }];
    show(storedEvents([queued(0, "Try"), started(0), trouble("first"), said("hm"), trouble("second")]), {
      status: "running",
      commands: [buildCommand({ status: "running", replyId: null })],
    });
    await waitFor(() => rowWith("first"));
    const follow = screen.getByRole("button", { name: "Follow" });
    expect(follow.getAttribute("aria-pressed")).toBe("true");
    fireEvent.click(screen.getByRole("button", { name: "Jump to first error" }));
    await waitFor(() => expect(document.activeElement?.textContent).toContain("first"));
    expect(follow.getAttribute("aria-pressed")).toBe("false");
    expect(document.activeElement?.getAttribute("aria-current")).toBe("true");
    fireEvent.click(screen.getByRole("button", { name: "Next error (2 of 2)" }));
    await waitFor(() => expect(document.activeElement?.textContent).toContain("second"));
    fireEvent.click(screen.getByRole("button", { name: "Next error (1 of 2)" }));
    await waitFor(() => expect(document.activeElement?.textContent).toContain("first"));
  });

  it("without an error says that there is none to jump to", async () => {
    show(storedEvents([queued(0, "Try"), started(0), said("ok"), ended(0, "completed")]));
    await waitFor(() => rowWith("ok"));
    expect(screen.getByRole("button", { name: "Jump to first error" }).textContent).toContain("No step has failed");
  });

  it("is read to its end page by page, and mounts what is seen", async () => {
    const calls = Array.from({ length: 600 }, (_, at): Told[] => [
      callStarted(`call_${at}`, `make ${at}`),
      callEnded(`call_${at}`, `make ${at}`),
    ]);
    const { read } = show(storedEvents([queued(0, "Work"), started(0), ...calls.flat()]));
    await screen.findByText("601 steps");
    expect(read.mock.calls.map(([input]) => input.afterSeq)).toEqual([0, 500, 1_000]);
    expect(screen.getAllByRole("listitem").length).toBeLessThan(60);
    expect(screen.getAllByRole("listitem")[0]?.getAttribute("aria-setsize")).toBe("601");
  });

  it("says when it could not be read, and is read again when asked", async () => {
    let fails = true;
    const pages = pagesOf(() => storedEvents(TURN));
    show(storedEvents(TURN), {}, (input) => {
      if (fails) throw new FakeApiError("store_unavailable", "The disk is full.");
      return pages(input);
    });
    expect((await screen.findByRole("alert")).textContent).toContain("The disk is full.");
    fails = false;
    fireEvent.click(screen.getByRole("button", { name: "Try again" }));
    await waitFor(() => rowWith("All pass."));
    expect(screen.queryByRole("alert")).toBeNull();
  });

  it("can be downloaded whole", async () => {
    show(storedEvents(TURN));
    await waitFor(() => rowWith("All pass."));
    expect(screen.getByRole("link", { name: "Download as JSONL" }).getAttribute("href")).toBe("/api/v1/runs/run_t/events.jsonl");
  });

  it("shows a long prompt whole when asked", async () => {
    const fetched = vi.fn(async () => new Response(`${"a".repeat(300)} end`));
    vi.stubGlobal("fetch", fetched);
    show(storedEvents([queued(0, `${"a".repeat(200)}…`), started(0)]));
    fireEvent.click(await screen.findByRole("button", { name: "Show the whole prompt" }));
    await screen.findByText(`${"a".repeat(300)} end`);
    expect(fetched.mock.calls).toEqual([["/api/v1/runs/run_t/artifacts/art_prompt_0"]]);
  });
});
