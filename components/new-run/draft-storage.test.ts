import { describe, expect, it } from "vitest";
import { type Draft, EMPTY_DRAFT } from "./draft";
import { forgetDraft, loadDraft, saveDraft } from "./draft-storage";

/** Storage of a tab that takes values up to a length. */
function storage(limit = 10_000) {
  const entries = new Map<string, string>();
  return {
    getItem: (key: string) => entries.get(key) ?? null,
    setItem: (key: string, value: string) => {
      if (value.length > limit) throw new DOMException("full", "QuotaExceededError");
      entries.set(key, value);
    },
    removeItem: (key: string) => void entries.delete(key),
    entries,
  };
}

const DRAFT: Draft = {
  ...EMPTY_DRAFT,
  text: "words",
  name: "Day",
  documents: [{ key: "1", name: "a.md", text: "x", bytes: 1, date: "2026-04-19" }],
};

describe("the draft's storage", () => {
  it("gives back what was saved, until it is forgotten", () => {
    const tab = storage();
    expect(saveDraft(tab, DRAFT)).toBe("whole");
    expect(loadDraft(tab)).toEqual(DRAFT);
    forgetDraft(tab);
    expect(loadDraft(tab)).toEqual(EMPTY_DRAFT);
  });

  it("keeps the settings when the text is too large", () => {
    const tab = storage(1_000);
    expect(saveDraft(tab, { ...DRAFT, text: "x".repeat(2_000) })).toBe("settings-only");
    expect(loadDraft(tab)).toEqual({ ...EMPTY_DRAFT, name: "Day" });
  });

  it.each(["not json", '{"text":1}'])("starts anew from %s", (stored) => {
    const tab = storage();
    saveDraft(tab, DRAFT);
    for (const key of tab.entries.keys()) tab.entries.set(key, stored);
    expect(loadDraft(tab)).toEqual(EMPTY_DRAFT);
  });
});
