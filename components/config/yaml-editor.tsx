"use client";

import { type Diagnostic, lintGutter, setDiagnostics } from "@codemirror/lint";
import { EditorState, type Text } from "@codemirror/state";
import { EditorView, keymap } from "@codemirror/view";
import { useEffect, useEffectEvent, useRef } from "react";
import { useI18n } from "@/components/i18n/i18n-provider";
import type { ConfigProblem } from "@/server/config/config.rules";
import { editorExtensions } from "./editor-extensions";
import { isOwnChange, showText } from "./editor-sync";
import { useProblemText } from "./use-problem-text";

/** A place in the text, from 1. Another object is another wish to go there. */
export interface TextPlace {
  line: number;
  column: number;
}

interface YamlEditorProps {
  text: string;
  label: string;
  /** Absent: the text is only read. */
  onChange?: (text: string) => void;
  onSave?: () => void;
  problems?: readonly ConfigProblem[];
  place?: TextPlace | null;
}

const NO_PROBLEMS: readonly ConfigProblem[] = [];

function offsetOf(document: Text, { line, column }: TextPlace): number {
  const found = document.line(Math.min(Math.max(line, 1), document.lines));
  return Math.min(found.from + Math.max(column, 1) - 1, found.to);
}

/** The word at the place, or the whole line when there is none. */
function rangeOf(document: Text, place: TextPlace): { from: number; to: number } {
  const from = offsetOf(document, place);
  const line = document.lineAt(from);
  const word = /^[^\s,[\]{}]+/.exec(line.text.slice(from - line.from))?.[0].length ?? 0;
  return word > 0 ? { from, to: from + word } : { from: line.from, to: line.to };
}

/** The document as YAML. It follows `text`, keeping the place of the cursor where it can. Loaded only where it is shown. */
export function YamlEditor({ text, label, onChange, onSave, problems = NO_PROBLEMS, place = null }: YamlEditorProps) {
  const { t } = useI18n();
  const problemText = useProblemText();
  const parent = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const isReadOnly = onChange === undefined;
  const report = useEffectEvent((changed: string) => onChange?.(changed));
  const save = useEffectEvent(() => onSave?.());
  const create = useEffectEvent((element: HTMLElement) => {
    const created = new EditorView({
      parent: element,
      state: EditorState.create({
        doc: text,
        extensions: [
          ...editorExtensions({ t, label, isReadOnly }),
          lintGutter(),
          keymap.of([
            {
              key: "Mod-s",
              preventDefault: true,
              run: () => {
                save();
                return true;
              },
            },
          ]),
          EditorView.updateListener.of((update) => {
            if (isOwnChange(update)) report(update.state.doc.toString());
          }),
        ],
      }),
    });
    view.current = created;
    return created;
  });

  // The editor is a thing of its own beside React.
  // biome-ignore lint/correctness/useExhaustiveDependencies: other words need another editor.
  useEffect(() => {
    const created = parent.current === null ? null : create(parent.current);
    return () => {
      created?.destroy();
      view.current = null;
    };
  }, [t, label, isReadOnly]);

  useEffect(() => {
    if (view.current !== null) showText(view.current, text);
  }, [text]);

  const diagnose = useEffectEvent((editor: EditorView) => {
    const diagnostics = problems.flatMap((problem): Diagnostic[] => {
      if (problem.line === null) return [];
      const range = rangeOf(editor.state.doc, { line: problem.line, column: problem.column ?? 1 });
      return [{ ...range, severity: problem.severity, message: problemText(problem) }];
    });
    editor.dispatch(setDiagnostics(editor.state, diagnostics));
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: other words need other marks.
  useEffect(() => {
    if (view.current !== null) diagnose(view.current);
  }, [problems, t]);

  useEffect(() => {
    const editor = view.current;
    if (editor === null || place === null) return;
    const anchor = offsetOf(editor.state.doc, place);
    editor.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: "center" }) });
    editor.focus();
  }, [place]);

  return <div ref={parent} className="h-full min-h-0" />;
}
