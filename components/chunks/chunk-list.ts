import type { MouseEvent } from "react";
import type { Selection } from "./selection";
import type { ChunkRows } from "./use-chunk-rows";
import type { GoToTarget } from "./use-go-to-row";

/** What the table and the cards show alike. */
export interface ChunkListProps {
  runId: string;
  rows: ChunkRows;
  selection: Selection;
  onSelect: (index: number, range: boolean) => void;
  onSelectAll: () => void;
  /** Where to go; only while nothing is filtered. */
  target: GoToTarget | null;
  /** A press on the row itself. */
  onOpen: (index: number) => void;
}

/** A press on the row that was not meant for one of its controls, nor ends a selection of text. */
export function isPressOnRow(event: MouseEvent<HTMLElement>): boolean {
  const { target } = event;
  if (!(target instanceof Element) || !event.currentTarget.contains(target)) return false;
  return target.closest("a, button, input, label") === null && window.getSelection()?.type !== "Range";
}
