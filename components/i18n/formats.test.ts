import { describe, expect, it } from "vitest";
import { createFormats } from "./formats";

const en = createFormats("en", "utc");
const zh = createFormats("zh", "utc");
const NOW = Date.parse("2026-11-30T12:00:00.000Z");

describe("money", () => {
  it.each([
    [0, "USD", "US$0.00"],
    [1234.5, "USD", "US$1,234.50"],
    [0.42, "USD", "US$0.42"],
    [0.1234, "EUR", "€0.123"],
    [0.0034, "USD", "US$0.0034"],
    [0.012_44, "USD", "US$0.0124"],
    [0.000_092, "USD", "US$0.000092"],
    [0.000_000_034_9, "USD", "US$0.0000000349"],
    [12, "CNY", "CN¥12.00"],
  ])("%d %s is %s", (amount, currency, text) => {
    expect(en.formatMoney(amount, currency)).toBe(text);
  });

  it.each([
    [0.0375, "US$0.0375"],
    [2.5, "US$2.50"],
    [0, "US$0.00"],
  ])("as a price of %d is not rounded", (amount, text) => {
    expect(en.formatPrice(amount, "USD")).toBe(text);
  });

  it("is written as the reader's language does", () => {
    expect([zh.formatMoney(0.0034, "USD"), zh.formatMoney(2, "CNY")]).toEqual(["US$0.0034", "¥2.00"]);
  });
});

describe("times", () => {
  it("are absolute with their zone", () => {
    expect(en.formatTime("2026-11-30T04:24:23.000Z")).toBe("30 Nov 2026, 04:24:23 UTC");
    expect(zh.formatTime("2026-11-30T04:24:23.000Z")).toBe("2026年11月30日 UTC 04:24:23");
    expect(en.formatZone(NOW)).toBe("UTC");
  });

  it.each([
    [NOW - 999, "now"],
    [NOW - 3_999, "3 sec ago"],
    [NOW + 4_000, "now"],
    [NOW - 45_000, "45 sec ago"],
    [NOW - 5 * 60_000, "5 min ago"],
    [NOW + 2 * 3_600_000, "in 2 hr"],
    [NOW - 3 * 86_400_000, "3 days ago"],
    // As a duration of the same length says it.
    [NOW - 59_999, "59 sec ago"],
    [NOW - 119_999, "1 min ago"],
  ])("are relative to now", (moment, words) => {
    expect(en.formatRelative(moment, NOW)).toBe(words);
  });
});

describe("durations", () => {
  it.each([
    [-5_000, "0ms"],
    [850, "850ms"],
    [4_230, "4.2s"],
    [59_999, "59s"],
    [61_000, "1m 1s"],
    [3_780_000, "1h 3m"],
    [90_000_000, "1d 1h"],
  ])("%d ms are %s", (milliseconds, words) => {
    expect(en.formatDuration(milliseconds)).toBe(words);
  });
});

describe("numbers", () => {
  it("say 100 % only when all is done", () => {
    expect([en.formatPercent(0.999), en.formatPercent(1), en.formatPercent(1.2), en.formatPercent(-1)]).toEqual([
      "99%",
      "100%",
      "100%",
      "0%",
    ]);
  });

  it("count bytes in steps of 1024", () => {
    expect([en.formatBytes(512), en.formatBytes(1_536), en.formatBytes(20 * 1024 * 1024)]).toEqual([
      "512 B",
      "1.5 KiB",
      "20 MiB",
    ]);
  });
});
