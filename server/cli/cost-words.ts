import type { CostTotal } from "@/server/runs/cost.schema";

/** `0.0034 USD`, `~1.20 CNY + 0.5 USD (unknown for 3)`, `unknown (3)`; a dash when there was nothing to be paid for. */
export function costWords({ known, unknownAttempts }: CostTotal): string {
  if (known.length === 0) return unknownAttempts === 0 ? "-" : `unknown (${unknownAttempts})`;
  const sums = known.map(({ amount, currency, about }) => `${about ? "~" : ""}${amountText(amount)} ${currency}`);
  return `${sums.join(" + ")}${unknownAttempts === 0 ? "" : ` (unknown for ${unknownAttempts})`}`;
}

/** Hundredths for what is worth them, else the first three digits that are not 0, never with an exponent. */
function amountText(amount: number): string {
  if (amount === 0 || amount >= 1) return amount.toFixed(2);
  const digits = amount.toFixed(Math.min(20, Math.max(2, 2 - Math.floor(Math.log10(amount)))));
  return digits.replace(/(\.\d\d.*?)0+$/, "$1");
}
