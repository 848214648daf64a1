import { describe, expect, it } from "vitest";
import { wrapChunkText, wrapFormerAnswer } from "@/server/artifacts/chunk-text";
import { FAILURE_KINDS } from "@/server/artifacts/failure-kind.rules";
import { insightSchema } from "@/server/artifacts/insight.schema";
import { BackendError, type Turn } from "@/server/backends/backend";
import { EVENT_PAYLOADS, type NewEvent } from "@/server/events/event.schema";
import { normalizeOutput } from "@/server/pipeline/normalize-output";
import { buildSettings } from "@/server/testing/build-settings";
import { createMockBackend, type MockBackend } from "./adapter";
import { MOCK_SHAPES, type MockShape } from "./marks";

function open(): MockBackend {
  return createMockBackend(buildSettings("mock"));
}

function turn(user: string): Turn {
  return {
    requestId: "req_1",
    model: "mock-1",
    system: "12345",
    user,
    expect: { format: "json", schema: {} },
    generation: {},
    timeoutMs: 1000,
    baseUrl: null,
    secrets: {},
  };
}

async function run(user: string, backend = open(), signal = new AbortController().signal) {
  const events: NewEvent[] = [];
  const result = await backend.runTurn(turn(user), { event: (event) => events.push(event), progress: () => undefined }, signal);
  return { ...result, events };
}

async function failure(user: string, backend = open()): Promise<BackendError> {
  const error = await run(user, backend).then(
    () => new Error("it succeeded"),
    (reason: unknown) => reason,
  );
  if (!(error instanceof BackendError)) throw error;
  return error;
}

const shape = (changed: string[], ok = true) => ({ ok, changed, repaired: false, truncated: false });
const SHAPES: Record<MockShape, ReturnType<typeof shape>> = {
  fence: shape(["fence"]),
  think: shape(["thinking"]),
  "orphan-think": shape(["thinking"]),
  prose: shape(["extract"]),
  string: shape(["decode"]),
  array: shape(["wrap"]),
  residue: shape(["residue"]),
  broken: { ...shape(["repair"]), repaired: true },
  cut: { ...shape([], false), truncated: true },
  length: { ...shape([], false), truncated: true },
  two: shape([], false),
  misfit: shape([], false),
  mendable: shape([], false),
};

describe("the mock", () => {
  it("answers with the text's own first sentences, the same each time", async () => {
    const text = "We moved the database to Oslo. The old host was too slow! Nobody noticed.\nA fourth one.";
    const first = await run(text);
    expect((await run(text)).text).toBe(first.text);
    const { insights } = JSON.parse(first.text) as { insights: unknown[] };
    expect(insights.map((insight) => insightSchema.parse(insight).quote)).toEqual([
      "We moved the database to Oslo.",
      "The old host was too slow!",
      "Nobody noticed.",
    ]);
    expect(first).toMatchObject({
      finishReason: "stop",
      servedModel: "mock-1",
      usage: { promptTokens: 2 + Math.ceil(text.length / 4), completionTokens: Math.ceil(first.text.length / 4) },
    });
  });

  it("counts its calls", async () => {
    const backend = open();
    await run("A sentence.", backend);
    await run("A sentence.", backend);
    expect(backend.inferCallCount).toBe(2);
  });

  it.each(Object.keys(FAILURE_KINDS))("fails with %s when told", async (kind) => {
    expect((await failure(`text [[mock:fail=${kind}]]`)).failureKind).toBe(kind);
  });

  it("fails so many times for the same prompt, then answers", async () => {
    const backend = open();
    const text = "Sentence. [[mock:fail-times=2:provider-unavailable]]";
    expect((await failure(text, backend)).failureKind).toBe("provider-unavailable");
    expect((await failure(text, backend)).failureKind).toBe("provider-unavailable");
    expect((await run(text, backend)).text).toContain("Sentence.");
    expect((await failure(`${text} other`, backend)).failureKind).toBe("provider-unavailable");
    expect((await failure(text)).failureKind).toBe("provider-unavailable");
  });

  it("passes retry-after on", async () => {
    expect((await failure("[[mock:fail=provider-rate-limited]][[mock:retry-after=250]]")).retryAfterMs).toBe(250);
  });

  it.each([
    ["[[mock:explode]]", "The mark [[mock:explode]] is not known"],
    ["[[mock:fail=nonsense]]", "The mark [[mock:fail=nonsense]] names no failure kind"],
    ["[[mock:fail-times=x:cancelled]]", "needs a whole number from 0 to 1000"],
    ["[[mock:fail-times=2]]", "names no failure kind"],
    ["[[mock:delay=999999999]]", "needs a whole number from 0 to 600000"],
    ["[[mock:hang=1]]", "takes no value"],
    ["[[mock:shape=round]]", "names no shape; the shapes are fence, think,"],
    ["[[mock:served=]]", "names no model"],
  ])("refuses %s", async (mark, message) => {
    const error = await failure(mark);
    expect(error.failureKind).toBe("backend-failed");
    expect(error.message).toContain(message);
  });

  it("can answer without JSON", async () => {
    const { text } = await run("A. [[mock:invalid-json]]");
    expect(() => JSON.parse(text) as unknown).toThrow(SyntaxError);
  });

  it.each(MOCK_SHAPES)("can answer in the shape %s", async (shape) => {
    const { text, finishReason } = await run(`One sentence. Another. [[mock:shape=${shape}]]`);
    const { ok, ledger } = normalizeOutput(text, { schema: { insights: "array" }, finishReason });
    const changed = ledger.steps.filter(({ outcome }) => outcome === "changed").map(({ step }) => step);
    expect({ ok, changed, repaired: ledger.repaired, truncated: ledger.truncated }).toEqual(SHAPES[shape]);
  });

  it("mends its answer when the prompt carries the former one", async () => {
    const text = "One sentence. [[mock:shape=mendable]]";
    expect(JSON.parse((await run(text)).text)).toHaveProperty("statements");
    expect(JSON.parse((await run(`${wrapChunkText(text)}\n${wrapFormerAnswer("{}")}`)).text)).toHaveProperty("insights");
  });

  it("can say that another model has answered", async () => {
    expect((await run("One sentence. [[mock:served=other-2]]")).servedModel).toBe("other-2");
  });

  it.each([40, 1000, 1_000_000])("can answer with %i bytes", async (bytes) => {
    const { text } = await run(`A sentence. [[mock:large=${bytes}]]`);
    expect(Buffer.byteLength(text)).toBe(bytes);
    expect(JSON.parse(text)).toHaveProperty("insights");
  });

  it("can tell more events, each of its form", async () => {
    const { events } = await run("A sentence. [[mock:events=8]]");
    expect(events.map(({ type }) => type)).toEqual([
      "backend_status",
      ...["backend_status", "tool_call", "command_output", "diff", "backend_status", "tool_call", "command_output", "diff"],
      "assistant_message",
    ]);
    for (const event of events) expect(EVENT_PAYLOADS[event.type].safeParse(event.payload).success).toBe(true);
  });

  it.each(["[[mock:hang]]", "[[mock:delay=600000]]"])("ends %s with the reason of the abort", async (mark) => {
    const reason = new Error("enough");
    const controller = new AbortController();
    const running = run(mark, open(), controller.signal);
    controller.abort(reason);
    await expect(running).rejects.toBe(reason);
  });

  it("takes its time when told", async () => {
    const startedAt = performance.now();
    await run("A sentence. [[mock:delay=30]]");
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(28);
  });

  it("answers a text without sentences with no statements", async () => {
    expect((await run("[[mock:events=1]]")).text).toBe('{"insights":[]}');
  });
});
