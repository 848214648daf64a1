/** What a turn of the real CLI becomes, event by event. */
import { describe, expect, it } from "vitest";
import { EVENT_PAYLOADS, type NewEvent } from "@/server/events/event.schema";
import { fixtureNames, framesFromCli } from "@/server/testing/read-fixture";
import { type ReplayedTurn, replayTurn, replayTurns } from "@/server/testing/replay-turns";

type Told = Omit<NewEvent, "payload"> & { payload: Record<string, unknown> };

/** Where the turn belongs to is checked for every event; the tables below leave it out. */
function toldBy({ events, threadId, turnId }: ReplayedTurn): Told[] {
  return events.map((event) => {
    const { threadId: thread, turnId: turn, ...payload } = event.payload as Record<string, unknown>; // payloads are loose
    expect([thread, turn]).toEqual([threadId, turnId]);
    return { ...event, payload };
  });
}

interface MessageMore {
  index?: number;
  authority?: boolean;
  final?: boolean;
  phase?: string;
}

/** The reply, unless `more` says otherwise. */
function message(text: string, itemId: string, more: MessageMore = {}): Told {
  const { index = 0, authority = true, final = true, phase } = more;
  return {
    type: "assistant_message",
    payload: {
      text,
      itemId,
      messageIndex: index,
      messageCount: index + 1,
      replyAuthority: authority,
      final,
      ...(phase === undefined ? {} : { messagePhase: phase }),
    },
  };
}

const unfinished = (text: string) => message(text, "msg_1", { authority: false, final: false });
const BEGINNING = unfinished("The beginning of a long reply");

function call(command: string, method: string, status: string, processId: string | null, more: object = {}): Told {
  return {
    type: "tool_call",
    payload: {
      method,
      itemId: "call_1",
      toolName: "shell",
      type: "commandExecution",
      command: `/bin/bash -c ${command}`,
      cwd: "<workspace>",
      status,
      processId,
      valuesPrinted: false,
      ...more,
    },
  };
}

const begun = (command: string, processId: string | null = "1001") => call(command, "item/started", "inProgress", processId);
const ended = (command: string, status: string, exitCode: number | null, durationMs: number | null, bytes: number) =>
  call(command, "item/completed", status, exitCode === null ? null : "1001", { exitCode, durationMs, bytes, truncated: false });
const stillRunning = (command: string, bytes: number, processId: string | null = "1001") =>
  call(command, "turn/completed", "still running", processId, { bytes, truncated: false });

const IN_EVENT = { field: "text", bytes: 16_384 } as const;

function output(text: string): Told {
  return {
    type: "command_output",
    payload: { itemId: "call_1", text, bytes: Buffer.byteLength(text), truncated: false },
    inEvent: IN_EVENT,
  };
}

const FILE_DIFF = "--- /dev/null\n+++ <workspace>/note.txt\n@@ -0,0 +1,1 @@\n+hello\n";
const TURN_DIFF = `diff --git a/note.txt b/note.txt
new file mode 100644
index 0000000000000000000000000000000000000000..ce013625030ba8dba906f756967f9e9ca394464a
--- /dev/null
+++ b/note.txt
@@ -0,0 +1 @@
+hello
`;

const fileDiff = (status: string): Told => ({
  type: "diff",
  payload: {
    itemId: "call_1",
    status,
    paths: ["<workspace>/note.txt"],
    files: 1,
    text: FILE_DIFF,
    bytes: FILE_DIFF.length,
    truncated: false,
  },
  inEvent: IN_EVENT,
});
const turnDiff: Told = {
  type: "diff",
  payload: { scope: "turn", text: TURN_DIFF, bytes: TURN_DIFF.length, truncated: false },
  inEvent: IN_EVENT,
};

function retry(count: string): Told {
  const cause = "stream disconnected before completion: Transport error: network error: error decoding response body";
  return {
    type: "error",
    payload: { failureKind: "provider-unavailable", message: `Reconnecting... ${count}: ${cause}`, willRetry: true },
  };
}

/** Every turn has these. */
const USUAL = { "turn/started": 1, "item/started userMessage": 1, "item/completed userMessage": 1 };
const USAGE = { "thread/tokenUsage/updated": 1 };
const MESSAGE = { "item/started agentMessage": 1 };
const CHANGE = { "item/started fileChange": 1 };
const READ = { "thread/readState/changed": 1 };
const deltas = (pieces: number) => ({ "item/agentMessage/delta": pieces });
const status = (changes: number) => ({ "thread/status/changed": changes });

function suppressed(...kinds: Record<string, number>[]): Told {
  const counts: Record<string, number> = {};
  for (const kind of kinds) for (const [name, count] of Object.entries(kind)) counts[name] = (counts[name] ?? 0) + count;
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return { type: "backend_status", payload: { phase: "codex-app-server-notifications-suppressed", total, counts } };
}

/** A turn of one request to the upstream that ended with a message of so many pieces. */
const spoken = (pieces: number, ...more: Record<string, number>[]) =>
  suppressed(USUAL, status(2), MESSAGE, deltas(pieces), USAGE, READ, ...more);
const failed = suppressed(USUAL, status(2), { "error final": 1 }, READ);
const failedInMessage = (pieces: number) => suppressed(USUAL, status(2), MESSAGE, deltas(pieces), { "error final": 1 }, READ);

const ECHO = "'echo outside'";
const EXITS = "'echo out; echo err >&2; exit 3'";
const EARLY = "'echo early; sleep 1; echo later'";
const LATE = "'sleep 3; echo late'";
const LONG = "'sleep 0.5; echo begun; sleep 71'";
const KILLED = "'sleep 0.5; echo begun; sleep 61'";
const REPLY_42 = "The answer is 42, and that is all.";

interface Expected {
  status: "completed" | "failed" | "interrupted" | null;
  reply: string | null;
  /** Prompt and completion tokens. */
  usage: [number, number] | null;
  /** Told before the end of the turn is known, and after. */
  events: [Told[], Told[]];
}

const one: [number, number] = [11, 7];
const two: [number, number] = [22, 14];
const completed = (reply: string | null, usage: [number, number], before: Told[], after: Told[]): Expected => ({
  status: "completed",
  reply,
  usage,
  events: [before, after],
});
const without = (end: "failed" | "interrupted" | null, after: Told[], usage: [number, number] | null = null): Expected => ({
  status: end,
  reply: null,
  usage,
  events: [[], after],
});

const RECORDED: Readonly<Record<string, Expected>> = {
  "plain-text": completed(REPLY_42, one, [], [message(REPLY_42, "msg_1"), spoken(3)]),
  "output-schema": completed('{"insights":[]}', one, [], [message('{"insights":[]}', "msg_1"), spoken(2)]),
  reasoning: completed(
    "The answer is 42.",
    one,
    [],
    [
      message("The answer is 42.", "msg_1"),
      spoken(2, {
        "item/started reasoning": 1,
        "item/completed reasoning": 1,
        "item/reasoning/summaryPartAdded": 1,
        "item/reasoning/summaryTextDelta": 2,
        "item/reasoning/textDelta": 3,
      }),
    ],
  ),
  "two-messages": completed(
    "The answer is 42.",
    one,
    [message("Let me look first.", "msg_1", { authority: false, final: false, phase: "commentary" })],
    [message("The answer is 42.", "msg_2", { index: 1, phase: "final_answer" }), spoken(4, MESSAGE)],
  ),
  "command-accept": completed(
    "It ran.",
    two,
    [begun(ECHO, null), ended(ECHO, "completed", 0, 0, 8), output("outside\n")],
    [message("It ran.", "msg_1"), spoken(1, USAGE, status(2), { "serverRequest/resolved": 1 })],
  ),
  "command-decline": completed(
    "It was declined.",
    two,
    [begun(ECHO, null), ended(ECHO, "declined", null, null, 0)],
    [message("It was declined.", "msg_1"), spoken(2, USAGE, status(2), { "serverRequest/resolved": 1 })],
  ),
  "command-cancel": {
    status: "interrupted",
    reply: null,
    usage: one,
    events: [
      [begun(ECHO, null), ended(ECHO, "declined", null, null, 0)],
      [suppressed(USUAL, status(4), USAGE, { "serverRequest/resolved": 1 })],
    ],
  },
  "command-answered-with-error": completed(
    "It could not be asked.",
    two,
    [begun(ECHO, null), ended(ECHO, "failed", null, null, 0)],
    [message("It could not be asked.", "msg_1"), spoken(2, USAGE, status(2), { "serverRequest/resolved": 1 })],
  ),
  "command-unanswered": {
    status: "interrupted",
    reply: null,
    usage: one,
    events: [[begun(ECHO, null)], [stillRunning(ECHO, 0, null), suppressed(USUAL, status(3), USAGE)]],
  },
  "command-no-approval": completed(
    "It ended with 3.",
    two,
    [begun(EXITS), ended(EXITS, "failed", 3, 234, 8), output("out\nerr\n")],
    [message("It ended with 3.", "msg_1"), spoken(2, USAGE, { "item/commandExecution/outputDelta": 2 })],
  ),
  // The pieces lost the first line; the item has both.
  "command-output-early": completed(
    "Two lines.",
    two,
    [begun(EARLY), ended(EARLY, "completed", 0, 1047, 12), output("early\nlater\n")],
    [message("Two lines.", "msg_1"), spoken(1, USAGE, { "item/commandExecution/outputDelta": 1 })],
  ),
  "late-item-after-turn": completed(
    "It still runs.",
    two,
    [begun(LATE)],
    [
      stillRunning(LATE, 0),
      message("It still runs.", "msg_1"),
      spoken(2, USAGE),
      ended(LATE, "completed", 0, 3242, 5),
      output("late\n"),
    ],
  ),
  "interrupt-command": {
    status: "interrupted",
    reply: null,
    usage: one,
    events: [
      [begun(LONG)],
      [
        stillRunning(LONG, 6),
        suppressed(USUAL, status(2), USAGE, { "item/commandExecution/outputDelta": 1 }),
        ended(LONG, "failed", -1, 449, 6),
        output("begun\n"),
      ],
    ],
  },
  "kill9-command": {
    status: null,
    reply: null,
    usage: null,
    events: [
      [begun(KILLED)],
      [stillRunning(KILLED, 6), suppressed(USUAL, status(1), { "item/commandExecution/outputDelta": 1 })],
    ],
  },
  "filechange-accept": completed(
    "It is written.",
    two,
    [fileDiff("completed")],
    [
      turnDiff,
      message("It is written.", "msg_1"),
      spoken(2, USAGE, status(2), { "serverRequest/resolved": 1, "turn/diff/updated": 2 }, CHANGE),
    ],
  ),
  "filechange-decline": completed(
    "It is not written.",
    two,
    [fileDiff("declined")],
    [message("It is not written.", "msg_1"), spoken(2, USAGE, status(2), { "serverRequest/resolved": 1 }, CHANGE)],
  ),
  "filechange-no-approval": completed(
    "It is written.",
    two,
    [fileDiff("completed")],
    [turnDiff, message("It is written.", "msg_1"), spoken(2, USAGE, { "turn/diff/updated": 2 }, CHANGE)],
  ),
  "dynamic-tool-unsupported": completed(
    "No ticket.",
    two,
    [
      {
        type: "error",
        payload: {
          failureKind: "backend-failed",
          message: "The tool lookup_ticket failed.",
          willRetry: false,
          itemId: "call_1",
        },
      },
    ],
    [
      message("No ticket.", "msg_1"),
      spoken(1, USAGE, { "item/started dynamicToolCall": 1, "item/completed dynamicToolCall": 1 }),
    ],
  ),
  "permissions-refused": completed(
    "Without the network, then.",
    two,
    [],
    [message("Without the network, then.", "msg_1"), spoken(3, USAGE, status(2), { "serverRequest/resolved": 1 })],
  ),
  "request-user-input": completed(
    "Left, then.",
    two,
    [],
    [message("Left, then.", "msg_1"), spoken(1, USAGE, status(2), { "serverRequest/resolved": 1 })],
  ),
  "recovered-after-503": completed("Better now.", one, [], [message("Better now.", "msg_1"), spoken(1)]),
  "recovered-after-cut": completed("Better now.", one, [retry("1/1")], [message("Better now.", "msg_2"), spoken(3, MESSAGE)]),
  // The same answer came with each attempt; it is told once.
  "message-said-again": {
    status: "failed",
    reply: "The same in each attempt.",
    usage: null,
    events: [
      [retry("1/2"), retry("2/2")],
      [
        message("The same in each attempt.", "msg_1", { final: false }),
        suppressed(USUAL, status(2), { "item/started agentMessage": 3, "error final": 1 }, deltas(9), READ, {
          "item/completed agentMessage before a retry": 1,
          "item/completed agentMessage": 2,
        }),
      ],
    ],
  },
  "turn-while-busy": completed(
    "Answer to both.",
    one,
    [],
    [message("Answer to both.", "msg_1"), spoken(2, { "item/started userMessage": 1, "item/completed userMessage": 1 })],
  ),
  empty: completed(null, one, [], [suppressed(USUAL, status(2), USAGE)]),
  "empty-message": completed(null, one, [], [suppressed(USUAL, status(2), MESSAGE, USAGE, { "item/completed agentMessage": 1 })]),
  "only-deltas": completed(
    null,
    one,
    [],
    [unfinished("Text that never becomes an item"), suppressed(USUAL, status(2), MESSAGE, deltas(3), USAGE)],
  ),
  interrupt: without("interrupted", [BEGINNING, suppressed(USUAL, status(2), MESSAGE, deltas(3))]),
  "no-headers": without("interrupted", [suppressed(USUAL, status(2))]),
  kill9: without(null, [unfinished("The beginnin"), suppressed(USUAL, status(1), MESSAGE, deltas(1))]),
  "input-end-mid-turn": without(null, [BEGINNING, suppressed(USUAL, status(1), MESSAGE, deltas(3))]),
  "stream-cut": without("failed", [BEGINNING, failedInMessage(3)]),
  "stream-eof": without("failed", [BEGINNING, failedInMessage(3)]),
  "stream-json": without("failed", [failed]),
  "stream-silence": without("failed", [failed]),
  "incomplete-length": without("failed", [unfinished("The beginning of"), failedInMessage(2)]),
  "http-401": without("failed", [failed]),
  "http-500": without("failed", [failed]),
  refused: without("failed", [failed]),
  "missing-key": without("failed", [failed]),
  "failed-context": without("failed", [suppressed(USUAL, status(2), USAGE, { "error final": 1 }, READ)], [0, 0]),
};

describe("a recorded turn becomes exactly these events", () => {
  it.each(Object.entries(RECORDED))("%s", (name, expected) => {
    const turn = replayTurn(name);
    const told = toldBy(turn);
    const [before, after] = expected.events;
    expect(told.slice(0, turn.eventsBeforeEnd)).toEqual(before);
    expect(told.slice(turn.eventsBeforeEnd)).toEqual(after);
    expect(turn.end?.status ?? null).toBe(expected.status);
    expect(turn.translator.reply).toBe(expected.reply);
    const { usage } = turn.translator;
    expect(usage === undefined ? null : [usage.promptTokens, usage.completionTokens]).toEqual(expected.usage);
  });
});

/** Ended by the process or not begun at all; the others have an end for each turn. */
const WITHOUT_END = ["input-end-mid-turn", "kill9", "kill9-command", "resume-live-holder", "sigterm-mid-turn"];

describe.each(fixtureNames())("every turn of %s", (name) => {
  const turns = replayTurns(name);

  it("ends as the CLI said, with events of the vocabulary and flat fields", () => {
    const ends = framesFromCli(name).filter(({ method }) => method === "turn/completed");
    expect(turns.filter(({ end }) => end !== null)).toHaveLength(ends.length);
    expect(turns.some(({ end }) => end === null)).toBe(WITHOUT_END.includes(name));
    for (const { type, payload } of turns.flatMap(({ events }) => events)) {
      expect(EVENT_PAYLOADS[type].safeParse(payload).success, type).toBe(true);
      for (const [field, value] of Object.entries(payload)) {
        if (typeof value !== "object" || value === null) continue;
        expect([`${type} ${field}`, Object.values(value).filter((inner) => typeof inner === "object")]).toEqual([
          field === "counts" ? "backend_status counts" : "diff paths",
          [],
        ]);
      }
    }
  });

  it("has one reply at most, the last message, and only when it completed", () => {
    for (const { end, events, translator } of turns) {
      const messages = events.filter((event) => event.type === "assistant_message");
      const final = messages.filter(({ payload }) => payload.final);
      expect(final).toHaveLength(end?.status === "completed" && translator.reply !== null ? 1 : 0);
      expect(final).toEqual(final.length === 0 ? [] : messages.slice(-1));
      for (const { payload } of final) expect([payload.text, payload.replyAuthority]).toEqual([translator.reply, true]);
    }
  });

  it("sums up what it left out, last of all but late items, and tells nothing of it", () => {
    for (const { events } of turns) {
      const summaries = events.filter((event) => event.type === "backend_status");
      expect(summaries).toHaveLength(1);
      const counts = Object.entries(summaries[0]?.payload.counts ?? {});
      expect(summaries[0]?.payload.total).toBe(counts.reduce((sum, [, count]) => sum + Number(count), 0));
      for (const [kind] of counts) expect(kind).toMatch(/^[a-zA-Z]+(\/[a-zA-Z]+)*( [a-zA-Z]+( before a retry)?)?$/);
    }
  });
});

it("two threads at once are told apart, and a second turn counts its own tokens", () => {
  expect(replayTurns("two-threads").map(({ translator }) => translator.reply)).toEqual(["Reply to one.", "Reply to other."]);
  const followUp = replayTurns("follow-up");
  expect(followUp.map(({ translator }) => [translator.reply, translator.usage])).toEqual([
    ["First answer.", { promptTokens: 11, completionTokens: 7 }],
    ["Second answer.", { promptTokens: 11, completionTokens: 7 }],
  ]);
});
