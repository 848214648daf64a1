"use client";

import { useMutation } from "@tanstack/react-query";
import { useRef, useState, useSyncExternalStore } from "react";
import { toast } from "sonner";
import { useI18n } from "@/components/i18n/i18n-provider";
import { useTRPCClient } from "@/components/trpc/trpc-client";
import { useErrorText } from "@/components/trpc/use-error-text";
import type { ConfigEdit, RevisionView } from "@/server/runs/config-view.schema";
import { DraftStore } from "./draft-store";

const readOnServer = () => ({ draft: null, kept: "yes", changedBy: "form", canUndo: false }) as const;

/** The draft over the newest revision, and the ways to change it. Only below a loaded revision, so only in the browser. */
export function useConfigDraft(current: RevisionView) {
  const { t } = useI18n();
  const client = useTRPCClient();
  const errorText = useErrorText();
  const [store] = useState(() => new DraftStore(localStorage));
  const snapshot = useSyncExternalStore(store.subscribe, store.read, readOnServer);

  const put = (text: string, changedBy: "typing" | "form", baseRevision?: number) => {
    const { draft } = store.read();
    const base = baseRevision ?? draft?.baseRevision ?? current.number;
    // A text that says what the newest revision says is no draft.
    if (base === current.number && text === current.text) return store.change(null, changedBy);
    store.change({ text, baseRevision: base, startedAt: draft?.startedAt ?? new Date().toISOString() }, changedBy);
  };

  const edit = async (edits: readonly ConfigEdit[]): Promise<void> => {
    for (;;) {
      const text = store.read().draft?.text ?? current.text;
      const changed = await client.config.edit.mutate({ text, edits: [...edits] });
      // Typed meanwhile: the edit is made once more, on what stands there now.
      if ((store.read().draft?.text ?? current.text) !== text) continue;
      put(changed.text, "form");
      return;
    }
  };
  // One after the other: each starts from what the one before it made.
  const queue = useRef<Promise<unknown>>(Promise.resolve());
  const waiting = useRef(0);
  const mutation = useMutation({
    mutationFn: (edits: readonly ConfigEdit[]) => {
      const turn = queue.current.then(() => edit(edits));
      queue.current = turn.catch(() => undefined);
      return turn.finally(() => waiting.current--);
    },
    onError: (error) => {
      const { title, detail } = errorText(error);
      toast.error(t("config.editFailed"), { description: `${title} ${detail}`.trim() });
    },
  });

  const begin = (edits: readonly ConfigEdit[]) => {
    waiting.current++;
    return mutation.mutateAsync(edits);
  };
  // The toast says it.
  const beginAndForget = (edits: readonly ConfigEdit[]) => void begin(edits).catch(() => undefined);

  return {
    ...snapshot,
    text: snapshot.draft?.text ?? current.text,
    /** Changes fields; the server writes the text, so that comments stay. Failures are said in a toast, the draft stays as it was. */
    edit: beginAndForget,
    /** The same for edits of a place in a list: not while an earlier edit may still move the places. */
    editPlace: (edits: readonly ConfigEdit[]) => {
      if (waiting.current === 0) beginAndForget(edits);
    },
    /** The same, for a form that waits for the end and shows a failure by itself. */
    editAndWait: begin,
    isEditing: mutation.isPending,
    /** From the editor. */
    type: (text: string) => put(text, "typing"),
    /** Another text as a whole: a file, an old revision, a merge. `baseRevision` = it stands on that one now. */
    replace: (text: string, baseRevision?: number) => put(text, "form", baseRevision),
    undo: () => store.undo(),
    discard: () => store.change(null, "form"),
    /** After a save: what was changed since then (in another tab) stays a draft, on the saved revision. */
    finish: (saved: RevisionView, sentText: string) => {
      const { draft } = store.read();
      if (draft === null || draft.text === sentText) store.clear();
      else store.change({ ...draft, baseRevision: saved.number }, "form");
    },
  };
}

export type ConfigDraftState = ReturnType<typeof useConfigDraft>;
