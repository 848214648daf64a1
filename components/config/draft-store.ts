import { type ConfigDraft, DRAFT_KEY, parseDraft, storeDraft } from "./draft-storage";
import { lineOfLiteralKey } from "./key-reference";

/** How far back form edits can be undone. */
const MOST_STEPS = 100;

export interface DraftSnapshot {
  draft: ConfigDraft | null;
  /**
   * Whether the browser keeps it over a reload. `no-room`: its storage refused; `holds-key`: a key stands in the text, and keys are
   * not put into the storage (the draft as it was before the key stays there).
   */
  kept: "yes" | "no-room" | "holds-key";
  /** Who made the last change: typing is evaluated when it rests, a form's edit at once. */
  changedBy: "typing" | "form";
  canUndo: boolean;
}

/**
 * The one draft of this browser, shown by all its tabs: what one of them changes, the others take over. Written at once, so that
 * nothing is lost on a reload, an error or the end of a session.
 */
export class DraftStore {
  readonly #storage: Storage;
  readonly #watchers = new Set<() => void>();
  readonly #steps: (ConfigDraft | null)[] = [];
  #snapshot: DraftSnapshot;

  constructor(storage: Storage) {
    this.#storage = storage;
    this.#snapshot = { draft: parseDraft(storage.getItem(DRAFT_KEY)), kept: "yes", changedBy: "form", canUndo: false };
  }

  readonly subscribe = (watcher: () => void): (() => void) => {
    if (this.#watchers.size === 0) window.addEventListener("storage", this.#onOtherTab);
    this.#watchers.add(watcher);
    return () => {
      this.#watchers.delete(watcher);
      if (this.#watchers.size === 0) window.removeEventListener("storage", this.#onOtherTab);
    };
  };

  readonly read = (): DraftSnapshot => this.#snapshot;

  /** Typed text has the editor's own undo; mixing both would lose one of them. */
  change(draft: ConfigDraft | null, changedBy: DraftSnapshot["changedBy"]): void {
    if (changedBy === "typing") this.#steps.length = 0;
    else this.#steps.push(this.#snapshot.draft);
    if (this.#steps.length > MOST_STEPS) this.#steps.shift();
    this.#set(draft, changedBy);
  }

  undo(): void {
    if (this.#steps.length > 0) this.#set(this.#steps.pop() ?? null, "form");
  }

  /** The draft is used up. */
  clear(): void {
    this.#steps.length = 0;
    this.#set(null, "form");
  }

  #set(draft: ConfigDraft | null, changedBy: DraftSnapshot["changedBy"]): void {
    const holdsKey = draft !== null && lineOfLiteralKey(draft.text) !== null;
    const kept = holdsKey ? "holds-key" : storeDraft(this.#storage, draft) ? "yes" : "no-room";
    this.#show({ draft, kept, changedBy, canUndo: this.#steps.length > 0 });
  }

  #show(snapshot: DraftSnapshot): void {
    this.#snapshot = snapshot;
    for (const watcher of this.#watchers) watcher();
  }

  readonly #onOtherTab = (event: StorageEvent): void => {
    // A null key: everything was cleared.
    if (event.key !== DRAFT_KEY && event.key !== null) return;
    this.#steps.length = 0;
    this.#show({ draft: parseDraft(event.newValue), kept: "yes", changedBy: "form", canUndo: false });
  };
}
