import { describe, expect, it } from "vitest";
import { formatMessage, placeholdersOf } from "./message-format";

const RUNS = "{count, plural, =0 {No run} one {# run} other {# runs}} of {name}";

describe("formatMessage", () => {
  it.each([
    [0, "No run of x"],
    [1, "1 run of x"],
    [1_284, "1,284 runs of x"],
  ])("chooses the form for %d", (count, sentence) => {
    expect(formatMessage(RUNS, { count, name: "x" }, "en")).toBe(sentence);
  });

  it("fills variables inside a form", () => {
    expect(formatMessage("{a, plural, other {# of {b}}}", { a: 2, b: 10 }, "en")).toBe("2 of 10");
  });

  it("leaves a number sign outside a plural alone", () => {
    expect(formatMessage("chunk #{index}", { index: 7 }, "en")).toBe("chunk #7");
  });

  it("uses the other form in Chinese, which has no plural", () => {
    expect(formatMessage("{count, plural, one {bad} other {# 个}}", { count: 1 }, "zh")).toBe("1 个");
  });

  it("refuses to write a sentence with a hole", () => {
    expect(() => formatMessage("Hello {name}", {}, "en")).toThrow('needs the variable "name"');
  });

  it("refuses a brace that is not closed", () => {
    expect(() => formatMessage("broken {name", { name: "x" }, "en")).toThrow("not closed");
  });
});

describe("placeholdersOf", () => {
  it("finds names in text, in plurals and in their forms", () => {
    expect(placeholdersOf("{b} {a, plural, one {# {c}} other {#}}")).toEqual(["a", "b", "c"]);
  });
});
