import { expect, it } from "vitest";
import { ledgerOf } from "./ledger";

it("reads the ledger of a result, steps of a newer version too", () => {
  const normalization = {
    version: 1,
    steps: [
      { step: "repair", outcome: "changed", detail: { characters: 40, shine: 2, odd: { a: 1 } } },
      { step: "polish", outcome: "gleaming" },
    ],
    errors: ["One.", 2],
  };
  expect(ledgerOf(JSON.stringify({ normalization }))).toEqual({
    lines: [
      {
        step: "repair",
        name: "repair",
        outcome: "changed",
        detail: [
          { word: "characters", name: "characters", value: 40 },
          { word: null, name: "shine", value: 2 },
        ],
      },
      { step: null, name: "polish", outcome: "passed", detail: [] },
    ],
    errors: ["One."],
  });
});

it("is none in results from before, and in what is no JSON", () => {
  expect(ledgerOf('{"ok":true}')).toBeNull();
  expect(ledgerOf("cut {")).toBeNull();
});
