import { beforeEach, expect, it } from "vitest";
import { WrongTokenLimit } from "./wrong-token-limit";

let now: number;
let limit: WrongTokenLimit;
beforeEach(() => {
  now = 1_000_000;
  limit = new WrongTokenLimit({ now: () => now });
});

const wrong = (client: string, times = 1) => {
  for (let time = 0; time < times; time++) limit.countWrong(client);
};

it("lets five wrong ones a minute pass, and each makes room as it grows old", () => {
  for (const expected of [0, 0, 0, 0, 0]) {
    expect(limit.waitMs("a")).toBe(expected);
    wrong("a");
    now += 1_000;
  }
  // The first was at 0 s; it is 5 s.
  expect(limit.waitMs("a")).toBe(55_000);
  now += 54_999;
  expect(limit.waitMs("a")).toBe(1);
  now += 1;
  expect(limit.waitMs("a")).toBe(0);
  wrong("a");
  expect(limit.waitMs("a")).toBe(1_000);
});

it("leaves the others alone", () => {
  wrong("a", 5);
  expect([limit.waitMs("a"), limit.waitMs("b")]).toEqual([60_000, 0]);
});

it("the right token does not wash off the wrong ones", () => {
  wrong("a", 5);
  limit.countRight("a");
  expect(limit.waitMs("a")).toBe(60_000);
});

it("sixty wrong ones from anywhere close it for strangers, not for those who had the right one", () => {
  limit.countRight("operator");
  for (let client = 0; client < 59; client++) wrong(`stranger ${client}`);
  expect(limit.waitMs("newcomer")).toBe(0);
  wrong("stranger 59");
  expect([limit.waitMs("newcomer"), limit.waitMs("operator")]).toEqual([60_000, 0]);
  now += 60_000;
  expect(limit.waitMs("newcomer")).toBe(0);
});

it("what known clients get wrong is not held against strangers", () => {
  for (let client = 0; client < 20; client++) {
    limit.countRight(`operator ${client}`);
    wrong(`operator ${client}`, 5);
  }
  expect(limit.waitMs("newcomer")).toBe(0);
});

it("remembers a bounded number of clients", () => {
  for (let minute = 0; minute < 100; minute++) {
    for (let client = 0; client < 100; client++) {
      const name = `${minute}/${client}`;
      if (limit.waitMs(name) === 0) wrong(name);
    }
    now += 60_000;
  }
  expect(limit.size).toBeLessThanOrEqual(60);
  for (let client = 0; client < 3_000; client++) limit.countRight(`operator ${client}`);
  expect(limit.size).toBeLessThanOrEqual(1_060);
  // The longest unseen were forgotten.
  for (let client = 0; client < 60; client++) wrong(`stranger ${client}`);
  expect([limit.waitMs("operator 1999"), limit.waitMs("operator 2000")]).toEqual([60_000, 0]);
});
