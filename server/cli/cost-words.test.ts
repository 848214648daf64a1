import { expect, it } from "vitest";
import { costWords } from "./cost-words";

const usd = (amount: number, about = false) => ({ amount, currency: "USD", about });

it.each([
  [[usd(0)], 0, "0.00 USD"],
  [[usd(12.345)], 0, "12.35 USD"],
  [[usd(0.5)], 0, "0.50 USD"],
  [[usd(0.0034)], 0, "0.0034 USD"],
  [[usd(0.01244)], 0, "0.0124 USD"],
  [[usd(0.000_000_034_9)], 0, "0.0000000349 USD"],
  [[{ amount: 1.2, currency: "CNY", about: true }, usd(0.5)], 3, "~1.20 CNY + 0.50 USD (unknown for 3)"],
  [[], 3, "unknown (3)"],
  [[], 0, "-"],
])("says %j, unknown for %d, as %s", (known, unknownAttempts, words) => {
  expect(costWords({ known, unknownAttempts, unknown: [], revision: 1 })).toBe(words);
});
