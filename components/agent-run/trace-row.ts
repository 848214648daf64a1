import type { FailureKind } from "@/server/artifacts/failure-kind.rules";
import type { ApprovalStatus, CommandStatus } from "@/server/runs/agent-run.rules";

/** The end of a call is unknown when its turn ended without telling it; one that outlived its turn ends with its process at the latest. */
export type ToolState = "running" | "ok" | "failed" | "declined" | "still_running" | "process_ended" | "unknown";

/** A text that the event holds whole or in part; the whole is the artifact then. */
export interface KeptText {
  text: string;
  /** UTF-8 bytes of the whole. */
  bytes: number;
  isCut: boolean;
  artifactId: string | null;
}

export interface AskedApproval {
  approvalId: string;
  kind: "command" | "file-change";
  subject: string;
  status: ApprovalStatus;
  by: string | null;
}

interface RowPlace {
  /** The same for as long as the row is there, whatever becomes of it. */
  key: string;
  /** Of the event that it began with. */
  seq: number;
  ts: string;
}

/** The beginning of a turn: a section of the conversation. `dropped`: the turn before it did not complete, so it never began. */
export interface TurnRow extends RowPlace {
  kind: "turn";
  commandId: string;
  /** From 1; interrupts are not counted. */
  number: number;
  status: CommandStatus | "dropped";
  /** The first characters. */
  prompt: string;
  startedAt: string | null;
  endedAt: string | null;
}

/** How a turn ended. */
export interface EndRow extends RowPlace {
  kind: "end";
  number: number;
  status: Exclude<CommandStatus, "queued" | "running">;
  failureKind: FailureKind | null;
  /** Null when nothing is to be said, or when the error before it has said it. */
  message: string | null;
  milliseconds: number | null;
}

/** One call from its start to its end. */
export interface ToolRow extends RowPlace {
  kind: "tool";
  itemId: string;
  toolName: string;
  command: string | null;
  cwd: string | null;
  state: ToolState;
  /** In the runtime's own words. */
  status: string;
  exitCode: number | null;
  /** Null while it runs. */
  milliseconds: number | null;
  /** UTF-8 bytes of its whole output; null while nothing is known of it. */
  bytes: number | null;
  /** Sequence of the event that ended it: its output comes right after. */
  endSeq: number | null;
  approval: AskedApproval | null;
}

export interface MessageRow extends RowPlace {
  kind: "message";
  said: KeptText;
  /** The reply of its turn. */
  isFinal: boolean;
  /** Said on the way, and not as an answer. */
  isCommentary: boolean;
}

export interface DiffRow extends RowPlace {
  kind: "diff";
  /** `turn`: all that the turn changed, together. */
  scope: "call" | "turn";
  /** `proposed`: a person is asked about it. */
  state: "proposed" | "ok" | "failed" | "declined" | "unknown";
  paths: readonly string[];
  files: number;
  patch: KeptText;
  added: number;
  removed: number;
  approval: AskedApproval | null;
}

export interface ErrorRow extends RowPlace {
  kind: "error";
  /** Null when it is none of ours: another version wrote it. */
  failureKind: FailureKind | null;
  message: string;
  /** It is tried again. The same error in a row is one row. */
  isRetried: boolean;
  times: number;
}

/** A question that belongs to no call that is known. */
export interface ApprovalRow extends RowPlace {
  kind: "approval";
  itemId: string;
  approval: AskedApproval;
}

/** What the runtime said and no line tells, by kind of message. */
export interface SuppressedRow extends RowPlace {
  kind: "suppressed";
  total: number;
  counts: readonly { name: string; count: number }[];
}

/** A small remark: the conversation was taken up, an interrupt was ordered, the run was cancelled. */
export interface NoteRow extends RowPlace {
  kind: "note";
  note: "started" | "resumed" | "interrupt" | "cancelled" | "status";
  /** A reason, or a phase in the runtime's own words. */
  text: string | null;
  model: string | null;
  version: string | null;
}

export type TraceRow = TurnRow | EndRow | ToolRow | MessageRow | DiffRow | ErrorRow | ApprovalRow | SuppressedRow | NoteRow;

/** Whether the row says that something went wrong and is not tried again. */
export function isErrorRow(row: TraceRow): boolean {
  switch (row.kind) {
    case "error":
      return !row.isRetried;
    case "end":
      return row.status === "failed" || row.status === "blocked";
    case "tool":
    case "diff":
      return row.state === "failed";
    default:
      return false;
  }
}
