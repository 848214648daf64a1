import { describe, expect, it } from "vitest";
import { shownCommand, shownPath } from "./command-text";
import { patchLines } from "./patch-lines";

describe("a command", () => {
  it.each([
    ["/bin/bash -c 'touch esc'", "touch esc"],
    ["/bin/bash -lc 'npm test\nnpm run lint'", "npm test\nnpm run lint"],
    ["bash -lc ls", "ls"],
    ["/usr/bin/zsh -lc 'a'", "a"],
    [`/bin/bash -c 'echo '\\''hi'\\'''`, "echo 'hi'"],
    [`/bin/bash -c 'echo '"'"'hi'"'"''`, "echo 'hi'"],
    [`/bin/bash -c "it's"`, "it's"],
    [`/bin/sh -c 'a'`, "a"],
    [`/bin/bash -c "printf '\\\\033[0m' \\"\\$HOME\\""`, `printf '\\033[0m' "$HOME"`],
  ])("%s is shown as %s", (command, shown) => {
    expect(shownCommand(command)).toBe(shown);
  });

  it.each([
    "npm test",
    "/bin/bash script.sh",
    "/bin/bash -c 'a' 'b'",
    `/bin/bash -c "echo $HOME"`,
    `/bin/bash -c "a" "b"`,
    `/bin/bash -c "a\\"`,
    `/bin/bash -c 'a`,
    "/bin/bash -c $X",
    "",
  ])("%s stays as it is", (command) => {
    expect(shownCommand(command)).toBe(command);
  });
});

it("a path is shown as it stands in the workspace", () => {
  expect([
    shownPath("/srv/repo/src/a.ts", "/srv/repo"),
    shownPath("/srv/repo/b", "/srv/repo/"),
    shownPath("/srv/repo2/c", "/srv/repo"),
  ]).toEqual(["src/a.ts", "b", "/srv/repo2/c"]);
});

it("the lines of a patch are told apart", () => {
  expect(patchLines("diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old\n+new\n same\n\n").map(({ kind }) => kind)).toEqual([
    "file",
    "file",
    "file",
    "place",
    "removed",
    "added",
    "same",
    "same",
  ]);
  expect(patchLines("")).toEqual([]);
});
