import { expect, it } from "vitest";
import { patchText } from "./patch-text";

it("of a new or deleted file has its content line by line; of a changed one what Codex tells", () => {
  const change = (type: string, diff: string) => patchText({ path: "/w/a", kind: { type }, diff });
  expect(change("add", "one\ntwo\n")).toBe("--- /dev/null\n+++ /w/a\n@@ -0,0 +1,2 @@\n+one\n+two\n");
  expect(change("add", "one\n\nend")).toBe(
    "--- /dev/null\n+++ /w/a\n@@ -0,0 +1,3 @@\n+one\n+\n+end\n\\ No newline at end of file\n",
  );
  expect(change("add", "")).toBe("--- /dev/null\n+++ /w/a\n");
  expect(change("delete", "one\n")).toBe("--- /w/a\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-one\n");
  expect(change("update", "@@ -1 +1 @@\n-a\n+b\n")).toBe("--- /w/a\n@@ -1 +1 @@\n-a\n+b\n");
  expect(patchText({ path: "/w/a", kind: null, diff: "+a\n" })).toBe("--- /w/a\n+a\n");
});
