import { describe, expect, it } from "vitest";
import { createEventStream } from "./event-stream";

async function all<T>(values: AsyncIterable<T>): Promise<T[]> {
  const seen: T[] = [];
  for await (const value of values) seen.push(value);
  return seen;
}

describe("a stream of events", () => {
  it("gives what was pushed before anybody pulled, in order, and ends", async () => {
    const stream = createEventStream<number | undefined>();
    for (const value of [1, undefined, 3]) stream.push(value);
    stream.end();
    expect(await all(stream.values)).toEqual([1, undefined, 3]);
  });

  it("wakes whoever waits, at once, and loses nothing that comes together", async () => {
    const stream = createEventStream<string>();
    const seen = all(stream.values);
    stream.push("a");
    await Promise.resolve();
    stream.push("b");
    stream.push("c");
    await new Promise(setImmediate);
    stream.push("d");
    stream.end();
    expect(await seen).toEqual(["a", "b", "c", "d"]);
  });

  it("ends without a value", async () => {
    const stream = createEventStream<string>();
    const seen = all(stream.values);
    stream.end();
    expect(await seen).toEqual([]);
  });

  it("gives what is pushed while it is read, and takes many", async () => {
    const stream = createEventStream<number>();
    const seen: number[] = [];
    const reading = (async () => {
      for await (const value of stream.values) {
        seen.push(value);
        if (value === 49_999) stream.end();
      }
    })();
    for (let value = 0; value < 50_000; value++) stream.push(value);
    await reading;
    expect(seen).toHaveLength(50_000);
    expect(seen.every((value, at) => value === at)).toBe(true);
  });

  it("may be left by its reader", async () => {
    const stream = createEventStream<number>();
    stream.push(1);
    stream.push(2);
    for await (const value of stream.values) {
      expect(value).toBe(1);
      break;
    }
    stream.push(3);
    stream.end();
    expect(await all(stream.values)).toEqual([]);
  });

  describe("is drained", () => {
    it("when its reader comes for more, not when the last value is handed over", async () => {
      const stream = createEventStream<string>();
      const told: string[] = [];
      const reading = (async () => {
        for await (const value of stream.values) {
          await new Promise(setImmediate);
          told.push(value);
        }
      })();
      stream.push("a");
      stream.push("b");
      await stream.drained().then(() => told.push("drained"));
      await stream.drained().then(() => told.push("still"));
      stream.push("c");
      const again = stream.drained().then(() => told.push("again"));
      await again;
      stream.end();
      await reading;
      expect(told).toEqual(["a", "b", "drained", "still", "c", "again"]);
    });

    it("when it ends, or is left, with values in it", async () => {
      const ended = createEventStream<string>();
      ended.push("a");
      const drained = ended.drained();
      ended.end();
      await drained;
      await ended.drained();
      const left = createEventStream<string>();
      left.push("a");
      left.push("b");
      const waiting = left.drained();
      for await (const _value of left.values) break;
      await waiting;
      await left.drained();
    });
  });
});
