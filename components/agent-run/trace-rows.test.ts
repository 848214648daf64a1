import { describe, expect, it } from "vitest";
import {
  asked,
  callEnded,
  callStarted,
  decided,
  ended,
  interruptOrdered,
  queued,
  said,
  started,
  storedEvents,
  type Told,
  timeOf,
} from "./testing-events";
import { isErrorRow, type TraceRow } from "./trace-row";
import { EMPTY_TRACE, extendTrace, traceRows } from "./trace-rows";

const STARTED: Told = [
  "backend_status",
  { phase: "thread-started", backend: "deepseek", model: "deepseek-flash", approval: "never", version: "0.171.0" },
];
const SUPPRESSED: Told = [
  "backend_status",
  {
    phase: "codex-app-server-notifications-suppressed",
    total: 47,
    counts: { "item/commandExecution/outputDelta": 45, "turn/started": 2 },
  },
];
const CALL = "/bin/bash -c 'npm test'";

const rowsOf = (...told: Told[]) => traceRows(storedEvents(told));
/** What a row is about, without its place. */
function brief(rows: readonly TraceRow[]): unknown[] {
  return rows.map(({ key: _key, seq: _seq, ts: _ts, ...row }) => row);
}
const kinds = (rows: readonly TraceRow[]) =>
  rows.map((row) =>
    row.kind === "tool" || row.kind === "diff"
      ? `${row.kind} ${row.state}`
      : row.kind === "turn" || row.kind === "end"
        ? `${row.kind} ${row.number} ${row.status}`
        : row.kind,
  );

describe("a turn", () => {
  it("is a section: its prompt, what was done, how it ended", () => {
    const rows = rowsOf(
      ["run_queued", { chunks: 0, documents: 1 }],
      queued(0, "Run the tests"),
      started(0),
      STARTED,
      callStarted("call_1", "npm test"),
      callEnded("call_1", "npm test"),
      ["command_output", { itemId: "call_1", text: "ok\n", bytes: 3, truncated: false }],
      said("All pass."),
      SUPPRESSED,
      ["terminal_status", { status: "completed", commandId: "cmd_0" }],
      ended(0, "completed"),
    );
    expect(rows).toEqual([
      {
        kind: "turn",
        key: "turn-cmd_0",
        seq: 2,
        ts: timeOf(2),
        commandId: "cmd_0",
        number: 1,
        status: "completed",
        prompt: "Run the tests",
        startedAt: timeOf(3),
        endedAt: timeOf(11),
      },
      {
        kind: "note",
        key: "event-4",
        seq: 4,
        ts: timeOf(4),
        note: "started",
        text: null,
        model: "deepseek-flash",
        version: "0.171.0",
      },
      {
        kind: "tool",
        key: "event-5",
        seq: 5,
        ts: timeOf(5),
        itemId: "call_1",
        toolName: "shell",
        command: CALL,
        cwd: "/srv/repo",
        state: "ok",
        status: "completed",
        exitCode: 0,
        milliseconds: 455,
        bytes: 3,
        endSeq: 6,
        approval: null,
      },
      {
        kind: "message",
        key: "event-8",
        seq: 8,
        ts: timeOf(8),
        said: { text: "All pass.", bytes: 146, isCut: false, artifactId: null },
        isFinal: true,
        isCommentary: false,
      },
      {
        kind: "suppressed",
        key: "event-9",
        seq: 9,
        ts: timeOf(9),
        total: 47,
        counts: [
          { name: "item/commandExecution/outputDelta", count: 45 },
          { name: "turn/started", count: 2 },
        ],
      },
      {
        kind: "end",
        key: "event-11",
        seq: 11,
        ts: timeOf(11),
        number: 1,
        status: "completed",
        failureKind: null,
        message: null,
        milliseconds: 8_000,
      },
    ]);
  });

  it("that waits stands at the end until it begins, and interrupts are not counted", () => {
    const told = [queued(0, "one"), started(0), queued(1, "two"), said("first"), interruptOrdered(2, "Stop.")];
    expect(kinds(rowsOf(...told))).toEqual(["turn 1 running", "message", "note", "turn 2 queued"]);
    const whole = [...told, ended(0, "cancelled", { message: "Stop." }), started(1), queued(3, "three")];
    expect(kinds(rowsOf(...whole))).toEqual([
      "turn 1 cancelled",
      "message",
      "note",
      "end 1 cancelled",
      "turn 2 running",
      "turn 3 queued",
    ]);
  });

  it("that waits behind one that failed or was blocked never begins; nor does one of a cancelled run", () => {
    const running = [queued(0, "one"), started(0), queued(1, "two")];
    expect(kinds(rowsOf(...running, ended(0, "failed")))).toEqual(["turn 1 failed", "end 1 failed", "turn 2 dropped"]);
    expect(kinds(rowsOf(...running, ended(0, "blocked")))).toEqual(["turn 1 blocked", "end 1 blocked", "turn 2 dropped"]);
    expect(kinds(rowsOf(...running, ended(1, "cancelled")))).toEqual(["turn 1 running", "turn 2 dropped"]);
    const cancelled: Told = ["run_cancelled", { reason: "enough", cancellationReason: "user_requested" }];
    expect(kinds(rowsOf(...running, cancelled, ended(0, "cancelled")))).toEqual([
      "turn 1 cancelled",
      "note",
      "turn 2 dropped",
      "end 1 cancelled",
    ]);
  });

  it("says its reason once: what an error, an interrupt or the end of the run has told is not said again", () => {
    const messages = (...told: Told[]) =>
      rowsOf(queued(0, "one"), started(0), ...told).map((row) => row.kind === "end" && row.message);
    const failure = { failureKind: "backend-timeout", message: "too slow" };
    expect(messages(["error", { ...failure, willRetry: false }], ended(0, "failed", failure))).toEqual([false, false, null]);
    expect(messages(ended(0, "failed", failure))).toEqual([false, "too slow"]);
    expect(messages(interruptOrdered(1, "Stop."), ended(0, "cancelled", { message: "Stop." }))).toEqual([false, false, null]);
  });

  it("whose beginning is not among the events is told as far as it is", () => {
    expect(kinds(rowsOf(said("late"), ended(4, "completed"), queued(5, "next"), started(5)))).toEqual([
      "message",
      "end 5 completed",
      "turn 6 running",
    ]);
    expect(kinds(rowsOf(started(3)))).toEqual(["turn 4 running"]);
  });
});

describe("a call", () => {
  it("is one row from its start to its end", () => {
    const call = callStarted("call_1", "npm test");
    const tool = {
      kind: "tool",
      itemId: "call_1",
      toolName: "shell",
      command: CALL,
      cwd: "/srv/repo",
      approval: null,
    };
    const open = { state: "running", status: "inProgress", exitCode: null, milliseconds: null, bytes: null, endSeq: null };
    expect(brief(rowsOf(call))).toEqual([{ ...tool, ...open }]);
    expect(brief(rowsOf(call, callEnded("call_1", "npm test", { status: "failed", exitCode: 2, durationMs: null })))).toEqual([
      { ...tool, state: "failed", status: "failed", exitCode: 2, milliseconds: 1_000, bytes: 3, endSeq: 2 },
    ]);
  });

  it.each([
    ["completed", 0, "ok"],
    ["completed", 1, "failed"],
    ["failed", 127, "failed"],
    ["declined", null, "declined"],
    ["still running", null, "still_running"],
    ["something new", null, "unknown"],
  ])("with the status %s and the exit code %s is %s", (status, exitCode, state) => {
    expect(kinds(rowsOf(callStarted("call_1", "a"), callEnded("call_1", "a", { status, exitCode })))).toEqual([`tool ${state}`]);
    expect(kinds(rowsOf(callEnded("call_1", "a", { status, exitCode })))).toEqual([`tool ${state}`]);
  });

  it("that outlives its turn gets its end when that comes", () => {
    const outlives = [
      queued(0, "one"),
      started(0),
      callStarted("call_1", "sleep 9"),
      callEnded("call_1", "sleep 9", { method: "turn/completed", status: "still running", bytes: 0 }),
      ended(0, "completed"),
    ];
    expect(kinds(rowsOf(...outlives))).toEqual(["turn 1 completed", "tool still_running", "end 1 completed"]);
    const rows = rowsOf(...outlives, callEnded("call_1", "sleep 9", { durationMs: 9_000, bytes: 5 }));
    expect(rows[1]).toMatchObject({ kind: "tool", state: "ok", milliseconds: 9_000, bytes: 5, endSeq: 6 });
    expect(rows).toHaveLength(3);
  });

  it("that outlives its turn ends with its process at the latest, told of itself or not", () => {
    const outlives = [
      queued(0, "one"),
      started(0),
      callStarted("call_1", "sleep 9"),
      callEnded("call_1", "sleep 9", { method: "turn/completed", status: "still running", bytes: 0 }),
      callStarted("call_2", "true"),
      callEnded("call_2", "true"),
      ended(0, "completed"),
    ];
    const unloaded: Told = ["model_unloaded", { providerId: "deepseek", sessionId: "run_1" }];
    const own = callEnded("call_1", "sleep 9", { status: "ended with its process", exitCode: null, durationMs: null, bytes: 5 });
    const words = ["turn 1 completed", "tool process_ended", "tool ok", "end 1 completed"];
    expect(kinds(rowsOf(...outlives, unloaded))).toEqual(words);
    expect(kinds(rowsOf(...outlives, unloaded, own))).toEqual(words);
    const rows = rowsOf(...outlives, own, unloaded);
    expect(kinds(rows)).toEqual(words);
    expect(rows[1]).toMatchObject({ milliseconds: 5_000, bytes: 5, endSeq: 8 });
  });

  it("whose turn ended without a word of it has an unknown end; the same name later is another call", () => {
    const died = [queued(0, "one"), started(0), callStarted("call_1", "make"), ended(0, "failed", { message: "died" })];
    expect(kinds(rowsOf(...died))).toEqual(["turn 1 failed", "tool unknown", "end 1 failed"]);
    const again = [...died, queued(1, "two"), started(1), callStarted("call_1", "make"), callEnded("call_1", "make")];
    expect(kinds(rowsOf(...again))).toEqual(["turn 1 failed", "tool unknown", "end 1 failed", "turn 2 running", "tool ok"]);
  });

  it("told twice is one row", () => {
    expect(kinds(rowsOf(callStarted("call_1", "a"), callStarted("call_1", "a")))).toEqual(["tool running"]);
  });
});

describe("a question", () => {
  const call = callStarted("call_1", "touch x");
  const question = asked("apr_1", "call_1", "/bin/bash -c 'touch x'");
  const approvalOf = (...told: Told[]) =>
    rowsOf(...told).map((row) => (row.kind === "tool" || row.kind === "approval") && row.approval);

  it("stands on the row of its call, with what became of it", () => {
    const approval = { approvalId: "apr_1", kind: "command", subject: "/bin/bash -c 'touch x'" };
    expect(approvalOf(call, question)).toEqual([{ ...approval, status: "pending", by: null }]);
    expect(approvalOf(call, question, decided("apr_1", "accepted", "Ana"), callEnded("call_1", "touch x"))).toEqual([
      { ...approval, status: "accepted", by: "Ana" },
    ]);
    expect(approvalOf(call, question, decided("apr_1", "expired"))).toEqual([{ ...approval, status: "expired", by: null }]);
  });

  it("that comes before its call is taken over by it", () => {
    const rows = rowsOf(
      question,
      call,
      decided("apr_1", "declined", "Ana"),
      callEnded("call_1", "touch x", { status: "declined" }),
    );
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({
      kind: "tool",
      key: "event-1",
      seq: 2,
      state: "declined",
      approval: { status: "declined", by: "Ana" },
    });
  });

  it("about files stands on the proposed change, which is one row with what became of it", () => {
    const change = (status: string): Told => [
      "diff",
      { itemId: "call_9", status, paths: ["a.ts"], files: 1, text: "--- a.ts\n+new\n", bytes: 14, truncated: false },
    ];
    const proposed = [change("inProgress"), asked("apr_1", "call_9", "a.ts", "file-change")];
    expect(rowsOf(...proposed)).toMatchObject([{ kind: "diff", state: "proposed", approval: { status: "pending" } }]);
    const rows = rowsOf(...proposed, decided("apr_1", "accepted", "Ana"), change("completed"));
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({ key: "event-1", state: "ok", added: 1, approval: { status: "accepted", by: "Ana" } });
    expect(rowsOf(queued(0, "one"), started(0), ...proposed, ended(0, "cancelled"))[1]).toMatchObject({
      state: "unknown",
      approval: { status: "moot" },
    });
  });

  it("about files that are not told has a row of its own", () => {
    const rows = rowsOf(asked("apr_1", "call_9", "a.ts, b.ts", "file-change"), decided("apr_1", "declined", "Ben"));
    expect(brief(rows)).toEqual([
      {
        kind: "approval",
        itemId: "call_9",
        approval: { approvalId: "apr_1", kind: "file-change", subject: "a.ts, b.ts", status: "declined", by: "Ben" },
      },
    ]);
  });

  it("that is open when its turn ends needs no answer any more", () => {
    const rows = approvalOf(queued(0, "one"), started(0), call, question, ended(0, "failed"));
    expect(rows).toMatchObject([false, { status: "moot" }, false]);
  });

  it("that was not asked among the events is passed over", () => {
    expect(rowsOf(decided("apr_9", "accepted", "Ana"))).toEqual([]);
  });
});

describe("messages, changes and errors", () => {
  it("tells what was said on the way from the answer", () => {
    const rows = rowsOf(
      said("I look first.", { messagePhase: "commentary", final: false }),
      said("half", { replyAuthority: false, final: false }),
      said("Done."),
    );
    expect(rows.map((row) => row.kind === "message" && [row.said.text, row.isFinal, row.isCommentary])).toEqual([
      ["I look first.", false, true],
      ["half", false, true],
      ["Done.", true, false],
    ]);
  });

  it("counts the lines of a change, and knows its files", () => {
    const patch = "--- /srv/repo/a.ts\n@@ -1,2 +1,2 @@\n-old\n+new\n+newer\n same\n";
    const whole = "diff --git a/a.ts b/a.ts\nindex 1..2 100644\n--- a/a.ts\n+++ b/a.ts\n@@ -1 +1 @@\n-old\n+new\n";
    const rows = rowsOf(
      [
        "diff",
        { itemId: "c", status: "completed", paths: ["/srv/repo/a.ts"], files: 1, text: patch, bytes: 70, truncated: false },
      ],
      ["diff", { itemId: "d", status: "declined", paths: ["b"], files: 60, text: "", bytes: 0, truncated: false }],
      ["diff", { scope: "turn", text: whole, bytes: 40_000, truncated: true }, { truncated: true, artifactId: "art_1" }],
    );
    expect(brief(rows)).toEqual([
      {
        kind: "diff",
        scope: "call",
        state: "ok",
        paths: ["/srv/repo/a.ts"],
        files: 1,
        patch: { text: patch, bytes: 70, isCut: false, artifactId: null },
        added: 2,
        removed: 1,
        approval: null,
      },
      {
        kind: "diff",
        scope: "call",
        state: "declined",
        paths: ["b"],
        files: 60,
        patch: { text: "", bytes: 0, isCut: false, artifactId: null },
        added: 0,
        removed: 0,
        approval: null,
      },
      {
        kind: "diff",
        scope: "turn",
        state: "ok",
        paths: ["a.ts"],
        files: 1,
        patch: { text: whole, bytes: 40_000, isCut: true, artifactId: "art_1" },
        added: 1,
        removed: 1,
        approval: null,
      },
    ]);
  });

  it("makes one row of an error that is tried again and again", () => {
    const retry = (message: string): Told => ["error", { failureKind: "provider-unavailable", message, willRetry: true }];
    const rows = rowsOf(retry("Reconnecting 1/3"), retry("Reconnecting 2/3"), said("on"), retry("Reconnecting 1/3"), [
      "error",
      { failureKind: "provider-unavailable", message: "gone", willRetry: false },
    ]);
    expect(rows.map((row) => row.kind === "error" && [row.message, row.isRetried, row.times])).toEqual([
      ["Reconnecting 2/3", true, 2],
      false,
      ["Reconnecting 1/3", true, 1],
      ["gone", false, 1],
    ]);
    expect(rows.map(isErrorRow)).toEqual([false, false, false, true]);
  });

  it("reads a payload that was cut as far as it goes", () => {
    expect(brief(rowsOf(["tool_call", { cut: true }], ["error", {}], ["backend_status", { phase: "reviewing" }]))).toEqual([
      {
        kind: "tool",
        itemId: "",
        toolName: "",
        command: null,
        cwd: null,
        approval: null,
        state: "unknown",
        status: "",
        exitCode: null,
        milliseconds: null,
        bytes: null,
        endSeq: 1,
      },
      { kind: "error", failureKind: null, message: "", isRetried: false, times: 1 },
      { kind: "note", note: "status", text: "reviewing", model: null, version: null },
    ]);
  });

  it("passes over that the conversation goes on", () => {
    expect(rowsOf(["backend_status", { phase: "thread-continued", model: "m" }])).toEqual([]);
  });
});

describe("a live trace", () => {
  const told: Told[] = [
    queued(0, "one"),
    started(0),
    STARTED,
    callStarted("call_1", "a"),
    asked("apr_1", "call_1", "a"),
    callStarted("call_2", "b"),
    queued(1, "two"),
    decided("apr_1", "accepted", "Ana"),
    callEnded("call_2", "b"),
    callEnded("call_1", "a"),
    ["error", { failureKind: "provider-unavailable", message: "1/2", willRetry: true }],
    ["error", { failureKind: "provider-unavailable", message: "2/2", willRetry: true }],
    said("Done."),
    ended(0, "completed"),
    started(1),
    interruptOrdered(2, "Stop."),
    ended(1, "cancelled", { message: "Stop." }),
  ];
  const events = storedEvents(told);

  it("comes to the same wherever it is cut, and changes nothing that was given out", () => {
    const whole = traceRows(events);
    for (let cut = 0; cut <= events.length; cut++) {
      const before = extendTrace(EMPTY_TRACE, events.slice(0, cut));
      const given = JSON.stringify(before.rows);
      expect(extendTrace(before, events.slice(cut)).rows).toEqual(whole);
      expect(JSON.stringify(before.rows)).toBe(given);
    }
  });

  it("keeps rows that did not change, takes no event twice, and is the same trace when nothing came", () => {
    const before = extendTrace(EMPTY_TRACE, events.slice(0, 9));
    const after = extendTrace(before, events.slice(5));
    expect(after.rows).toEqual(traceRows(events));
    expect(after.lastSeq).toBe(17);
    expect(after.rows[1]).toBe(before.rows[1]);
    expect(extendTrace(after, events)).toBe(after);
  });
});

it("a reply that was told before the last tool is final in its place, and one row", () => {
  const rows = rowsOf(
    queued(0, "one"),
    started(0),
    said("Made it.", { final: false, replyAuthority: false, messagePhase: "commentary" }),
    callStarted("call_1", "rm tmp"),
    callEnded("call_1", "rm tmp"),
    said("Made it.", { again: true }),
    ended(0, "completed"),
  );
  expect(kinds(rows)).toEqual(["turn 1 completed", "message", "tool ok", "end 1 completed"]);
  expect(rows[1]).toMatchObject({ seq: 3, isFinal: true, isCommentary: false, said: { text: "Made it." } });
});
