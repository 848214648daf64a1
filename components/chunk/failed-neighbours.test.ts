import { describe, expect, it } from "vitest";
import { failedNeighbours } from "./failed-neighbours";

function service(failed: readonly number[]) {
  let asked = 0;
  return {
    nextFailed: async (after: number) => {
      asked++;
      return failed.find((index) => index > after) ?? null;
    },
    asked: () => asked,
  };
}

describe("failedNeighbours", () => {
  it("finds the nearest on both sides", async () => {
    expect(await failedNeighbours(service([2, 5, 9, 40]).nextFailed, 9)).toEqual({ previous: 5, next: 40 });
  });

  it("finds nothing where nothing is", async () => {
    expect(await failedNeighbours(service([]).nextFailed, 7)).toEqual({ previous: null, next: null });
    expect(await failedNeighbours(service([1]).nextFailed, 1)).toEqual({ previous: null, next: null });
  });

  it("agrees with looking at every chunk, for every place in every pattern of eight", async () => {
    for (let pattern = 0; pattern < 256; pattern++) {
      const failed = [1, 2, 3, 4, 5, 6, 7, 8].filter((index) => (pattern >> (index - 1)) & 1);
      for (let index = 1; index <= 8; index++) {
        const expected = {
          previous: failed.findLast((each) => each < index) ?? null,
          next: failed.find((each) => each > index) ?? null,
        };
        expect(await failedNeighbours(service(failed).nextFailed, index), `${failed} around ${index}`).toEqual(expected);
      }
    }
  });

  it("asks little: twice beside a failure, a few dozen times across ten thousand chunks", async () => {
    const near = service([9_999]);
    await failedNeighbours(near.nextFailed, 10_000);
    expect(near.asked()).toBe(2);
    const far = service([1]);
    expect(await failedNeighbours(far.nextFailed, 10_000)).toEqual({ previous: 1, next: null });
    expect(far.asked()).toBeLessThan(32);
  });
});
