import { describe, expect, it } from "vitest";
import { type ConfigTextEdit, editConfigText } from "./config-yaml-edit";

const FILE = `# Our configuration
# of two lines

providers:   # who serves
  # The main one.
  openrouter:
    baseUrl:   "https://openrouter.ai/api/v1"   # beside the address
    apiKey: env:OPENROUTER_API_KEY
    # concurrency: 4


  ollama: {  concurrency: 2,profile: ollama }
  # after the last provider

models:
  default: 'openrouter/auto' # a quoted one
  extract:
    # why these two
    candidates: [ openrouter/a,openrouter/b ]   # in brackets
  planner: # in lines
    candidates:
      - openrouter/a # first
      # between
      - openrouter/b

maxRounds: 20
# the end
`;

function edited(text: string, ...edits: ConfigTextEdit[]): string {
  const result = editConfigText(text, edits);
  if (!result.ok) throw new Error(result.error);
  return result.value;
}

/** The lines that are gone, and those that are new. */
function changes(before: string, after: string): { gone: string[]; come: string[] } {
  const [old, young] = [before.split("\n"), after.split("\n")];
  let start = 0;
  while (start < old.length && old[start] === young[start]) start += 1;
  let end = 0;
  while (end < old.length - start && end < young.length - start && old.at(-1 - end) === young.at(-1 - end)) end += 1;
  return { gone: old.slice(start, old.length - end), come: young.slice(start, young.length - end) };
}

describe("an edit changes its own characters only", () => {
  it.each<[string, ConfigTextEdit, string[], string[]]>([
    [
      "a quoted value keeps its quotes, blanks and comment",
      { path: ["providers", "openrouter", "baseUrl"], value: "https://x.test/v1" },
      [`    baseUrl:   "https://openrouter.ai/api/v1"   # beside the address`],
      [`    baseUrl:   "https://x.test/v1"   # beside the address`],
    ],
    ["a number", { path: ["maxRounds"], value: 5 }, ["maxRounds: 20"], ["maxRounds: 5"]],
    [
      "a value that needs quotes",
      { path: ["providers", "openrouter", "apiKey"], value: "a: b # c" },
      ["    apiKey: env:OPENROUTER_API_KEY"],
      ['    apiKey: "a: b # c"'],
    ],
    [
      "a reference with braces needs none",
      { path: ["providers", "openrouter", "apiKey"], value: "${OPENROUTER}" },
      ["    apiKey: env:OPENROUTER_API_KEY"],
      ["    apiKey: ${OPENROUTER}"],
    ],
    [
      "a value in brackets",
      { path: ["providers", "ollama", "concurrency"], value: 3 },
      ["  ollama: {  concurrency: 2,profile: ollama }"],
      ["  ollama: {  concurrency: 3,profile: ollama }"],
    ],
    [
      "a new key in brackets, with the quotes it needs there",
      { path: ["providers", "ollama", "baseUrl"], value: "${OLLAMA}" },
      ["  ollama: {  concurrency: 2,profile: ollama }"],
      ['  ollama: {  concurrency: 2,profile: ollama, baseUrl: "${OLLAMA}" }'],
    ],
    [
      "a key in brackets goes",
      { path: ["providers", "ollama", "concurrency"] },
      ["  ollama: {  concurrency: 2,profile: ollama }"],
      ["  ollama: {  profile: ollama }"],
    ],
    [
      "a new key stands below the last one",
      { path: ["providers", "openrouter", "concurrency"], value: 8 },
      [],
      ["    concurrency: 8"],
    ],
    ["a key goes with its line", { path: ["providers", "openrouter", "apiKey"] }, ["    apiKey: env:OPENROUTER_API_KEY"], []],
    [
      "a missing parent is made",
      { path: ["providers", "openrouter", "timeouts", "idleMs"], value: 5000 },
      [],
      ["    timeouts:", "      idleMs: 5000"],
    ],
    [
      "a new section stands at the end of the others",
      { path: ["supervisor", "enabled"], value: false },
      [],
      ["supervisor:", "  enabled: false"],
    ],
    [
      "an item in brackets",
      { path: ["models", "extract", "candidates", 1], value: "mock/x" },
      ["    candidates: [ openrouter/a,openrouter/b ]   # in brackets"],
      ["    candidates: [ openrouter/a,mock/x ]   # in brackets"],
    ],
    [
      "an item more in brackets",
      { path: ["models", "extract", "candidates", 2], value: "mock/x" },
      ["    candidates: [ openrouter/a,openrouter/b ]   # in brackets"],
      ["    candidates: [ openrouter/a,openrouter/b, mock/x ]   # in brackets"],
    ],
    [
      "an item in a line keeps its comment",
      { path: ["models", "planner", "candidates", 0], value: "mock/x" },
      ["      - openrouter/a # first"],
      ["      - mock/x # first"],
    ],
    ["an item more in lines", { path: ["models", "planner", "candidates", 2], value: "mock/x" }, [], ["      - mock/x"]],
    ["an item goes with its line", { path: ["models", "planner", "candidates", 0] }, ["      - openrouter/a # first"], []],
    [
      "a text becomes lines, its comment stays with the key",
      { path: ["models", "default"], value: { strategy: "least_busy", candidates: ["mock/a", "mock/b"] } },
      ["  default: 'openrouter/auto' # a quoted one"],
      ["  default: # a quoted one", "    strategy: least_busy", "    candidates:", "      - mock/a", "      - mock/b"],
    ],
    [
      "lines become a text, the comment stays with the key",
      { path: ["models", "planner"], value: "mock/x" },
      ["  planner: # in lines", "    candidates:", "      - openrouter/a # first", "      # between", "      - openrouter/b"],
      ["  planner: mock/x # in lines"],
    ],
    [
      "lines become other lines",
      { path: ["models", "planner", "candidates"], value: ["mock/x"] },
      ["      - openrouter/a # first", "      # between", "      - openrouter/b"],
      ["      - mock/x"],
    ],
    [
      "an entry goes with all of its lines",
      { path: ["models", "planner"] },
      ["  planner: # in lines", "    candidates:", "      - openrouter/a # first", "      # between", "      - openrouter/b"],
      [],
    ],
  ])("%s", (_what, edit, gone, come) => {
    expect(changes(FILE, edited(FILE, edit))).toEqual({ gone, come });
  });

  it("never wraps a long line, changed or not", () => {
    const long = `models:\n  default: mock/x # ${"words ".repeat(60)}\nworkflows:\n  a: ${"word ".repeat(60)}end\n`;
    const value = `"quoted" ${"text ".repeat(60)}#x: end`;
    expect(edited(long, { path: ["workflows", "b"], value })).toBe(`${long}  b: '${value}'\n`);
  });

  it("keeps CRLF, also in new lines", () => {
    const text = "# top\r\nmodels:\r\n  default: mock/x # beside\r\n";
    expect(edited(text, { path: ["models", "default"], value: "mock/y" }, { path: ["supervisor", "interval"], value: 3 })).toBe(
      "# top\r\nmodels:\r\n  default: mock/y # beside\r\nsupervisor:\r\n  interval: 3\r\n",
    );
  });

  it("keeps the indentation of the file", () => {
    const wide = "models:\n    default:\n        candidates:\n        - mock/a\n";
    expect(edited(wide, { path: ["models", "planner"], value: { candidates: ["mock/b"] } })).toBe(
      `${wide}    planner:\n        candidates:\n        - mock/b\n`,
    );
  });

  it("keeps a text without a last line end", () => {
    const text = "models:\n  default: mock/x";
    const more = edited(text, { path: ["models", "planner"], value: "mock/y" });
    expect(more).toBe("models:\n  default: mock/x\n  planner: mock/y");
    expect(edited(more, { path: ["models", "planner"] })).toBe(text);
  });

  it("writes into texts of several lines, and out of them", () => {
    const text = "workflows:\n  a: |\n    one\n    two\n  b: 1\n";
    expect(edited(text, { path: ["workflows", "a"], value: "one" })).toBe("workflows:\n  a: one\n  b: 1\n");
    expect(edited(text, { path: ["workflows", "b"], value: "x\ny" })).toBe(
      'workflows:\n  a: |\n    one\n    two\n  b: "x\\ny"\n',
    );
    expect(edited(text, { path: ["workflows", "a"] })).toBe("workflows:\n  b: 1\n");
    expect(edited("workflows:\n  a: |\n    one\n", { path: ["workflows", "b"], value: 1 })).toBe(
      "workflows:\n  a: |\n    one\n  b: 1\n",
    );
  });

  it("changes nothing when the value is there already, or what is removed is not", () => {
    expect(
      edited(
        FILE,
        { path: ["maxRounds"], value: 20 },
        { path: ["maxDepth"] },
        { path: ["models", "none", "candidates"] },
        { path: ["models", "extract", "candidates", 7] },
      ),
    ).toBe(FILE);
  });
});

describe("empty places", () => {
  it.each([
    ["", "models:\n  default: mock/x\n"],
    ["# only a comment\n", "# only a comment\nmodels:\n  default: mock/x\n"],
    ["# no line end", "# no line end\nmodels:\n  default: mock/x\n"],
    ["models:\n", "models:\n  default: mock/x\n"],
    ["models: # soon\nmaxRounds: 3\n", "models: # soon\n  default: mock/x\nmaxRounds: 3\n"],
    ["models: {}\n", "models:\n  default: mock/x\n"],
    ["models: {} # soon\n", "models: # soon\n  default: mock/x\n"],
    ["models: null\n", "models:\n  default: mock/x\n"],
    ["models:\n  default:\n", "models:\n  default: mock/x\n"],
    ["models:\n  default: # which?\n", "models:\n  default: mock/x # which?\n"],
    ["{}", "{ models: { default: mock/x } }"],
    ["---\nmaxRounds: 3\n", "---\nmaxRounds: 3\nmodels:\n  default: mock/x\n"],
  ])("of %j are filled", (text, after) => {
    expect(edited(text, { path: ["models", "default"], value: "mock/x" })).toBe(after);
  });

  it("stay when the last entry goes", () => {
    expect(edited("models: # c\n  default: mock/x # d\nmaxRounds: 3\n", { path: ["models", "default"] })).toBe(
      "models: {} # c\nmaxRounds: 3\n",
    );
    expect(edited("a: { b: 1 }\n", { path: ["a", "b"] })).toBe("a: {}\n");
    expect(edited("a:\n  - 1\n", { path: ["a", 0] })).toBe("a: []\n");
    expect(edited("a: [ 1 ]\n", { path: ["a", 0] })).toBe("a: []\n");
  });
});

describe("an edit is refused", () => {
  const text = "base: &b\n  x: 1\ncopy: *b\nlist: [1]\nname: text\n";
  it.each<[string, ConfigTextEdit["path"], unknown, string]>([
    [text, ["name", "deeper"], 1, 'name: is a single value, so there is no "deeper" in it.'],
    [text, ["name", 0], 1, "name: is a single value, so there is no entry 0 in it."],
    [text, ["list", "x"], 1, 'list: is a list, so there is no "x" in it.'],
    [text, ["list", 3], 1, "list: has 1 entry, so there is no entry 3."],
    [text, ["copy", "x"], 2, "copy: repeats another place by an alias, so it cannot be changed here; edit the text."],
    [text, ["base", "x"], 2, "base.x: cannot be changed by itself here; edit the text."],
    [text, ["base"], undefined, "base: cannot be changed by itself here; edit the text."],
    ["- 1\n", ["models"], 1, 'the document: is a list, so there is no "models" in it.'],
    ["a: [1\n", ["a"], 1, "The text cannot be read as YAML, or says something twice; mend it as a text first."],
    ["a: 1\na: 2\n", ["a"], 1, "The text cannot be read as YAML, or says something twice; mend it as a text first."],
    [text, [], 1, "The path of an edit names at least one key."],
    [text, ["__proto__", "x"], 1, "__proto__.x: this name is reserved."],
  ])("in %j at %j", (given, path, value, error) => {
    const edit = value === undefined ? { path } : { path, value };
    expect(editConfigText(given, [edit])).toEqual({ ok: false, error });
  });

  it("as a whole when one of several is", () => {
    expect(
      editConfigText("a: 1\n", [
        { path: ["a"], value: 2 },
        { path: ["a", "b"], value: 3 },
      ]),
    ).toEqual({
      ok: false,
      error: 'a: is a single value, so there is no "b" in it.',
    });
  });
});
