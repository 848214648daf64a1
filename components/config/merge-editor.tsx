"use client";

import { MergeView, unifiedMergeView } from "@codemirror/merge";
import { EditorState } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { useEffect, useEffectEvent, useRef } from "react";
import { useI18n } from "@/components/i18n/i18n-provider";
import { useMediaQuery } from "@/components/ui/use-media-query";
import { editorExtensions } from "./editor-extensions";
import { isOwnChange, showText } from "./editor-sync";

/** Two texts side by side need this. */
const WIDE = "(min-width: 48rem)";
const COLLAPSE = { margin: 3, minSize: 6 };

interface MergeEditorProps {
  theirs: string;
  /** The draft. */
  mine: string;
  onChange: (text: string) => void;
}

/** Theirs beside mine, or mixed on a narrow screen: mine is edited, by typing or by taking over one place of theirs. */
export function MergeEditor({ theirs, mine, onChange }: MergeEditorProps) {
  const { t } = useI18n();
  const isWide = useMediaQuery(WIDE);
  const parent = useRef<HTMLDivElement>(null);
  const editor = useRef<EditorView | null>(null);
  const report = useEffectEvent((text: string) => onChange(text));
  const create = useEffectEvent((element: HTMLElement) => {
    const takeButton = () => {
      const button = document.createElement("button");
      button.type = "button";
      button.title = t("config.merge.takePlace");
      button.setAttribute("aria-label", t("config.merge.takePlace"));
      button.textContent = "→";
      return button;
    };
    const mineExtensions = [
      ...editorExtensions({ t, label: t("config.merge.mine"), isReadOnly: false }),
      EditorView.updateListener.of((update) => {
        if (isOwnChange(update)) report(update.state.doc.toString());
      }),
    ];
    if (isWide) {
      const both = new MergeView({
        parent: element,
        a: {
          doc: theirs,
          extensions: [...editorExtensions({ t, label: t("config.merge.theirs"), isReadOnly: true })],
        },
        b: { doc: mine, extensions: mineExtensions },
        revertControls: "a-to-b",
        renderRevertControl: takeButton,
        collapseUnchanged: COLLAPSE,
      });
      editor.current = both.b;
      return both;
    }
    editor.current = new EditorView({
      parent: element,
      state: EditorState.create({
        doc: mine,
        extensions: [
          ...mineExtensions,
          unifiedMergeView({
            original: theirs,
            collapseUnchanged: COLLAPSE,
            mergeControls: (kind, action) => {
              const button = document.createElement("button");
              button.type = "button";
              button.name = kind;
              button.textContent = t(kind === "accept" ? "config.merge.keepPlace" : "config.merge.takePlace");
              button.addEventListener("mousedown", action);
              button.addEventListener("click", (event) => {
                // Pressed by a key: the library listens to the mouse only.
                if (event.detail === 0) action(event);
              });
              return button;
            },
          }),
        ],
      }),
    });
    return editor.current;
  });
  // The editor is a thing of its own beside React.
  // biome-ignore lint/correctness/useExhaustiveDependencies: other words or another side need another editor.
  useEffect(() => {
    const created = parent.current === null ? null : create(parent.current);
    return () => {
      created?.destroy();
      editor.current = null;
    };
  }, [t, theirs, isWide]);
  useEffect(() => {
    if (editor.current !== null) showText(editor.current, mine);
  }, [mine]);
  return <div ref={parent} className="merge-editor h-full overflow-auto" />;
}
