import { expect, it } from "vitest";
import { fairShares } from "./fair-share";

it.each<[number, number[], number[]]>([
  [8, [8], [8]],
  [8, [20], [8]],
  [8, [8, 8], [4, 4]],
  [8, [2, 8, 8], [2, 3, 3]],
  [8, [8, 0, 1], [7, 0, 1]],
  [9, [8, 8], [5, 4]],
  [2, [5, 5, 5], [1, 1, 0]],
  [8, [], []],
  [0, [3, 3], [0, 0]],
])("%i slots for %j: %j", (limit, wants, expected) => {
  expect(fairShares(limit, wants)).toEqual(expected);
});
