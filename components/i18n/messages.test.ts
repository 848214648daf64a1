import { describe, expect, it } from "vitest";
import { placeholdersOf } from "./message-format";
import type { MessageKey } from "./messages";
import { MESSAGES } from "./testing-language";

// Object.keys forgets the key type; the record has no other keys.
const KEYS = Object.keys(MESSAGES.en) as MessageKey[];

describe("the dictionaries", () => {
  it("have the same keys", () => {
    expect(Object.keys(MESSAGES.zh).sort()).toEqual([...KEYS].sort());
  });

  it("say something for every key", () => {
    expect(KEYS.filter((key) => MESSAGES.en[key].trim() === "" || MESSAGES.zh[key].trim() === "")).toEqual([]);
  });

  it("ask for the same variables in both languages", () => {
    const different = KEYS.filter((key) => placeholdersOf(MESSAGES.en[key]).join() !== placeholdersOf(MESSAGES.zh[key]).join());
    expect(different).toEqual([]);
  });

  it("leave no English sentence in the Chinese one", () => {
    const sentence = /[a-z]{2,} [a-z]{2,} [a-z]{2,}/i;
    expect(KEYS.filter((key) => sentence.test(MESSAGES.zh[key].replace(/\{[^{}]*,\s*plural,/g, "")))).toEqual([]);
  });

  it("have one Chinese word for an insight", () => {
    expect(KEYS.filter((key) => /洞见|洞察|见解/.test(MESSAGES.zh[key]))).toEqual([]);
    const wordless = KEYS.filter((key) => /\binsights?\b/i.test(MESSAGES.en[key]) && !MESSAGES.zh[key].includes("要点"));
    expect(wordless).toEqual([]);
  });
});
