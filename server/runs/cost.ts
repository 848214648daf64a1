/** What requests have cost: the provider's own word, else their tokens by the price table. Pure. */
import type { FailureKind } from "@/server/artifacts/failure-kind.rules";
import { USUAL_CURRENCY } from "@/server/config/config.rules";
import type { ConfigDocument, Price } from "@/server/config/config-document.schema";
import { type FoundPrice, isInProcess, priceOf } from "@/server/config/price-table";
import { groupBy } from "@/server/shared/group-by";
import type { Cost, CostTotal } from "./cost.schema";

/** The price table and where it stands. */
export interface Prices {
  document: ConfigDocument;
  revision: number;
}

/** One request, or several alike with their tokens summed up. */
export interface Counted {
  backend: string;
  model: string;
  /** What the runtime says it served with, where it says so. */
  servedModel: string | null;
  /** It has not ended. */
  isOpen: boolean;
  /** Its answer was made elsewhere. */
  isAdopted: boolean;
  failureKind: FailureKind | null;
  /** Null: nobody has said. Cached and cache-write tokens are part of the prompt's, reasoning tokens of the completion's. */
  promptTokens: number | null;
  completionTokens: number | null;
  cachedTokens: number | null;
  cacheWriteTokens: number | null;
  reasoningTokens: number | null;
  tokensEstimated: boolean;
  /** What the provider itself says. */
  costUsd: number | null;
}

const A_PRICE_IS_FOR = 1_000_000;

/** Failures that come instead of an answer, for which nobody is paid. Of the others it depends on what was said before. */
const REFUSED: ReadonlySet<FailureKind> = new Set([
  "secret-unavailable",
  "provider-auth-failed",
  "provider-rate-limited",
  "backend-spawn-failed",
]);

export function costOf(document: ConfigDocument, counted: Counted): Cost {
  const { costUsd, tokensEstimated: about } = counted;
  if (counted.isOpen) return { state: "none" };
  if (costUsd !== null)
    return { state: "known", amount: costUsd, currency: "USD", about: false, source: "provider", price: null };
  if (counted.isAdopted) return { state: "unknown", reason: "made_elsewhere" };
  const found = priceFor(document, counted);
  if (!found && isInProcess(document, counted.backend))
    return { state: "known", amount: 0, currency: USUAL_CURRENCY, about: false, source: "in_process", price: null };
  const amount = found && amountOf(found.price, counted);
  if (amount !== null)
    return {
      state: "known",
      amount,
      currency: found?.price.currency ?? USUAL_CURRENCY,
      // Nothing is nothing, however many tokens it was.
      about: about && amount > 0,
      source: "table",
      price: found?.reference ?? null,
    };
  if (counted.promptTokens !== null) return { state: "unknown", reason: "no_price" };
  if (counted.failureKind !== null && REFUSED.has(counted.failureKind)) return { state: "none" };
  return { state: "unknown", reason: found ? "no_tokens" : "no_price" };
}

/** Of what was asked for; where the table has nothing for that, of what the runtime says it served. */
function priceFor(document: ConfigDocument, { backend, model, servedModel }: Counted): FoundPrice | null {
  const asked = priceOf(document, `${backend}/${model}`);
  return asked ?? (servedModel === null ? null : priceOf(document, `${backend}/${servedModel}`));
}

/** Null when it takes tokens that nobody has told. */
function amountOf(price: Price, counted: Counted): number | null {
  const { input, output, cachedInput = input, cacheWrite = input, reasoning = output } = price;
  if ([input, output, cachedInput, cacheWrite, reasoning].every((part) => part === 0)) return 0;
  const { promptTokens, completionTokens } = counted;
  if (promptTokens === null || completionTokens === null) return null;
  const [cached, written, thought] = [counted.cachedTokens ?? 0, counted.cacheWriteTokens ?? 0, counted.reasoningTokens ?? 0];
  const read = Math.max(0, promptTokens - cached - written);
  const said = Math.max(0, completionTokens - thought);
  return (read * input + cached * cachedInput + written * cacheWrite + said * output + thought * reasoning) / A_PRICE_IS_FOR;
}

/** `attempts`: how many requests the entry stands for. */
export function totalCost({ document, revision }: Prices, entries: readonly { counted: Counted; attempts: number }[]): CostTotal {
  const costs = entries.map((entry) => ({ ...entry, cost: costOf(document, entry.counted) }));
  const known = costs.flatMap(({ cost }) => (cost.state === "known" ? [cost] : []));
  const unknown = costs.flatMap(({ cost, counted, attempts }) =>
    cost.state === "unknown" ? [{ reference: `${counted.backend}/${counted.model}`, reason: cost.reason, attempts }] : [],
  );
  return {
    known: [...groupBy(known, ({ currency }) => currency)]
      .map(([currency, parts]) => ({
        amount: parts.reduce((sum, { amount }) => sum + amount, 0),
        currency,
        about: parts.some(({ about }) => about),
      }))
      // One that is nothing says nothing beside others.
      .filter(({ amount }, _at, all) => amount > 0 || all.every((other) => other.amount === 0))
      .sort((left, right) => (left.currency < right.currency ? -1 : 1)),
    unknown: [...groupBy(unknown, ({ reference, reason }) => `${reason} ${reference}`).values()]
      .flatMap((parts) => parts.slice(0, 1).map((part) => ({ ...part, attempts: attemptsOf(parts) })))
      .sort((left, right) => right.attempts - left.attempts),
    unknownAttempts: attemptsOf(unknown),
    revision,
  };
}

function attemptsOf(parts: readonly { attempts: number }[]): number {
  return parts.reduce((sum, { attempts }) => sum + attempts, 0);
}
