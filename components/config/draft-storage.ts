import { jsonFields } from "@/components/json-fields";

export const DRAFT_KEY = "switchyard-config-draft";

/** An edited document that is not saved yet. Times are ISO-8601. */
export interface ConfigDraft {
  text: string;
  /** The revision that the edit started from. */
  baseRevision: number;
  startedAt: string;
}

type DraftStorage = Pick<Storage, "getItem" | "setItem" | "removeItem">;

function isConfigDraft(value: unknown): value is ConfigDraft {
  const { text, baseRevision, startedAt } = jsonFields(value);
  return (
    typeof text === "string" &&
    Number.isSafeInteger(baseRevision) &&
    typeof startedAt === "string" &&
    !Number.isNaN(Date.parse(startedAt))
  );
}

/** The draft of this browser; null when there is none, or none that can be read. */
export function parseDraft(stored: string | null): ConfigDraft | null {
  if (stored === null) return null;
  try {
    const parsed: unknown = JSON.parse(stored);
    return isConfigDraft(parsed) ? parsed : null;
  } catch {
    // Written by another version.
    return null;
  }
}

/** False when the browser does not keep it: its storage is full or switched off. */
export function storeDraft(storage: DraftStorage, draft: ConfigDraft | null): boolean {
  try {
    if (draft === null) storage.removeItem(DRAFT_KEY);
    else storage.setItem(DRAFT_KEY, JSON.stringify(draft));
    return true;
  } catch {
    return false;
  }
}
