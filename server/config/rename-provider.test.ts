import { describe, expect, it } from "vitest";
import { parseConfigText } from "./config-yaml";
import { settingsOfProvider } from "./provider-settings";
import { renameProvider } from "./rename-provider";

const FILE = `# Our configuration

providers:   # who serves
  # The main one.
  "loop":   # in quotes
    baseUrl: http://127.0.0.1:1/v1 # beside the address
    apiKey: env:LOOP_KEY

  openrouter: { apiKey: env:OPENROUTER_API_KEY }   # on one line
models:
  default: 'loop/auto' # a quoted one
  extract:
    # why these two
    candidates: [ loop/a,"loop/b" , openrouter/loop/c ]   # in brackets
  planner:
    candidates:
      - loop/vendor/model:free # first
      # between
      - mock/loop

maxRounds: 20
# loop/auto in a comment stays
`;

function renamed(text: string, from: string, to: string): string {
  const result = renameProvider(text, from, to);
  if (!result.ok) throw new Error(result.error);
  return result.value;
}

const profileOf = (text: string, name: string) => {
  const { document } = parseConfigText(text);
  return document && settingsOfProvider(document, name)?.profile;
};

describe("a provider under another name", () => {
  it("takes its models along; comments, quotes, blanks and all else stay", () => {
    expect(renamed(FILE, "loop", "local.1").split("\n")).toEqual(
      FILE.replace('"loop":', '"local.1":')
        .replace("'loop/auto'", "'local.1/auto'")
        .replace("[ loop/a", "[ local.1/a")
        .replace('"loop/b"', '"local.1/b"')
        .replace("- loop/vendor", "- local.1/vendor")
        .split("\n"),
    );
  });

  it("keeps the profile that its old name stood for", () => {
    const text = renamed(FILE, "openrouter", "spare");
    expect(text).toContain("  spare: { apiKey: env:OPENROUTER_API_KEY, profile: openrouter }   # on one line\n");
    expect(text).toContain('"loop/b" , spare/loop/c ]');
    expect([profileOf(FILE, "openrouter"), profileOf(text, "spare")]).toEqual(["openrouter", "openrouter"]);
  });

  it("keeps its profile when the new name stands for another", () => {
    const text = renamed(FILE, "loop", "ollama");
    expect(profileOf(text, "ollama")).toBe("openai-chat");
    expect(text).toContain("    apiKey: env:LOOP_KEY\n    profile: openai-chat\n");
  });

  it("takes along what an alias repeats", () => {
    const text = "providers: { a: { baseUrl: 'http://127.0.0.1/v1' } }\nmodels:\n  default: &usual a/x\n  extract: *usual\n";
    expect(renamed(text, "a", "b")).toBe(
      "providers: { b: { baseUrl: 'http://127.0.0.1/v1' } }\nmodels:\n  default: &usual b/x\n  extract: *usual\n",
    );
  });

  it("has the line ends and the entry that it had", () => {
    expect(renamed("providers:\r\n  ollama:\r\nmodels:\r\n  default: ollama/x\r\n", "ollama", "own")).toBe(
      "providers:\r\n  own:\r\n    profile: ollama\r\nmodels:\r\n  default: own/x\r\n",
    );
  });

  it("is not changed by its own name", () => {
    expect(renamed(FILE, "loop", "loop")).toBe(FILE);
  });

  it("is renamed in a draft that is wrong elsewhere", () => {
    expect(
      renamed("providers: { a: { baseUrl: 'http://127.0.0.1/v1' } }\nmodels: { default: a/x, plan: nobody/y }\n", "a", "b"),
    ).toBe("providers: { b: { baseUrl: 'http://127.0.0.1/v1' } }\nmodels: { default: b/x, plan: nobody/y }\n");
  });

  it("takes its prices along", () => {
    expect(
      renamed(
        "providers: { a: { baseUrl: 'http://127.0.0.1/v1' } }\nprices:\n  a/*: { input: 1, output: 2 } # all\n  'a/x': { input: 0, output: 0 }\n  ab/x: { input: 1, output: 1 }\n",
        "a",
        "b",
      ),
    ).toBe(
      "providers: { b: { baseUrl: 'http://127.0.0.1/v1' } }\nprices:\n  b/*: { input: 1, output: 2 } # all\n  'b/x': { input: 0, output: 0 }\n  ab/x: { input: 1, output: 1 }\n",
    );
  });

  it.each([
    [FILE, "nobody", "x", 'The document has no provider "nobody" that could be renamed.'],
    [FILE, "mock", "x", 'The document has no provider "mock" that could be renamed.'],
    [FILE, "loop", "openrouter", 'There is a provider "openrouter" already; choose another name.'],
    [FILE, "loop", "a/b", '"a/b" cannot be a name; use letters, digits, ".", "_" and "-", and begin with a letter or a digit.'],
    ["a: 1\na: 2\n", "a", "b", "The text cannot be read as YAML, or says something twice; mend it as a text first."],
    [
      "providers: &p { a: { baseUrl: 'http://127.0.0.1/v1' } }\nworkflows: { kept: *p }\n",
      "a",
      "b",
      'The provider "a" cannot be renamed by itself here; edit the text.',
    ],
  ])("is refused where it cannot be (%#)", (text, from, to, error) => {
    expect(renameProvider(text, from, to)).toEqual({ ok: false, error });
  });
});
