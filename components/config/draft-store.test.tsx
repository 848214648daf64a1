import { beforeEach, describe, expect, it, vi } from "vitest";
import { DRAFT_KEY } from "./draft-storage";
import { DraftStore } from "./draft-store";

const draft = (text: string) => ({ text, baseRevision: 3, startedAt: "2026-11-30T10:00:00.000Z" });

beforeEach(() => localStorage.clear());

describe("the draft's store", () => {
  it("keeps a draft at once, and finds it again", () => {
    new DraftStore(localStorage).change(draft("a: 1"), "typing");
    expect(new DraftStore(localStorage).read()).toEqual({
      draft: draft("a: 1"),
      kept: "yes",
      changedBy: "form",
      canUndo: false,
    });
  });

  it("forgets it when it is used up", () => {
    const store = new DraftStore(localStorage);
    store.change(draft("a: 1"), "form");
    store.clear();
    expect(store.read()).toMatchObject({ draft: null, canUndo: false });
    expect(localStorage.getItem(DRAFT_KEY)).toBeNull();
  });

  it("takes back edits of forms one by one, until something is typed", () => {
    const store = new DraftStore(localStorage);
    store.change(draft("a: 1"), "form");
    store.change(draft("a: 2"), "form");
    store.undo();
    expect(store.read().draft?.text).toBe("a: 1");
    store.undo();
    expect(store.read()).toMatchObject({ draft: null, canUndo: false });
    store.change(draft("a: 3"), "form");
    store.change(draft("a: 34"), "typing");
    expect(store.read().canUndo).toBe(false);
  });

  it("does not put a key into the browser's storage", () => {
    const store = new DraftStore(localStorage);
    store.change(draft("apiKey: env:A"), "typing");
    store.change(draft("apiKey: sk-canary-9f8e7d6c5b4a"), "typing");
    expect(store.read()).toMatchObject({ kept: "holds-key", draft: { text: "apiKey: sk-canary-9f8e7d6c5b4a" } });
    expect(localStorage.getItem(DRAFT_KEY)).toBe(JSON.stringify(draft("apiKey: env:A")));
  });

  it("says when the browser has no room, and goes on", () => {
    const store = new DraftStore(localStorage);
    vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
      throw new DOMException("full", "QuotaExceededError");
    });
    store.change(draft("a: 1"), "form");
    expect(store.read()).toMatchObject({ kept: "no-room", draft: { text: "a: 1" } });
  });

  it("takes over what another tab changed", () => {
    const store = new DraftStore(localStorage);
    const watcher = vi.fn();
    const leave = store.subscribe(watcher);
    window.dispatchEvent(new StorageEvent("storage", { key: DRAFT_KEY, newValue: JSON.stringify(draft("b: 1")) }));
    expect(store.read().draft?.text).toBe("b: 1");
    window.dispatchEvent(new StorageEvent("storage", { key: DRAFT_KEY, newValue: "{" }));
    expect(store.read().draft).toBeNull();
    expect(watcher).toHaveBeenCalledTimes(2);
    leave();
  });
});
