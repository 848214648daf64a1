/** Which price of the document is for a model. */
import { BACKEND_KIND_FACTS } from "./backend-kind.rules";
import type { ConfigDocument, Price } from "./config-document.schema";
import { settingsOfProvider } from "./provider-settings";

export interface FoundPrice {
  /** The entry as the document writes it. */
  reference: string;
  price: Price;
}

/**
 * The entry for `provider/model`: the one of exactly that name, else the longest of those that end with a `*` and begin alike.
 * Null = no price is known.
 */
export function priceOf(document: Pick<ConfigDocument, "prices">, reference: string): FoundPrice | null {
  const prices = document.prices ?? {};
  const exact = Object.hasOwn(prices, reference) ? prices[reference] : undefined;
  if (exact) return { reference, price: exact };
  let found: FoundPrice | null = null;
  for (const [pattern, price] of Object.entries(prices)) {
    if (!pattern.endsWith("*") || !reference.startsWith(pattern.slice(0, -1))) continue;
    if (found === null || pattern.length > found.reference.length) found = { reference: pattern, price };
  }
  return found;
}

/** True for a provider that works inside this server: nothing is sent, so that nothing is paid. */
export function isInProcess(document: ConfigDocument, provider: string): boolean {
  const settings = settingsOfProvider(document, provider);
  return settings !== null && BACKEND_KIND_FACTS[settings.kind].transport === "in-process";
}
