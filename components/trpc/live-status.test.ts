import { expect, it } from "vitest";
import { liveStatus } from "./live-status";

const NOW = 1_000_000;

it.each([
  [{ connected: true, lastContactAt: NOW }, false, { kind: "offline" }],
  [{ connected: true, lastContactAt: NOW - 60_000 }, true, { kind: "live" }],
  [{ connected: false, lastContactAt: null }, true, { kind: "connecting" }],
  [{ connected: false, lastContactAt: NOW - 14_999 }, true, { kind: "polling" }],
  [{ connected: false, lastContactAt: NOW - 42_500 }, true, { kind: "stale", seconds: 42 }],
])("%o, online %s, is %o", (state, online, status) => {
  expect(liveStatus(state, online, NOW)).toEqual(status);
});
