import { cleanup, render } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, expect, it } from "vitest";
import { createFakeServer, FakeConsole } from "@/components/trpc/fake-console";
import type { Cost, CostTotal } from "@/server/runs/cost.schema";
import { CostCell, CostText, CostTotalFacts, HeaderCost } from "./cost-text";

afterEach(cleanup);

function show(child: ReactNode): HTMLElement {
  return render(<FakeConsole server={createFakeServer({})}>{child}</FakeConsole>).container;
}

const known = (part: Partial<Extract<Cost, { state: "known" }>>): Cost => ({
  state: "known",
  amount: 0,
  currency: "USD",
  about: false,
  source: "table",
  price: "ollama/*",
  ...part,
});

it.each<[string, Cost, string]>([
  ["nothing, where that is its price", known({}), "US$0.00by the price of ollama/*"],
  ["about so much, where tokens are estimated", known({ amount: 0.0034, about: true }), "≈ US$0.0034by the price of ollama/*"],
  ["the provider's own word", known({ amount: 1.5, source: "provider", price: null }), "US$1.50told by the provider"],
  ["what is answered inside this server", known({ source: "in_process", price: null }), "US$0.00answered inside this server"],
  ["unknown, and where to set it", { state: "unknown", reason: "no_price" }, "unknownno price of this model is knownSet a price"],
  ["unknown, where no price would help", { state: "unknown", reason: "no_tokens" }, "unknownnobody said how many tokens it took"],
  ["a dash, where there is nothing to be paid for", { state: "none" }, "—"],
])("the cost of a request is %s", (_what, cost, text) => {
  const shown = show(<CostText cost={cost} />);
  expect(shown.textContent).toBe(text);
  expect(shown.querySelector("a")?.getAttribute("href")).toBe(text.endsWith("Set a price") ? "/config/prices" : undefined);
});

const NOTHING: CostTotal = { known: [], unknown: [], unknownAttempts: 0, revision: 3 };
const MISSING: CostTotal = {
  ...NOTHING,
  unknown: [
    { reference: "router/new", reason: "no_price", attempts: 2 },
    { reference: "router/old", reason: "no_tokens", attempts: 1 },
  ],
  unknownAttempts: 3,
};
const PART: CostTotal = { ...MISSING, known: [{ amount: 0.5, currency: "USD", about: true }] };

it("a sum that is not the whole says so, and whose cost is missing", () => {
  const shown = show(<CostTotalFacts cost={PART} />);
  expect(shown.textContent).toBe(
    "≈ US$0.50 + unknown for 3 requestsrouter/new: no price of this model is known (2)router/old: nobody said how many tokens it took (1)Set a price",
  );
  expect(shown.querySelector("[title]")?.getAttribute("title")).toContain("revision 3");
});

it.each<[CostTotal, string, string]>([
  [NOTHING, "—", ""],
  [MISSING, "unknown", "Cost: unknown"],
  [PART, "≈ US$0.50+ unknown for 3 requests", "Cost: ≈ US$0.50 + unknown for 3 requests"],
  [{ ...NOTHING, known: [{ amount: 0, currency: "USD", about: false }] }, "US$0.00", "Cost: US$0.00"],
  [
    {
      ...NOTHING,
      known: [
        { amount: 2, currency: "CNY", about: false },
        { amount: 0.5, currency: "USD", about: false },
      ],
    },
    "CN¥2.00 + US$0.50",
    "Cost: CN¥2.00 + US$0.50",
  ],
])("the sum %j is %s in a table and %s in a header", (cost, cell, header) => {
  expect(show(<CostCell cost={cost} />).textContent).toBe(cell);
  cleanup();
  expect(show(<HeaderCost cost={cost} />).textContent).toBe(header);
});
