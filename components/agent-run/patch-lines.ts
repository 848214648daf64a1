/** How a line of a patch is to be read; its first character says the same as the colour. */
export type PatchLineKind = "added" | "removed" | "place" | "file" | "same";

export interface PatchLine {
  kind: PatchLineKind;
  text: string;
}

const FILE_MARKS = ["diff --git ", "index ", "--- ", "+++ ", "new file mode ", "deleted file mode ", "rename ", "similarity "];

function kindOf(line: string): PatchLineKind {
  if (FILE_MARKS.some((mark) => line.startsWith(mark))) return "file";
  if (line.startsWith("@@")) return "place";
  if (line.startsWith("+")) return "added";
  return line.startsWith("-") ? "removed" : "same";
}

export function patchLines(patch: string): PatchLine[] {
  const lines = patch.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines.map((text) => ({ kind: kindOf(text), text }));
}

/** What a patch says of itself, as far as it is there. */
export function patchFacts(patch: string): { added: number; removed: number; paths: string[] } {
  const lines = patchLines(patch);
  const count = (kind: PatchLineKind) => lines.filter((line) => line.kind === kind).length;
  const paths = lines.flatMap(({ text }) => /^diff --git a\/.* b\/(.+)$/.exec(text)?.[1] ?? []);
  return { added: count("added"), removed: count("removed"), paths };
}
