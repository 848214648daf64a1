import { EditorView } from "@codemirror/view";
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { english } from "@/components/i18n/english/dictionary";
import { I18nProvider } from "@/components/i18n/i18n-provider";
import type { ConfigProblem } from "@/server/config/config.rules";
import { DOCUMENT_TEXT } from "./testing-evaluation";
import { type TextPlace, YamlEditor } from "./yaml-editor";

beforeEach(() => {
  // jsdom lays nothing out, and lacks what the editor measures with.
  Range.prototype.getClientRects ??= () => Object.assign([], { item: () => null }) as unknown as DOMRectList;
});
afterEach(() => cleanup());

const PROBLEM: ConfigProblem = {
  severity: "error",
  code: "unknown_provider",
  path: "models.extract",
  line: 7,
  column: 12,
  message: "There is no such provider.",
  details: {},
};

function element(part: {
  text?: string;
  problems?: ConfigProblem[];
  place?: TextPlace | null;
  onChange?: (text: string) => void;
}) {
  return (
    <I18nProvider initialLocale="en" initialDictionary={english} initialZone="utc">
      <YamlEditor text={DOCUMENT_TEXT} label="Configuration as YAML" {...part} />
    </I18nProvider>
  );
}

function editor(): EditorView {
  const view = EditorView.findFromDOM(screen.getByRole("textbox", { name: "Configuration as YAML" }));
  if (view === null) throw new Error("the editor is there");
  return view;
}

describe("the editor", () => {
  it("reports what is typed, and nothing of what came from outside", () => {
    const onChange = vi.fn();
    const { rerender } = render(element({ onChange }));
    editor().dispatch({ changes: { from: 0, insert: "# mine\n" } });
    expect(onChange).toHaveBeenCalledExactlyOnceWith(`# mine\n${DOCUMENT_TEXT}`);
    rerender(element({ onChange, text: DOCUMENT_TEXT.replace("mock-1", "mock-2") }));
    expect(editor().state.doc.toString()).toBe(DOCUMENT_TEXT.replace("mock-1", "mock-2"));
    expect(onChange).toHaveBeenCalledTimes(1);
  });

  it("keeps the cursor where it was when another place changes", () => {
    const { rerender } = render(element({ onChange: () => {} }));
    editor().dispatch({ selection: { anchor: 5 } });
    rerender(element({ onChange: () => {}, text: `${DOCUMENT_TEXT}  planner: a/1\n` }));
    expect(editor().state.selection.main.head).toBe(5);
  });

  it("marks a problem at its place, and goes there when it is told to", async () => {
    const { rerender } = render(element({ onChange: () => {}, problems: [PROBLEM] }));
    await waitFor(() => expect(document.querySelector(".cm-lintRange-error")?.textContent).toBe("mock/mock-1"));
    rerender(element({ onChange: () => {}, problems: [PROBLEM], place: { line: 7, column: 12 } }));
    const { state } = editor();
    const line = state.doc.lineAt(state.selection.main.head);
    expect([line.number, state.selection.main.head - line.from + 1]).toEqual([7, 12]);
  });

  it("survives a problem behind the end of a text that became shorter", () => {
    render(element({ text: "a: 1", problems: [{ ...PROBLEM, line: 99, column: 99 }] }));
    expect(editor().state.doc.toString()).toBe("a: 1");
  });

  it("takes a document of Windows for what it is, without a change", () => {
    const onChange = vi.fn();
    render(element({ text: "a: 1\r\nb: 2\r\n", onChange }));
    expect(editor().state.doc.lines).toBe(3);
    expect(onChange).not.toHaveBeenCalled();
  });

  it("colours keys, values and comments", () => {
    render(element({}));
    const texts = (name: string) => [...document.querySelectorAll(name)].map((each) => each.textContent);
    expect(texts(".yaml-comment")).toEqual(["# Which model does which job."]);
    expect(texts(".yaml-key")).toEqual(["providers", "openai", "apiKey", "models", "default", "extract"]);
    expect(texts(".yaml-text")).toEqual(["env:OPENAI_API_KEY", "openai/gpt-4o-mini", "mock/mock-1"]);
  });

  it("saves on its key", () => {
    const onSave = vi.fn();
    render(
      <I18nProvider initialLocale="en" initialDictionary={english} initialZone="utc">
        <YamlEditor text="a: 1" label="Configuration as YAML" onChange={() => {}} onSave={onSave} />
      </I18nProvider>,
    );
    fireEvent.keyDown(screen.getByRole("textbox", { name: "Configuration as YAML" }), { key: "s", code: "KeyS", ctrlKey: true });
    expect(onSave).toHaveBeenCalledTimes(1);
  });
});
