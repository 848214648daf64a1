"use client";

import { memo } from "react";
import { DiffRowView } from "./diff-row";
import type { RowContext } from "./row-parts";
import { ApprovalRowView, ErrorRowView, MessageRowView, NoteRowView, SuppressedRowView } from "./small-rows";
import { ToolRowView } from "./tool-row";
import type { TraceRow } from "./trace-row";
import { EndRowView, TurnRowView } from "./turn-row";

interface TraceRowViewProps {
  row: TraceRow;
  context: RowContext;
  isOpen: boolean;
  /** With the key of the row. */
  onToggle: (key: string) => void;
}

/** One row, drawn again only when it changed. */
export const TraceRowView = memo(function TraceRowView({ row, context, isOpen, onToggle }: TraceRowViewProps) {
  const opening = { isOpen, onToggle: () => onToggle(row.key) };
  switch (row.kind) {
    case "turn":
      return <TurnRowView row={row} context={context} />;
    case "end":
      return <EndRowView row={row} />;
    case "tool":
      return <ToolRowView row={row} context={context} {...opening} />;
    case "message":
      return <MessageRowView row={row} context={context} {...opening} />;
    case "diff":
      return <DiffRowView row={row} context={context} {...opening} />;
    case "error":
      return <ErrorRowView row={row} />;
    case "approval":
      return <ApprovalRowView row={row} />;
    case "suppressed":
      return <SuppressedRowView row={row} {...opening} />;
    case "note":
      return <NoteRowView row={row} />;
  }
});
