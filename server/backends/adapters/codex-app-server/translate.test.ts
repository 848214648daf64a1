/** What no recording shows: repetitions, holes, floods, and forms that nobody expects. */
import { describe, expect, it } from "vitest";
import type { NewEvent } from "@/server/events/event.schema";
import { createTurnTranslator, type NativeEnd } from "./translate";

const PLACE = { threadId: "t-1", turnId: "u-1" };
const COMPLETED: NativeEnd = { status: "completed", error: null };

function open() {
  const events: NewEvent[] = [];
  const progress: number[] = [];
  const writing: (string | null)[] = [];
  const translator = createTurnTranslator(PLACE, {
    event: (event) => events.push(event),
    progress: (characters) => progress.push(characters),
    writing: (text) => writing.push(text),
  });
  const take = (method: string, params: object) => translator.take(method, { ...PLACE, ...params });
  const of = <T extends NewEvent["type"]>(type: T) =>
    events.filter((event): event is Extract<NewEvent, { type: T }> => event.type === type).map(({ payload }) => payload);
  return {
    translator,
    events,
    progress,
    writing,
    take,
    of,
    said: (text: string, id: string, more: object = {}) =>
      take("item/completed", { item: { type: "agentMessage", id, text, phase: null, ...more } }),
    delta: (itemId: string, delta: string) => take("item/agentMessage/delta", { itemId, delta }),
    retry: (more: object = {}) =>
      take("error", { error: { message: "Reconnecting... 1/5", codexErrorInfo: "other", ...more }, willRetry: true }),
    commandStarted: (id: string, more: object = {}) =>
      take("item/started", { item: { type: "commandExecution", id, command: "ls", cwd: "/w", status: "inProgress", ...more } }),
    commandEnded: (id: string, more: object = {}) =>
      take("item/completed", {
        item: {
          type: "commandExecution",
          id,
          command: "ls",
          cwd: "/w",
          status: "completed",
          exitCode: 0,
          durationMs: 5,
          ...more,
        },
      }),
    output: (itemId: string, delta: string) => take("item/commandExecution/outputDelta", { itemId, delta }),
    /** Text, index, count, authority and final of each message. */
    messages: () =>
      of("assistant_message").map(({ text, messageIndex, messageCount, replyAuthority, final }) => [
        text,
        messageIndex,
        messageCount,
        replyAuthority,
        final,
      ]),
    counts: () => of("backend_status").at(-1)?.counts,
  };
}

describe("messages", () => {
  it("are told when the next one completes, or a tool begins, or the turn ends; the last one is the reply", () => {
    const turn = open();
    turn.said("one", "m1");
    expect(turn.messages()).toEqual([]);
    turn.said("two", "m2");
    expect(turn.messages()).toEqual([["one", 0, 1, true, false]]);
    turn.commandStarted("c1");
    expect(turn.events.map(({ type }) => type)).toEqual(["assistant_message", "assistant_message", "tool_call"]);
    turn.commandEnded("c1");
    turn.said("three", "m3");
    turn.translator.finish(COMPLETED);
    expect(turn.messages()).toEqual([
      ["one", 0, 1, true, false],
      ["two", 1, 2, true, false],
      ["three", 2, 3, true, true],
    ]);
    expect(turn.translator.reply).toBe("three");
  });

  it("before the last tool is the reply when none comes after it: told again as final, once, and only when the turn completed", () => {
    const turn = open();
    turn.said("one", "m1");
    turn.said("I clean up; the answer is 42.", "m2", { phase: "commentary" });
    turn.commandStarted("c1");
    turn.commandEnded("c1");
    turn.translator.finish(COMPLETED);
    expect(turn.messages()).toEqual([
      ["one", 0, 1, true, false],
      ["I clean up; the answer is 42.", 1, 2, false, false],
      ["I clean up; the answer is 42.", 1, 2, true, true],
    ]);
    expect(turn.of("assistant_message").map(({ itemId, again }) => [itemId, again])).toEqual([
      ["m1", undefined],
      ["m2", undefined],
      ["m2", true],
    ]);
    expect(turn.translator.reply).toBe("I clean up; the answer is 42.");

    const cut = open();
    cut.said("one", "m1");
    cut.commandStarted("c1");
    cut.translator.finish(null);
    expect(cut.messages()).toEqual([["one", 0, 1, true, false]]);
  });

  it("a commentary is none, unless it is all there is", () => {
    const turn = open();
    turn.said("thinking aloud", "m1", { phase: "commentary" });
    turn.said("still thinking", "m2", { phase: "commentary" });
    turn.translator.finish(COMPLETED);
    expect(turn.messages()).toEqual([
      ["thinking aloud", 0, 1, false, false],
      ["still thinking", 1, 2, true, true],
    ]);
    expect(turn.of("assistant_message").map(({ messagePhase }) => messagePhase)).toEqual(["commentary", "commentary"]);
  });

  it("of the same text are two when the model says it twice, and one when a retry says it again", () => {
    const twice = open();
    twice.said("Done.", "m1");
    twice.said("Done.", "m2");
    twice.translator.finish(COMPLETED);
    expect(twice.messages()).toHaveLength(2);

    const again = open();
    again.said("First.", "m1");
    again.said("Second.", "m2");
    again.retry();
    again.said("First.", "m3");
    again.said("Second.", "m4");
    again.translator.finish(COMPLETED);
    expect(again.messages()).toEqual([
      ["First.", 0, 1, true, false],
      ["Second.", 1, 2, true, true],
    ]);
    expect(again.counts()).toMatchObject({ "item/completed agentMessage": 1, "item/completed agentMessage before a retry": 1 });
  });

  it("with an id that was there already count once", () => {
    const turn = open();
    turn.said("Done.", "m1");
    turn.said("Done.", "m1");
    turn.translator.finish(COMPLETED);
    expect(turn.messages()).toEqual([["Done.", 0, 1, true, true]]);
  });

  it("before a retry give way to what the retry brings, and stay when it brings nothing", () => {
    const better = open();
    better.said("Half an ans", "m1");
    better.retry();
    better.said("A whole answer.", "m2");
    better.translator.finish(COMPLETED);
    expect(better.messages()).toEqual([["A whole answer.", 0, 1, true, true]]);

    const nothing = open();
    nothing.said("An answer.", "m1");
    nothing.retry();
    nothing.translator.finish({ status: "failed", error: null });
    expect(nothing.messages()).toEqual([["An answer.", 0, 1, true, false]]);
    expect(nothing.translator.saidText).toBe("An answer.");
  });

  it("that are blank are none", () => {
    const turn = open();
    turn.said("An answer.", "m1");
    turn.said("", "m2");
    turn.said(" \n ", "m3");
    turn.translator.finish(COMPLETED);
    expect(turn.messages()).toEqual([["An answer.", 0, 1, true, true]]);
    expect(turn.translator.reply).toBe("An answer.");
  });
});

describe("deltas", () => {
  it("are progress, which only grows, and no message beside a completed one", () => {
    const turn = open();
    turn.delta("m1", "abc");
    turn.delta("m1", "de");
    turn.delta("m2", "x");
    turn.said("abcdefg", "m1");
    turn.translator.finish(COMPLETED);
    expect(turn.progress).toEqual([3, 5, 7]);
    expect(turn.messages()).toEqual([["abcdefg", 0, 1, true, true]]);
  });

  it("alone are one message without authority: the last that holds a word", () => {
    const turn = open();
    turn.delta("m1", "first");
    turn.delta("m2", "second");
    turn.delta("m3", "  ");
    turn.translator.finish(COMPLETED);
    expect(turn.messages()).toEqual([["second", 0, 1, false, false]]);
    expect([turn.translator.reply, turn.translator.saidText]).toEqual([null, "second"]);
  });

  it("are kept up to a limit", () => {
    const turn = open();
    const piece = "x".repeat(1_048_576);
    for (let at = 0; at < 20; at++) turn.delta("m1", piece);
    turn.translator.finish(null);
    expect(String(turn.of("assistant_message")[0]?.text).length).toBe(8_388_608);
  });
});

describe("commands", () => {
  it("that begin or end twice are told once", () => {
    const turn = open();
    turn.commandStarted("c1");
    turn.commandStarted("c1");
    turn.commandEnded("c1", { aggregatedOutput: "x\n" });
    turn.commandEnded("c1", { aggregatedOutput: "x\n" });
    turn.commandStarted("c1");
    turn.translator.finish(COMPLETED);
    expect(turn.of("tool_call").map(({ status }) => status)).toEqual(["inProgress", "completed"]);
    expect(turn.of("command_output")).toHaveLength(1);
    expect(turn.translator.openCalls).toBe(0);
  });

  it("that end without having begun are told, with what was heard of their output", () => {
    const turn = open();
    turn.output("c1", "early ");
    turn.output("c1", "words\n");
    turn.commandEnded("c1", { aggregatedOutput: null });
    expect(turn.of("tool_call")).toMatchObject([{ method: "item/completed", itemId: "c1", bytes: 12 }]);
    expect(turn.of("command_output")).toMatchObject([{ itemId: "c1", text: "early words\n", bytes: 12 }]);
  });

  it("that nobody ever announces do not gather without bound", () => {
    const turn = open();
    for (let at = 0; at < 20; at++) turn.output(`c${at}`, "x");
    for (let at = 0; at < 20; at++) turn.commandEnded(`c${at}`);
    expect(turn.of("tool_call").map(({ bytes }) => bytes)).toEqual([...Array(16).fill(1), ...Array(4).fill(0)]);
  });

  it("keep the output that came before they began", () => {
    const turn = open();
    turn.output("c1", "before\n");
    turn.commandStarted("c1");
    turn.output("c1", "after\n");
    turn.commandEnded("c1", { aggregatedOutput: "" });
    expect(turn.of("command_output")).toMatchObject([{ text: "before\nafter\n", bytes: 13 }]);
  });

  it("have all their bytes counted, and say when not all of them are in the event", () => {
    const turn = open();
    turn.commandStarted("small");
    turn.output("small", "é".repeat(8_192));
    turn.commandEnded("small");
    turn.commandStarted("large");
    for (let at = 0; at < 40; at++) turn.output("large", `${"漢".repeat(99_999)}\n`);
    turn.commandEnded("large");
    expect(
      turn.of("tool_call").flatMap(({ itemId, bytes, truncated }) => (bytes === undefined ? [] : [[itemId, bytes, truncated]])),
    ).toEqual([
      ["small", 16_384, false],
      ["large", 40 * 299_998, true],
    ]);
    const [, large] = turn.events.filter(({ type }) => type === "command_output");
    // All of it is kept, which needs no number.
    expect(large?.payload).not.toHaveProperty("keptBytes");
    expect(large).toMatchObject({
      payload: { bytes: 40 * 299_998, truncated: false },
      inEvent: { field: "text", bytes: 16_384 },
    });
  });

  it("say how much is kept where that is not all", () => {
    const turn = open();
    turn.commandStarted("c1");
    for (let at = 0; at < 100; at++) turn.output("c1", `${"x".repeat(99_999)}\n`);
    turn.commandEnded("c1");
    const [output] = turn.of("command_output");
    expect(output?.bytes).toBe(10_000_000);
    expect(output?.keptBytes).toBe(Buffer.byteLength(String(output?.text)));
    expect(output?.keptBytes).toBeLessThanOrEqual(8 * 1024 * 1024 + 100);
    expect(output?.text).toMatch(/\n… 1\d{6} bytes left out …\n/);
  });

  it("have command lines of bounded length", () => {
    const turn = open();
    turn.commandStarted("c1", { command: "x".repeat(5_000) });
    expect(turn.of("tool_call")[0]?.command).toBe(`${"x".repeat(4_000)}…`);
  });

  it("of another form are counted, not told", () => {
    const turn = open();
    turn.take("item/started", { item: { type: "commandExecution", id: "c1", command: 7, cwd: {}, status: null } });
    turn.take("item/completed", { item: { type: "commandExecution" } });
    turn.take("item/started", {});
    turn.take("item/commandExecution/outputDelta", { itemId: "c1", delta: 7 });
    turn.translator.finish(null);
    // What can be read of the first is enough to follow it.
    expect(turn.of("tool_call").map(({ itemId, command, cwd, status }) => [itemId, command, cwd, status])).toEqual([
      ["c1", "", null, ""],
      ["c1", "", null, "still running"],
    ]);
    expect(turn.counts()).toEqual({
      "item/completed malformed": 1,
      "item/started malformed": 1,
      "item/commandExecution/outputDelta": 1,
    });
  });

  it("that outlive the turn are told at its end and again when they end", () => {
    const turn = open();
    turn.commandStarted("c1");
    turn.said("It still runs.", "m1");
    turn.translator.finish(COMPLETED);
    expect(turn.translator.openCalls).toBe(1);
    turn.output("c1", "late\n");
    turn.commandEnded("c1", { exitCode: 3, status: "failed" });
    turn.output("c1", "nobody's\n");
    expect(turn.translator.openCalls).toBe(0);
    expect(turn.events.map(({ type, payload }) => [type, payload.status ?? payload.text ?? payload.phase])).toEqual([
      ["tool_call", "inProgress"],
      ["tool_call", "still running"],
      ["assistant_message", "It still runs."],
      ["tool_call", "failed"],
      ["command_output", "late\n"],
    ]);
  });
});

describe("what is being written", () => {
  it("is each message as it grows, until it is told", () => {
    const turn = open();
    turn.delta("m1", "I lo");
    turn.delta("m1", "ok.");
    turn.said("I look.", "m1");
    expect(turn.writing).toEqual(["I lo", "I look.", "I look."]);
    turn.commandStarted("c1");
    turn.commandEnded("c1");
    turn.delta("m2", "D");
    turn.translator.finish(COMPLETED);
    expect(turn.writing.slice(3)).toEqual([null, "D", null, null]);
  });

  it("is nothing once it is to be said again", () => {
    const turn = open();
    turn.delta("m1", "Half");
    turn.retry();
    expect(turn.writing).toEqual(["Half", null]);
  });
});

describe("commands whose process ends", () => {
  const told = (turn: ReturnType<typeof open>) =>
    turn.events.flatMap(({ type, payload }) =>
      type === "backend_status" ? [] : [[type, payload.itemId, payload.status ?? payload.text]],
    );

  it("have ended with it, in the turn: none of them is said to run on", () => {
    const turn = open();
    turn.commandStarted("c1");
    turn.output("c1", "half");
    turn.commandStarted("c2");
    turn.commandEnded("c2");
    turn.translator.processEnded();
    turn.translator.finish(null);
    expect(told(turn)).toEqual([
      ["tool_call", "c1", "inProgress"],
      ["tool_call", "c2", "inProgress"],
      ["tool_call", "c2", "completed"],
      ["tool_call", "c1", "ended with its process"],
      ["command_output", "c1", "half"],
    ]);
    expect(turn.of("tool_call").at(-1)).toMatchObject({ method: "process/ended", exitCode: null, durationMs: null, bytes: 4 });
    expect(turn.translator.openCalls).toBe(0);
  });

  it("and after it; what is said of them again is a repetition", () => {
    const turn = open();
    turn.commandStarted("c1");
    turn.translator.finish(COMPLETED);
    turn.translator.processEnded();
    turn.translator.processEnded();
    turn.commandEnded("c1");
    expect(told(turn)).toEqual([
      ["tool_call", "c1", "inProgress"],
      ["tool_call", "c1", "still running"],
      ["tool_call", "c1", "ended with its process"],
    ]);
  });
});

describe("other items", () => {
  it("changed files are a diff, of which fifty paths are named", () => {
    const turn = open();
    const changes = Array.from({ length: 60 }, (_, at) => ({ path: `/w/${at}`, diff: `+${at}`, kind: { type: "update" } }));
    turn.take("item/completed", { item: { type: "fileChange", id: "f1", status: "completed", changes } });
    const [diff] = turn.events;
    expect(diff).toMatchObject({
      type: "diff",
      inEvent: { field: "text", bytes: 16_384 },
      payload: { files: 60, status: "completed" },
    });
    expect(turn.of("diff")[0]?.paths).toEqual(changes.slice(0, 50).map(({ path }) => path));
    expect(turn.of("diff")[0]?.text).toBe(changes.map(({ path, diff: patch }) => `--- ${path}\n${patch}`).join("\n"));
  });

  it("a change of files that a person is asked about is told before the answer, and again as it ended", () => {
    const turn = open();
    const item = { type: "fileChange", id: "f1", changes: [{ path: "/w/a", diff: "+a\n" }] };
    turn.take("item/started", { item: { ...item, status: "inProgress" } });
    expect(turn.events).toEqual([]);
    expect(turn.translator.proposed("f1")).toEqual(["/w/a"]);
    expect(turn.translator.proposed("another")).toEqual([]);
    turn.take("item/completed", { item: { ...item, status: "declined" } });
    expect(turn.translator.proposed("f1")).toEqual([]);
    expect(turn.of("diff").map(({ itemId, status, text }) => [itemId, status, text])).toEqual([
      ["f1", "inProgress", "--- /w/a\n+a\n"],
      ["f1", "declined", "--- /w/a\n+a\n"],
    ]);
  });

  it("a diff of the turn is told once, the last one, and not when it is empty", () => {
    const turn = open();
    turn.take("turn/diff/updated", { diff: "old" });
    turn.take("turn/diff/updated", { diff: "new\n" });
    turn.translator.finish(COMPLETED);
    turn.translator.finish(COMPLETED);
    expect(turn.of("diff")).toEqual([{ ...PLACE, scope: "turn", text: "new\n", bytes: 4, truncated: false }]);
    const undone = open();
    undone.take("turn/diff/updated", { diff: "something" });
    undone.take("turn/diff/updated", { diff: "" });
    undone.translator.finish(COMPLETED);
    expect(undone.of("diff")).toEqual([]);
  });

  it("a tool that failed is an error with its name, one that worked is counted", () => {
    const turn = open();
    const tool = { type: "mcpToolCall", id: "x", server: "tickets", tool: "find", arguments: { secret: "canary" } };
    turn.take("item/started", { item: tool });
    turn.take("item/completed", { item: { ...tool, status: "completed" } });
    turn.take("item/completed", { item: { ...tool, id: "y", status: "failed", error: { message: "canary" } } });
    turn.take("item/completed", { item: { type: "webSearch", id: "z", status: "failed", query: "canary" } });
    turn.translator.finish(COMPLETED);
    expect(turn.of("error").map(({ message, itemId, failureKind }) => [message, itemId, failureKind])).toEqual([
      ["The tool tickets/find failed.", "y", "backend-failed"],
      ["The tool webSearch failed.", "z", "backend-failed"],
    ]);
    expect(JSON.stringify(turn.events)).not.toContain("canary");
  });
});

describe("what is left out", () => {
  it("is counted by method and type, without a word of it", () => {
    const turn = open();
    turn.take("item/reasoning/textDelta", { itemId: "r", delta: "canary" });
    turn.take("item/reasoning/textDelta", { itemId: "r", delta: "canary" });
    turn.take("item/completed", { item: { type: "reasoning", id: "r", summary: ["canary"], content: ["canary"] } });
    turn.take("warning", { message: "canary" });
    turn.take("something/new/happened", { deep: { value: "canary" } });
    turn.translator.finish(COMPLETED);
    expect(turn.events).toEqual([
      {
        type: "backend_status",
        payload: {
          phase: "codex-app-server-notifications-suppressed",
          total: 5,
          counts: {
            "item/reasoning/textDelta": 2,
            "item/completed reasoning": 1,
            warning: 1,
            "something/new/happened": 1,
          },
          ...PLACE,
        },
      },
    ]);
  });

  it("is counted whatever is invented, in few words", () => {
    const turn = open();
    const long = `invented/${"x".repeat(200)}`;
    turn.take(long, {});
    turn.take(long, {});
    for (let at = 0; at < 100; at++) turn.take(`invented/${at}`, {});
    turn.take("invented/0", {});
    turn.translator.finish(COMPLETED);
    const counts = turn.counts() as Record<string, number>; // the summary's own field
    expect(Object.keys(counts)).toHaveLength(41);
    expect(counts[long.slice(0, 80)]).toBe(2);
    expect([counts["invented/0"], counts["invented/38"], counts["invented/39"], counts.other]).toEqual([2, 1, undefined, 61]);
    expect(turn.of("backend_status")[0]?.total).toBe(103);
  });
});

describe("errors", () => {
  it("that are tried again are told with their cause and kind, and their status is remembered", () => {
    const turn = open();
    turn.retry({
      codexErrorInfo: { responseStreamDisconnected: { httpStatusCode: 503 } },
      additionalDetails: "unexpected status 503 Service Unavailable",
    });
    expect(turn.of("error")).toEqual([
      {
        ...PLACE,
        failureKind: "provider-unavailable",
        message: "Reconnecting... 1/5: unexpected status 503 Service Unavailable",
        willRetry: true,
      },
    ]);
    expect(turn.translator.retried).toEqual({ status: 503 });
    turn.retry();
    expect(turn.translator.retried).toEqual({ status: 503 });
  });

  it("that are final are told with the end of the turn, not here", () => {
    const turn = open();
    turn.take("error", { error: { message: "It broke." }, willRetry: false });
    turn.take("error", { error: "of another form" });
    expect(turn.events).toEqual([]);
  });
});

describe("the end", () => {
  it.each(["completed", "failed", "interrupted"])("%s", (status) => {
    const { take } = open();
    expect(take("turn/completed", { turn: { id: "u-1", status, error: { message: "x" }, items: [] } })).toMatchObject({
      status,
      error: { message: "x" },
    });
  });

  it.each([
    {},
    { turn: {} },
    { turn: { id: "u-1" } },
    { turn: { id: "u-1", status: "inProgress" } },
    { turn: { status: "completed" } },
  ])("of the form %j is none", (params) => {
    const { take } = open();
    expect(() => take("turn/completed", params)).toThrow();
  });
});

describe("tokens", () => {
  const usage = (total: [number, number], last: [number, number]) => ({
    tokenUsage: {
      total: { inputTokens: total[0], outputTokens: total[1] },
      last: { inputTokens: last[0], outputTokens: last[1] },
    },
  });

  it("are those of this turn: what the thread had before is taken off", () => {
    const turn = open();
    expect(turn.translator.usage).toBeUndefined();
    turn.take("thread/tokenUsage/updated", usage([110, 57], [10, 7]));
    expect(turn.translator.usage).toEqual({ promptTokens: 10, completionTokens: 7 });
    turn.take("thread/tokenUsage/updated", usage([125, 60], [15, 3]));
    expect(turn.translator.usage).toEqual({ promptTokens: 25, completionTokens: 10 });
  });

  it("keep apart what the cache held and what was thought", () => {
    const counts = (inputTokens: number, outputTokens: number, cachedInputTokens: number, reasoningOutputTokens: number) => ({
      inputTokens,
      outputTokens,
      cachedInputTokens,
      cacheWriteInputTokens: 0,
      reasoningOutputTokens,
    });
    const turn = open();
    turn.take("thread/tokenUsage/updated", {
      tokenUsage: { total: counts(110, 57, 90, 20), last: counts(10, 7, 8, 5) },
    });
    expect(turn.translator.usage).toEqual({ promptTokens: 10, completionTokens: 7, cachedTokens: 8, reasoningTokens: 5 });
  });

  it("of another form are none", () => {
    const turn = open();
    turn.take("thread/tokenUsage/updated", { tokenUsage: null });
    expect(turn.translator.usage).toBeUndefined();
    turn.take("thread/tokenUsage/updated", usage([1, -4], [5, 0]));
    expect(turn.translator.usage).toEqual({ promptTokens: 5, completionTokens: 0 });
  });
});
