import { Annotation } from "@codemirror/state";
import type { EditorView, ViewUpdate } from "@codemirror/view";

/** Marks a change that came from outside, so that it is not reported back. */
const fromOutside = Annotation.define<boolean>();

/** True for what the person at the editor changed. */
export function isOwnChange(update: ViewUpdate): boolean {
  return update.docChanged && !update.transactions.some((transaction) => transaction.annotation(fromOutside));
}

/** Puts the text into the editor, unless it is there already; the cursor and the scrolling stay where they can. */
export function showText(editor: EditorView, text: string): void {
  const present = editor.state.doc.toString();
  const wanted = text.replace(/\r\n?/g, "\n");
  if (present === wanted) return;
  let start = 0;
  while (start < present.length && start < wanted.length && present[start] === wanted[start]) start++;
  let end = 0;
  const most = Math.min(present.length, wanted.length) - start;
  while (end < most && present[present.length - 1 - end] === wanted[wanted.length - 1 - end]) end++;
  editor.dispatch({
    changes: { from: start, to: present.length - end, insert: wanted.slice(start, wanted.length - end) },
    annotations: fromOutside.of(true),
  });
}
