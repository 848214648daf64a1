import { expect, it } from "vitest";
import { localPath } from "./local-path";

it.each([
  ["/", "/"],
  ["/runs", "/runs"],
  ["/runs?status=failed&q=a+b", "/runs?status=failed&q=a+b"],
  ["/runs/run_1/chunks/3?at=5-9#top", "/runs/run_1/chunks/3?at=5-9#top"],
  ["/runs?q=日记", "/runs?q=%E6%97%A5%E8%AE%B0"],
  ["/runs?next=https://evil.example", "/runs?next=https://evil.example"],
])("%s leads to %s", (wanted, path) => {
  expect(localPath(wanted)).toBe(path);
});

it.each([
  undefined,
  null,
  "",
  "runs",
  "//evil.example",
  "///evil.example",
  "/\\evil.example",
  "\\\\evil.example",
  "/runs\\..",
  "/\t/evil.example",
  "/\n/evil.example",
  "\t//evil.example",
  " //evil.example",
  "/.//evil.example",
  "/runs/..//evil.example",
  "https://evil.example",
  "https:evil.example",
  "javascript:alert(1)",
  `/${"a".repeat(2_000)}`,
])("%j leads home", (wanted) => {
  expect(localPath(wanted)).toBe("/");
});
