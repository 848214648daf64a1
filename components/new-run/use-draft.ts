"use client";

import { useEffect, useEffectEvent, useState } from "react";
import { type Draft, EMPTY_DRAFT } from "./draft";
import { forgetDraft, loadDraft, saveDraft } from "./draft-storage";

/** Typing rests this long before the draft is written; leaving the page writes it at once. */
const SAVE_REST_MS = 400;

/** The draft of this tab; it outlives a reload. Only in the browser. */
export function useDraft() {
  const [draft, setDraft] = useState(() => loadDraft(sessionStorage));
  const [kept, setKept] = useState<"whole" | "settings-only">("whole");
  const [done, setDone] = useState(false);
  const save = useEffectEvent(() => {
    if (!done) setKept(saveDraft(sessionStorage, draft));
  });

  // The tab's storage holds the copy.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new draft starts the rest anew.
  useEffect(() => {
    const timer = window.setTimeout(() => save(), SAVE_REST_MS);
    return () => window.clearTimeout(timer);
  }, [draft]);
  useEffect(() => {
    const onHide = () => save();
    window.addEventListener("pagehide", onHide);
    return () => {
      window.removeEventListener("pagehide", onHide);
      onHide();
    };
  }, []);

  return {
    draft,
    kept,
    change: (part: Partial<Draft>) => setDraft((old) => ({ ...old, ...part })),
    addDocuments: (documents: Draft["documents"]) => setDraft((old) => ({ ...old, documents: [...old.documents, ...documents] })),
    clear: () => {
      forgetDraft(sessionStorage);
      setDraft(EMPTY_DRAFT);
    },
    /** After a start: the draft is used up, and leaving the page must not write it again. */
    finish: () => {
      setDone(true);
      forgetDraft(sessionStorage);
    },
  };
}

export type DraftState = ReturnType<typeof useDraft>;
