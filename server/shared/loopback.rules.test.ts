import { expect, it } from "vitest";
import { isLoopback } from "./loopback.rules";

it.each(["localhost", "LocalHost", "127.0.0.1", "127.1.2.3", "::1", "[::1]"])("%s is this machine", (host) => {
  expect(isLoopback(host)).toBe(true);
});

it.each([
  "",
  "0.0.0.0",
  "::",
  "192.168.1.5",
  "127.0.0.1.evil.example",
  "localhost.evil.example",
  "xlocalhost",
  "1127.0.0.1",
  "[::1",
])("%s may be another", (host) => {
  expect(isLoopback(host)).toBe(false);
});
