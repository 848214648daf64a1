import { describe, expect, it } from "vitest";
import type { PriceRow } from "@/server/runs/config-view.schema";
import { editsOfPrice, emptyForm, formOfPrice, problemsOfPrice } from "./price-form";

const ROW: PriceRow = {
  reference: "router/*",
  input: 0.3,
  cachedInput: 0.075,
  cacheWrite: null,
  output: 2.5,
  reasoning: null,
  currency: "USD",
  models: [],
};

const form = (part: Partial<ReturnType<typeof emptyForm>> = {}) => ({
  ...emptyForm("router/a"),
  input: "1",
  output: "0",
  ...part,
});

describe("what is wrong with a price", () => {
  it.each([
    [{}, {}],
    [{ reference: "router/a*" }, {}],
    [{ reference: "router" }, { reference: "reference" }],
    [{ reference: "rou*er/x" }, { reference: "reference" }],
    [{ reference: "*" }, { reference: "reference" }],
    [{ reference: "router/taken" }, { reference: "taken" }],
    [{ input: "" }, { input: "missing" }],
    [{ output: "-1" }, { output: "amount" }],
    [{ cachedInput: "0,5" }, { cachedInput: "amount" }],
    [{ reasoning: "1e3" }, { reasoning: "amount" }],
    [{ cacheWrite: "1000001" }, { cacheWrite: "amount" }],
    [{ cachedInput: ".5", reasoning: " 2. " }, {}],
    [{ currency: "US" }, { currency: "currency" }],
  ])("%j has the problems %j", (part, problems) => {
    expect(problemsOfPrice(form(part), ["router/taken"])).toEqual(problems);
  });
});

describe("the edits of a price", () => {
  it("are a whole entry for a new one; a usual currency and what is empty are left out", () => {
    expect(editsOfPrice(form({ reference: " router/a ", cachedInput: "0.5" }), null)).toEqual([
      { path: ["prices", "router/a"], value: { input: 1, cachedInput: 0.5, output: 0 } },
    ]);
    expect(editsOfPrice(form({ currency: "CNY" }), null)).toEqual([
      { path: ["prices", "router/a"], value: { input: 1, output: 0, currency: "CNY" } },
    ]);
  });

  it("are what is different for an old one, and nothing when nothing is", () => {
    expect(editsOfPrice(formOfPrice(ROW), ROW)).toEqual([]);
    expect(editsOfPrice({ ...formOfPrice(ROW), input: "0.4", cachedInput: "", currency: "EUR" }, ROW)).toEqual([
      { path: ["prices", "router/*", "input"], value: 0.4 },
      { path: ["prices", "router/*", "cachedInput"] },
      { path: ["prices", "router/*", "currency"], value: "EUR" },
    ]);
  });

  it("take the old entry away when it is of another name", () => {
    expect(editsOfPrice({ ...formOfPrice(ROW), reference: "router/b" }, ROW)).toEqual([
      { path: ["prices", "router/*"] },
      { path: ["prices", "router/b"], value: { input: 0.3, cachedInput: 0.075, output: 2.5 } },
    ]);
  });
});
