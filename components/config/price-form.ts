/** The form of one price, and the edits of the document that it comes to. Pure. */
import {
  CURRENCY,
  MOST_PRICE,
  PRICE_FIELDS,
  type PriceField,
  splitModelReference,
  USUAL_CURRENCY,
} from "@/server/config/config.rules";
import type { ConfigEdit, PriceRow } from "@/server/runs/config-view.schema";

/** As it is typed; an empty amount is none. */
export interface PriceForm extends Record<PriceField, string> {
  reference: string;
  currency: string;
}

export type PriceProblem = "reference" | "taken" | "amount" | "missing" | "currency";

/** Amounts that every price has; the others are billed as what they are a part of. */
const NEEDED: readonly PriceField[] = ["input", "output"];

export function formOfPrice(row: PriceRow): PriceForm {
  const text = (amount: number | null) => (amount === null ? "" : String(amount));
  return {
    reference: row.reference,
    input: text(row.input),
    cachedInput: text(row.cachedInput),
    cacheWrite: text(row.cacheWrite),
    output: text(row.output),
    reasoning: text(row.reasoning),
    currency: row.currency,
  };
}

export function emptyForm(reference: string): PriceForm {
  return { reference, input: "", cachedInput: "", cacheWrite: "", output: "", reasoning: "", currency: USUAL_CURRENCY };
}

/** The amount; null for a text that is none. Numbers as people type them: a comma is no point, since it may mean thousands. */
function amountOf(text: string): number | null {
  const trimmed = text.trim();
  if (!/^(?:\d+\.?\d*|\.\d+)$/.test(trimmed)) return null;
  const amount = Number(trimmed);
  return amount <= MOST_PRICE ? amount : null;
}

/** `taken`: the other entries of the table. Whatever else a name may not be, the server says. */
export function problemsOfPrice(form: PriceForm, taken: readonly string[]): Partial<Record<keyof PriceForm, PriceProblem>> {
  const reference = form.reference.trim();
  const name = splitModelReference(reference.replace(/\*$/, "x"));
  const problems: Partial<Record<keyof PriceForm, PriceProblem>> = {};
  if (name === null || reference.slice(0, -1).includes("*")) problems.reference = "reference";
  else if (taken.includes(reference)) problems.reference = "taken";
  for (const field of PRICE_FIELDS) {
    if (form[field].trim() === "") {
      if (NEEDED.includes(field)) problems[field] = "missing";
    } else if (amountOf(form[field]) === null) problems[field] = "amount";
  }
  if (!CURRENCY.test(form.currency.trim())) problems.currency = "currency";
  return problems;
}

/** A new entry as a whole; of an old one only what is different, so that the comments in it stay. */
export function editsOfPrice(form: PriceForm, before: PriceRow | null): ConfigEdit[] {
  const reference = form.reference.trim();
  const currency = form.currency.trim();
  const amounts = PRICE_FIELDS.map((field) => ({ field, amount: amountOf(form[field]) }));
  if (before === null || before.reference !== reference) {
    const value = {
      ...Object.fromEntries(amounts.flatMap(({ field, amount }) => (amount === null ? [] : [[field, amount]]))),
      ...(currency === USUAL_CURRENCY ? {} : { currency }),
    };
    return [...(before === null ? [] : [{ path: ["prices", before.reference] }]), { path: ["prices", reference], value }];
  }
  return [
    ...amounts.flatMap(({ field, amount }) => {
      if (amount === before[field]) return [];
      const path = ["prices", reference, field];
      return [amount === null ? { path } : { path, value: amount }];
    }),
    ...(currency === before.currency ? [] : [{ path: ["prices", reference, "currency"], value: currency }]),
  ];
}
