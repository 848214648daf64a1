import { type Draft, draftOf, EMPTY_DRAFT } from "./draft";

const STORAGE_KEY = "switchyard-new-run";

type DraftStorage = Pick<Storage, "getItem" | "setItem" | "removeItem">;

/** The draft of this tab; an empty one when there is none, or none that can be read. */
export function loadDraft(storage: DraftStorage): Draft {
  const stored = storage.getItem(STORAGE_KEY);
  if (stored === null) return EMPTY_DRAFT;
  try {
    const parsed: unknown = JSON.parse(stored);
    return draftOf(parsed) ?? EMPTY_DRAFT;
  } catch {
    // Written by another version, or cut off.
    return EMPTY_DRAFT;
  }
}

/** Keeps the draft over a reload. "settings-only": the text is larger than the browser keeps for a tab (about 5 million characters). */
export function saveDraft(storage: DraftStorage, draft: Draft): "whole" | "settings-only" {
  try {
    storage.setItem(STORAGE_KEY, JSON.stringify(draft));
    return "whole";
  } catch {
    // The quota is exceeded: the small fields are still worth keeping.
    storage.removeItem(STORAGE_KEY);
    try {
      storage.setItem(STORAGE_KEY, JSON.stringify({ ...draft, text: "", documents: [] }));
    } catch {
      // Storage is switched off; the notice is the same.
    }
    return "settings-only";
  }
}

export function forgetDraft(storage: DraftStorage): void {
  storage.removeItem(STORAGE_KEY);
}
