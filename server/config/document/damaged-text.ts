/**
 * What can still be checked of a text with syntax errors. The library goes on after an error and gives a tree; how much of it is
 * true was tried with what people do: a tab as indentation, a missing colon, a quote or a bracket that is not closed, a line too far
 * in or out. The tree is wrong around the error (a tab lifts what follows to the top, a missing colon joins two lines to one key,
 * an open quote swallows whole sections), and right again from the next section on, for a known key at the beginning of a line can be
 * in the tree only where the library has found its footing. So from the entry that holds the error up to that next section nothing
 * is checked, which the problem says; the rest is. Sections that may have been swallowed count as unreadable, not as absent: nothing
 * is said of what would be missing.
 */
import { type Document, type ErrorCode, isMap, isPair, isScalar, type ParsedNode } from "yaml";

type YamlDocument = Document.Parsed<ParsedNode>;

/** UTF-16 offsets, the end excluded. */
export interface DamagedStretch {
  from: number;
  to: number;
}

export interface SyntaxFault {
  code: ErrorCode;
  at: number;
}

/** The stretches that cannot be checked, in order, apart from each other. */
export function damagedStretches(
  document: YamlDocument,
  faults: readonly SyntaxFault[],
  sections: readonly string[],
  text: string,
): DamagedStretch[] {
  const entries = topEntries(document, text);
  const stretches: DamagedStretch[] = [];
  for (const { code, at } of faults.toSorted((left, right) => left.at - right.at)) {
    // This error is told at the first place that does not belong to the broken part any more.
    const isAfter = code === "BAD_INDENT";
    const from = entries.findLast(({ start }) => (isAfter ? start < at : start <= at))?.start ?? 0;
    const next = entries.find(
      ({ key, start, isLineStart }) => isLineStart && sections.includes(key) && (isAfter ? start >= at : start > at),
    );
    const to = next?.start ?? text.length;
    const last = stretches.at(-1);
    if (last && from <= last.to) last.to = Math.max(last.to, to);
    else stretches.push({ from, to });
  }
  return stretches;
}

/** The sections whose names begin a line of the stretches, however it is indented and with or without a colon. */
export function damagedSections(stretches: readonly DamagedStretch[], sections: readonly string[], text: string): string[] {
  const words = new Set(
    stretches.flatMap(({ from, to }) => [...text.slice(from, to).matchAll(/^[\s"'?]*([A-Za-z]+)/gm)].map(([, word]) => word)),
  );
  return sections.filter((section) => words.has(section));
}

/** Takes the entries of the stretches out of the tree. What has no sections at the top holds nothing that could be trusted. */
export function removeDamaged(document: YamlDocument, stretches: readonly DamagedStretch[]): void {
  const { contents } = document;
  if (!isMap(contents)) return;
  contents.items = contents.items.filter(({ key }) => {
    const start = key?.range?.[0] ?? 0;
    return !stretches.some(({ from, to }) => start >= from && start < to);
  });
}

function topEntries(document: YamlDocument, text: string): { key: string; start: number; isLineStart: boolean }[] {
  const { contents } = document;
  if (!isMap(contents) || contents.flow === true) return [];
  return contents.items.flatMap((pair) => {
    if (!isPair(pair) || !isScalar(pair.key)) return [];
    const start = pair.key.range?.[0] ?? 0;
    return [{ key: String(pair.key.value), start, isLineStart: start === 0 || text[start - 1] === "\n" }];
  });
}
