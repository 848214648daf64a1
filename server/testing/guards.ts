/** Runs before every test file: a stray console error or warning, or an unhandled rejection, fails the test that made it. */
import { afterEach, beforeEach, expect, vi } from "vitest";

const seen: string[] = [];

beforeEach(() => {
  seen.length = 0;
  for (const level of ["error", "warn"] as const) {
    vi.spyOn(console, level).mockImplementation((...parts: unknown[]) => {
      seen.push(`console.${level}: ${parts.map(String).join(" ")}`);
    });
  }
});

afterEach(() => {
  vi.restoreAllMocks();
  expect(seen, "nothing may be printed to console.error or console.warn").toEqual([]);
});
