import { expect, it } from "vitest";
import { ClockWatch } from "./clock-watch";

function clocks() {
  const time = { wall: 1_000_000, steady: 50 };
  return { time, watch: new ClockWatch({ now: () => time.wall }, () => time.steady) };
}

it("trusts a clock that goes on, however long nobody looked", () => {
  const { time, watch } = clocks();
  expect(watch.isTrusted()).toBe(true);
  time.wall += 900_000;
  time.steady += 900_000;
  expect(watch.isTrusted()).toBe(true);
});

it.each([3_600_000, -3_600_000, 1_001])("trusts no lease for its length after a jump of %i ms", (jump) => {
  const { time, watch } = clocks();
  expect(watch.isTrusted()).toBe(true);
  time.wall += jump;
  expect(watch.isTrusted()).toBe(false);
  time.wall += 2_999;
  time.steady += 2_999;
  expect(watch.isTrusted()).toBe(false);
  time.wall += 1;
  time.steady += 1;
  expect(watch.isTrusted()).toBe(true);
});
