import { indentWithTab } from "@codemirror/commands";
import { yaml } from "@codemirror/lang-yaml";
import {
  bracketMatching,
  foldGutter,
  foldKeymap,
  HighlightStyle,
  indentOnInput,
  indentUnit,
  syntaxHighlighting,
} from "@codemirror/language";
import { lintKeymap } from "@codemirror/lint";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { EditorState, type Extension } from "@codemirror/state";
import { EditorView, highlightActiveLine, highlightActiveLineGutter, keymap, lineNumbers } from "@codemirror/view";
import { minimalSetup } from "codemirror";
import type { Translate } from "@/components/i18n/i18n-provider";
import { editorTheme } from "./editor-theme";
import { yamlColors } from "./yaml-colors";

/** The library's English words, each with our message. */
const PHRASES = {
  Find: "config.editor.find",
  Replace: "config.editor.replace",
  next: "config.editor.next",
  previous: "config.editor.previous",
  all: "config.editor.all",
  "match case": "config.editor.matchCase",
  "by word": "config.editor.byWord",
  regexp: "config.editor.regexp",
  replace: "config.editor.replaceOne",
  "replace all": "config.editor.replaceAll",
  close: "common.close",
  "current match": "config.editor.currentMatch",
  "on line": "config.editor.onLine",
  "Go to line": "config.editor.goToLine",
  go: "config.editor.go",
  Diagnostics: "config.problems",
  "No diagnostics": "config.noProblems",
  "Fold line": "config.editor.fold",
  "Unfold line": "config.editor.unfold",
  "folded code": "config.editor.folded",
  unfold: "config.editor.unfold",
  "$ unchanged lines": "config.editor.unchanged",
} as const;

interface EditorOptions {
  t: Translate;
  /** Accessible name. */
  label: string;
  isReadOnly: boolean;
}

/**
 * An editor for YAML in the page's language and colours. Tab indents; Escape and then Tab leaves it, as the library sees to, so
 * nobody is caught in it.
 */
export function editorExtensions({ t, label, isReadOnly }: EditorOptions): Extension[] {
  const phrases = Object.fromEntries(Object.entries(PHRASES).map(([phrase, key]) => [phrase, t(key)]));
  return [
    minimalSetup,
    lineNumbers(),
    foldGutter(),
    highlightActiveLine(),
    highlightActiveLineGutter(),
    bracketMatching(),
    indentOnInput(),
    indentUnit.of("  "),
    yaml(),
    yamlColors,
    // Its being there keeps the library's own colours away, which no dark page can show.
    syntaxHighlighting(HighlightStyle.define([])),
    search({ top: true }),
    highlightSelectionMatches(),
    keymap.of([...searchKeymap, ...foldKeymap, ...lintKeymap, indentWithTab]),
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({ "aria-label": label, spellcheck: "false", tabindex: "0" }),
    EditorState.phrases.of(phrases),
    EditorState.readOnly.of(isReadOnly),
    editorTheme,
  ];
}
