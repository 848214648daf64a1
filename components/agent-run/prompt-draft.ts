/** What was typed for the next turn and not sent, by run; it outlives a reload, and a change of pages. */
const keyOf = (runId: string) => `switchyard-next-turn:${runId}`;

type DraftStorage = Pick<Storage, "getItem" | "setItem" | "removeItem">;

export function loadPrompt(storage: DraftStorage, runId: string): string {
  try {
    return storage.getItem(keyOf(runId)) ?? "";
  } catch {
    return "";
  }
}

/** False when the browser does not keep it: its storage is full or switched off. */
export function savePrompt(storage: DraftStorage, runId: string, prompt: string): boolean {
  try {
    if (prompt === "") storage.removeItem(keyOf(runId));
    else storage.setItem(keyOf(runId), prompt);
    return true;
  } catch {
    return false;
  }
}
