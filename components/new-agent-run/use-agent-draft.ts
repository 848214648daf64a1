"use client";

import { useEffect, useEffectEvent, useRef, useState } from "react";
import { type AgentDraft, forgetAgentDraft, loadAgentDraft, saveAgentDraft } from "./agent-draft";

/** Typing rests this long before the draft is written; leaving the page writes it at once. */
const SAVE_REST_MS = 400;

/** The draft of this tab; it outlives a reload. Only in the browser. */
export function useAgentDraft() {
  const [draft, setDraft] = useState(() => loadAgentDraft(sessionStorage));
  // No state: a save that is due at the very moment of the start must know it, too.
  const done = useRef(false);
  const save = useEffectEvent(() => {
    if (!done.current) saveAgentDraft(sessionStorage, draft);
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
    change: (part: Partial<AgentDraft>) => setDraft((old) => ({ ...old, ...part })),
    /** After a start: the draft is used up, and leaving the page must not write it again. */
    finish: () => {
      done.current = true;
      forgetAgentDraft(sessionStorage);
    },
  };
}
