import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { JsonRpcError, JsonRpcPeer, JsonRpcTimeoutError } from "./json-rpc-peer";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function open() {
  const written: unknown[] = [];
  const told: unknown[] = [];
  const peer = new JsonRpcPeer({
    write: (line) => {
      expect(line.endsWith("\n")).toBe(true);
      expect(line.indexOf("\n")).toBe(line.length - 1);
      written.push(JSON.parse(line));
    },
    onNotification: (method, params) => told.push({ method, params }),
    onRequest: (request) => told.push({ request }),
    onBadLine: (problem, head) => told.push([problem, head]),
  });
  const receive = (message: unknown) => peer.receive(JSON.stringify(message));
  return { peer, written, told, receive };
}

const LIMIT = { timeoutMs: 1_000 };

describe("requests", () => {
  it("are answered by their ids, in whatever order the answers come", async () => {
    const { peer, written, receive } = open();
    const first = peer.request("a/b", { x: "line\nbreak" }, LIMIT);
    const second = peer.request("c", undefined, LIMIT);
    expect(written).toEqual([
      { id: 1, method: "a/b", params: { x: "line\nbreak" } },
      { id: 2, method: "c" },
    ]);
    receive({ id: 2, result: "second" });
    receive({ jsonrpc: "2.0", id: 1, result: { is: "first" }, emittedAtMs: 7 });
    expect(await Promise.all([first, second])).toEqual([{ is: "first" }, "second"]);
  });

  it("may be answered with nothing", async () => {
    const { peer, receive } = open();
    const one = peer.request("a", {}, LIMIT);
    receive({ id: 1 });
    expect(await one).toBeUndefined();
    const other = peer.request("a", {}, LIMIT);
    receive({ id: 2, result: null, error: null });
    expect(await other).toBeNull();
  });

  it.each([
    [{ code: -32_600, message: "Not initialized" }, -32_600, "Not initialized"],
    [{ code: "x", message: "" }, 0, "an error without a message"],
    ["a text", 0, "an error without a message"],
    [{}, 0, "an error without a message"],
  ])("reject with the error %j", async (error, code, message) => {
    const { peer, receive } = open();
    const work = peer.request("thread/start", {}, LIMIT).catch((thrown: unknown) => thrown);
    receive({ id: 1, error });
    const thrown = await work;
    expect(thrown).toBeInstanceOf(JsonRpcError);
    expect(thrown).toMatchObject({ name: "JsonRpcError", method: "thread/start", code, message });
  });

  it("reject once their time is up; an answer after that is dropped", async () => {
    const { peer, receive, told } = open();
    const work = peer.request("turn/start", {}, { timeoutMs: 2_500 }).catch((thrown: unknown) => thrown);
    await vi.advanceTimersByTimeAsync(2_499);
    expect(await Promise.race([work, "still waiting"])).toBe("still waiting");
    await vi.advanceTimersByTimeAsync(1);
    const thrown = await work;
    expect(thrown).toBeInstanceOf(JsonRpcTimeoutError);
    expect(thrown).toMatchObject({ method: "turn/start", message: "turn/start was not answered within 2.5s" });
    receive({ id: 1, result: "late" });
    expect(told).toEqual([]);
  });

  it("leave no timer and no listener behind, however they end", async () => {
    const { peer, receive } = open();
    const controller = new AbortController();
    const { signal } = controller;
    const removed = vi.spyOn(signal, "removeEventListener");
    const answered = peer.request("a", {}, { ...LIMIT, signal });
    const refused = peer.request("b", {}, { ...LIMIT, signal });
    receive({ id: 1, result: 1 });
    receive({ id: 2, error: {} });
    await Promise.allSettled([answered, refused]);
    expect(removed).toHaveBeenCalledTimes(2);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("reject with the signal's reason, and are not sent for one that is aborted already", async () => {
    const { peer, written } = open();
    const controller = new AbortController();
    const work = peer.request("a", {}, { ...LIMIT, signal: controller.signal });
    const reason = new Error("no longer wanted");
    controller.abort(reason);
    await expect(work).rejects.toBe(reason);
    await expect(peer.request("b", {}, { ...LIMIT, signal: controller.signal })).rejects.toBe(reason);
    expect(written).toEqual([{ id: 1, method: "a", params: {} }]);
    expect(vi.getTimerCount()).toBe(0);
  });
});

it("an answer nobody waits for is dropped, whatever its id is", () => {
  const { told, receive } = open();
  receive({ id: 9, result: 1 });
  receive({ id: "text", result: 1 });
  receive({ id: 9, error: { code: 1, message: "x" } });
  expect(told).toEqual([]);
});

it("notifications and questions of the other side are told apart by the id", () => {
  const { peer, told, written, receive } = open();
  receive({ method: "thread/started", params: { threadId: "t" }, emittedAtMs: 1 });
  receive({ method: "configWarning" });
  receive({ id: 0, method: "item/tool/call", params: [1] });
  receive({ id: "q", method: "ask" });
  expect(told).toEqual([
    { method: "thread/started", params: { threadId: "t" } },
    { method: "configWarning", params: undefined },
    { request: { id: 0, method: "item/tool/call", params: [1] } },
    { request: { id: "q", method: "ask", params: undefined } },
  ]);
  peer.respond(0, { decision: "accept" });
  peer.respondError("q", -32_601, "not supported");
  peer.notify("initialized");
  peer.notify("note", { a: 1 });
  expect(written).toEqual([
    { id: 0, result: { decision: "accept" } },
    { id: "q", error: { code: -32_601, message: "not supported" } },
    { method: "initialized" },
    { method: "note", params: { a: 1 } },
  ]);
});

it.each([
  ["this is no JSON", "not-json"],
  ['{"half":', "not-json"],
  ["[]", "not-a-message"],
  ["42", "not-a-message"],
  ["null", "not-a-message"],
  ["{}", "not-a-message"],
  ['{"id":null,"result":1}', "not-a-message"],
  ['{"id":true,"result":1}', "not-a-message"],
  ['{"method":7,"params":{}}', "not-a-message"],
])("%s is a bad line: %s", (line, problem) => {
  const { peer, told } = open();
  peer.receive(line);
  expect(told).toEqual([[problem, line]]);
});

it("of a bad line only the beginning is told", () => {
  const { peer, told } = open();
  peer.receive("y".repeat(1_000));
  expect(told).toEqual([["not-json", "y".repeat(200)]]);
});

it("closing rejects what is open and what comes later, with the first reason; nothing is written any more", async () => {
  const { peer, written } = open();
  const work = [peer.request("a", {}, LIMIT), peer.request("b", {}, LIMIT)];
  const death = new Error("the process ended");
  peer.close(death);
  peer.close(new Error("later"));
  for (const each of work) await expect(each).rejects.toBe(death);
  await expect(peer.request("c", {}, LIMIT)).rejects.toBe(death);
  peer.notify("n");
  peer.respond(1, {});
  peer.respondError(1, 1, "x");
  expect(written).toHaveLength(2);
  expect(vi.getTimerCount()).toBe(0);
});
