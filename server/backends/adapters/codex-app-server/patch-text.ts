/** The patch of one changed file. Codex gives the bare content of a file that is new or deleted, and hunks of one that is changed. */
import type { FileChangeItem } from "./protocol.schema";

export function patchText({ path, kind, diff }: FileChangeItem["changes"][number]): string {
  const type = typeof kind === "string" ? kind : kind?.type;
  if (type === "add") return `--- /dev/null\n+++ ${path}\n${hunkOf(diff, "+")}`;
  if (type === "delete") return `--- ${path}\n+++ /dev/null\n${hunkOf(diff, "-")}`;
  return `--- ${path}\n${diff}`;
}

/** One hunk that adds or removes the whole content. */
function hunkOf(content: string, sign: "+" | "-"): string {
  if (content === "") return "";
  const isEnded = content.endsWith("\n");
  const lines = (isEnded ? content.slice(0, -1) : content).split("\n");
  const place = sign === "+" ? `-0,0 +1,${lines.length}` : `-1,${lines.length} +0,0`;
  const end = isEnded ? "" : "\n\\ No newline at end of file";
  return `@@ ${place} @@\n${lines.map((line) => `${sign}${line}`).join("\n")}${end}\n`;
}
