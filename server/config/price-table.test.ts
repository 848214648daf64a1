import { describe, expect, it } from "vitest";
import { isInProcess, priceOf } from "./price-table";

const price = (input: number) => ({ input, output: 2 * input });

const TABLE = {
  prices: {
    "router/*": price(1),
    "router/google/*": price(2),
    "router/google/gemini-2.5-flash": price(3),
    "router/google/gemini-2.5*": price(4),
    "openai/gpt-4.1": price(5),
  },
};

describe("the price of a model", () => {
  it.each([
    ["router/google/gemini-2.5-flash", "router/google/gemini-2.5-flash"],
    ["router/google/gemini-2.5-flash-lite", "router/google/gemini-2.5*"],
    ["router/google/gemma", "router/google/*"],
    ["router/x", "router/*"],
    // The rest may be empty.
    ["router/google/gemini-2.5", "router/google/gemini-2.5*"],
    ["openai/gpt-4.1", "openai/gpt-4.1"],
  ])("of %s is that of %s", (model, reference) => {
    expect(priceOf(TABLE, model)?.reference).toBe(reference);
  });

  it.each(["openai/gpt-4.1-mini", "other/x", "routers/x", "constructor"])("of %s is not known", (model) => {
    expect(priceOf(TABLE, model)).toBeNull();
  });

  it("is not known without a table", () => {
    expect(priceOf({}, "router/x")).toBeNull();
  });
});

it("knows which providers work inside this server", () => {
  const document = { providers: { demo: { profile: "mock" }, ollama: {} } };
  expect(["demo", "mock", "extractive", "ollama", "nobody"].filter((name) => isInProcess(document, name))).toEqual([
    "demo",
    "mock",
    "extractive",
  ]);
});
