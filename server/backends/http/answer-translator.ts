import type { TokenUsage } from "@/server/artifacts/result-artifact.schema";
import type { FinishReason } from "@/server/backends/backend";

/** What a whole answer says. */
export interface Answer {
  text: string;
  finishReason: FinishReason;
  usage?: TokenUsage;
  servedModel?: string;
  servedProvider?: string;
}

/** From the pieces of one answer to its text. Pure: no network, no clock; one translator a turn. */
export interface AnswerTranslator {
  /** Takes the data of one event, or a whole single answer. Throws a `BackendError` for anything that is not a good piece. */
  push(data: string): void;
  /** What the model has said so far. */
  readonly text: string;
  readonly characters: number;
  /** The model has finished: what may follow (usage, a last mark) takes nothing from its answer. */
  readonly isFinished: boolean;
  /** The protocol's own end came: nothing follows. */
  readonly isDone: boolean;
  /** What was counted so far, where all of it was told; it is paid for whatever becomes of the answer. */
  readonly usage: TokenUsage | undefined;
  /** The whole answer. Throws when the stream ended before the model did, or when the model said nothing. */
  result(): Answer;
}
