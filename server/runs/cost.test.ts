import { describe, expect, it } from "vitest";
import type { ConfigDocument } from "@/server/config/config-document.schema";
import { type Counted, costOf, totalCost } from "./cost";

/** A million tokens in, a million out, of which parts; so that prices can be read off the sums. */
const MILLION = 1_000_000;

const DOCUMENT: ConfigDocument = {
  providers: { router: { baseUrl: "http://127.0.0.1:1/v1" }, ollama: {} },
  prices: {
    "router/whole": { input: 2, cachedInput: 0.5, cacheWrite: 2.5, output: 10, reasoning: 7 },
    "router/plain": { input: 2, output: 10 },
    "router/yuan": { input: 4, output: 16, currency: "CNY" },
    "router/served-*": { input: 1, output: 1 },
    "ollama/*": { input: 0, output: 0 },
    "mock/priced": { input: 3, output: 3 },
  },
};

function counted(part: Partial<Counted> = {}): Counted {
  return {
    backend: "router",
    model: "plain",
    servedModel: null,
    isOpen: false,
    isAdopted: false,
    failureKind: null,
    promptTokens: MILLION,
    completionTokens: MILLION,
    cachedTokens: null,
    cacheWriteTokens: null,
    reasoningTokens: null,
    tokensEstimated: false,
    costUsd: null,
    ...part,
  };
}

const cost = (part: Partial<Counted>) => costOf(DOCUMENT, counted(part));

const UNTOLD = { promptTokens: null, completionTokens: null } as const;

describe("what a request has cost", () => {
  it.each<[string, Partial<Counted>, number]>([
    ["its prompt and its answer", {}, 2 + 10],
    ["for a share of a million a share of the price", { promptTokens: 1_500, completionTokens: 20 }, 0.0032],
    [
      "each part by its own price, once",
      { model: "whole", cachedTokens: 600_000, reasoningTokens: 250_000 },
      0.8 + 0.3 + 7.5 + 1.75,
    ],
    [
      "what was put into the cache by its price",
      { model: "whole", cachedTokens: 600_000, cacheWriteTokens: 400_000 },
      0.3 + 1 + 10,
    ],
    [
      "parts as what they are a part of where they have no price",
      { cachedTokens: 600_000, cacheWriteTokens: 1, reasoningTokens: 9 },
      12,
    ],
    ["never less than the parts", { model: "whole", promptTokens: 10, cachedTokens: MILLION, completionTokens: 0 }, 0.5],
  ])("is %s", (_what, part, amount) => {
    const found = cost(part);
    expect(found).toMatchObject({ state: "known", source: "table", currency: "USD", about: false });
    expect(found.state === "known" ? found.amount : null).toBeCloseTo(amount, 12);
  });

  it("is told in the currency of the price, with the entry that it is by", () => {
    expect(cost({ model: "yuan" })).toEqual({
      state: "known",
      amount: 20,
      currency: "CNY",
      about: false,
      source: "table",
      price: "router/yuan",
    });
  });

  it("is about so much where the tokens are estimated, unless nothing is paid", () => {
    expect(cost({ tokensEstimated: true })).toMatchObject({ amount: 12, about: true });
    expect(cost({ backend: "ollama", tokensEstimated: true })).toMatchObject({ amount: 0, about: false });
  });

  it("is unknown where no price is, and not nothing", () => {
    expect(cost({ model: "new" })).toEqual({ state: "unknown", reason: "no_price" });
    expect(cost({ backend: "gone", model: "x" })).toEqual({ state: "unknown", reason: "no_price" });
    expect(costOf({}, counted())).toEqual({ state: "unknown", reason: "no_price" });
  });

  it("is nothing where that is written down, however many tokens it was", () => {
    const free = { state: "known", amount: 0, source: "table", price: "ollama/*" };
    expect(cost({ backend: "ollama", model: "llama3" })).toMatchObject(free);
    expect(cost({ backend: "ollama", model: "llama3", ...UNTOLD, failureKind: "backend-timeout" })).toMatchObject(free);
  });

  it("is nothing for a provider inside this server, unless it has a price", () => {
    expect(cost({ backend: "mock", model: "mock-1" })).toMatchObject({ amount: 0, source: "in_process", price: null });
    expect(cost({ backend: "extractive", model: "x", ...UNTOLD })).toMatchObject({ amount: 0, source: "in_process" });
    expect(cost({ backend: "mock", model: "priced" })).toMatchObject({ amount: 6, source: "table" });
  });

  it("is what the provider itself says before anything else, nothing too", () => {
    expect(cost({ costUsd: 0.25 })).toEqual({
      state: "known",
      amount: 0.25,
      currency: "USD",
      about: false,
      source: "provider",
      price: null,
    });
    expect(cost({ model: "new", costUsd: 0 })).toMatchObject({ state: "known", amount: 0, source: "provider" });
  });

  it("goes by what was served only where what was asked for has no price", () => {
    expect(cost({ model: "auto", servedModel: "served-9" })).toMatchObject({ amount: 2, price: "router/served-*" });
    expect(cost({ servedModel: "served-9" })).toMatchObject({ amount: 12, price: "router/plain" });
    expect(cost({ model: "auto", servedModel: "other" })).toEqual({ state: "unknown", reason: "no_price" });
  });

  it("is paid for a failed answer as well, and unknown where nobody told what it took", () => {
    expect(cost({ failureKind: "backend-response-invalid" })).toMatchObject({ state: "known", amount: 12 });
    expect(cost({ ...UNTOLD, failureKind: "backend-timeout" })).toEqual({ state: "unknown", reason: "no_tokens" });
    expect(cost({ ...UNTOLD, failureKind: null })).toEqual({ state: "unknown", reason: "no_tokens" });
    expect(cost({ ...UNTOLD, failureKind: "cancelled", model: "new" })).toEqual({ state: "unknown", reason: "no_price" });
  });

  it.each(["secret-unavailable", "provider-auth-failed", "provider-rate-limited", "backend-spawn-failed"] as const)(
    "is none where nothing was answered (%s)",
    (failureKind) => {
      expect(cost({ ...UNTOLD, failureKind })).toEqual({ state: "none" });
      expect(cost({ ...UNTOLD, failureKind, model: "new" })).toEqual({ state: "none" });
    },
  );

  it("is none while it goes on", () => {
    expect(cost({ ...UNTOLD, isOpen: true })).toEqual({ state: "none" });
  });

  it("is not known of an answer that was made elsewhere, unless it was told", () => {
    expect(cost({ isAdopted: true })).toEqual({ state: "unknown", reason: "made_elsewhere" });
    expect(cost({ isAdopted: true, costUsd: 1 })).toMatchObject({ amount: 1, source: "provider" });
  });
});

describe("what requests have cost together", () => {
  const total = (...entries: [Partial<Counted>, number][]) =>
    totalCost(
      { document: DOCUMENT, revision: 7 },
      entries.map(([part, attempts]) => ({ counted: counted(part), attempts })),
    );

  it("is the sum of what is known, with whose is missing", () => {
    expect(
      total(
        [{}, 3],
        [{ tokensEstimated: true }, 1],
        [{ model: "new" }, 2],
        [{ model: "new", tokensEstimated: true }, 4],
        [{ ...UNTOLD, failureKind: "cancelled" }, 1],
        [{ ...UNTOLD, failureKind: "provider-rate-limited" }, 9],
      ),
    ).toEqual({
      known: [{ amount: 24, currency: "USD", about: true }],
      unknown: [
        { reference: "router/new", reason: "no_price", attempts: 6 },
        { reference: "router/plain", reason: "no_tokens", attempts: 1 },
      ],
      unknownAttempts: 7,
      revision: 7,
    });
  });

  it("is kept apart by currency; one that is nothing is left out beside others", () => {
    expect(total([{ model: "yuan" }, 1], [{}, 1], [{ costUsd: 0.5 }, 1]).known).toEqual([
      { amount: 20, currency: "CNY", about: false },
      { amount: 12.5, currency: "USD", about: false },
    ]);
    expect(total([{ model: "yuan" }, 1], [{ backend: "ollama" }, 5]).known).toEqual([
      { amount: 20, currency: "CNY", about: false },
    ]);
    expect(total([{ backend: "ollama" }, 5]).known).toEqual([{ amount: 0, currency: "USD", about: false }]);
  });

  it("is nothing known while nothing was asked, and no 0 where all is unknown", () => {
    expect(total()).toEqual({ known: [], unknown: [], unknownAttempts: 0, revision: 7 });
    expect(total([{ model: "new" }, 2])).toMatchObject({ known: [], unknownAttempts: 2 });
  });
});
