import { syntaxTree } from "@codemirror/language";
import { RangeSetBuilder } from "@codemirror/state";
import { Decoration, type DecorationSet, type EditorView, ViewPlugin, type ViewUpdate } from "@codemirror/view";

/** Colours by the grammar's own names; the classes are in the editor's theme, whose colours are the page's, in both themes. */
const MARKS = {
  key: Decoration.mark({ class: "yaml-key" }),
  text: Decoration.mark({ class: "yaml-text" }),
  comment: Decoration.mark({ class: "yaml-comment" }),
  name: Decoration.mark({ class: "yaml-name" }),
} as const;

function markOf(name: string, parent: string | undefined): Decoration | null {
  switch (name) {
    case "Comment":
      return MARKS.comment;
    case "Literal":
    case "QuotedLiteral":
      return parent === "Key" ? MARKS.key : MARKS.text;
    case "BlockLiteralContent":
      return MARKS.text;
    case "Anchor":
    case "Alias":
    case "Tag":
    case "BlockLiteralHeader":
      return MARKS.name;
    default:
      return null;
  }
}

function decorate(view: EditorView): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>();
  for (const { from, to } of view.visibleRanges) {
    syntaxTree(view.state).iterate({
      from,
      to,
      enter: (node) => {
        const mark = markOf(node.name, node.node.parent?.name);
        if (mark !== null && node.from < node.to) builder.add(node.from, node.to, mark);
      },
    });
  }
  return builder.finish();
}

/** YAML in colours, for what is on screen. */
export const yamlColors = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;

    constructor(view: EditorView) {
      this.decorations = decorate(view);
    }

    update(update: ViewUpdate) {
      const isParsedFurther = syntaxTree(update.startState) !== syntaxTree(update.state);
      if (update.docChanged || update.viewportChanged || isParsedFurther) this.decorations = decorate(update.view);
    }
  },
  { decorations: (plugin) => plugin.decorations },
);
