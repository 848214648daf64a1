/** Reads what a server answered to a turn into a translator: a stream of events, or one JSON body where it sends that instead. */
import { BackendError } from "@/server/backends/backend";
import {
  createEventReader,
  type EventReader,
  type HttpAnswer,
  readBeginning,
  TransportError,
} from "@/server/backends/transport/http-sse";
import type { AnswerTranslator } from "./answer-translator";
import { ERROR_BODY_LENGTH, type FailureContext, failureOfStatus } from "./failure";

/** After the protocol's own end the connection is worth keeping only if it ends at once. */
const AFTER_DONE_MS = 100;

/** What the reading of an answer needs to know of its protocol. */
export interface AnswerForm {
  /** True where a base URL that does not end in /v1 is the usual mistake. */
  endsInVersion: boolean;
}

export interface AnswerBounds {
  /** Characters of one event. */
  maxEventLength: number;
  /** Milliseconds for what follows the finish reason (usage, the last mark, the end). */
  afterFinishMs: number;
}

/** `onText` is called whenever text has been added. Throws a `BackendError` or a `TransportError`. */
export async function readAnswer(
  context: FailureContext,
  answer: HttpAnswer,
  translator: AnswerTranslator,
  onText: () => void,
  bounds: AnswerBounds,
  form: AnswerForm,
): Promise<void> {
  if (answer.status !== 200) throw failureOfStatus(context, { ...answer, body: await readBeginning(answer, ERROR_BODY_LENGTH) });
  const encoding = answer.headers["content-encoding"]?.trim().toLowerCase();
  if (encoding && encoding !== "identity") {
    throw new BackendError(
      "backend-protocol-error",
      `${context.providerName} compressed its answer (${encoding.slice(0, 20)}), which was not asked for.`,
    );
  }
  const type = answer.headers["content-type"]?.split(";")[0]?.trim().toLowerCase() ?? "";
  if (type === "text/html" || type.startsWith("image/") || type === "application/xml" || type === "text/xml") {
    throw new BackendError(
      "backend-protocol-error",
      form.endsInVersion
        ? `${context.providerName} answered with ${type} where a chat answer was expected. Does the base URL end in /v1?`
        : `${context.providerName} answered with ${type} where a chat answer was expected. Is the base URL the address of its API?`,
    );
  }
  const body = await readPieces(context, answer, translator, onText, bounds, type);
  if (body === null) return;
  if (body.trim() === "")
    throw new BackendError("backend-json-parse-error", `${context.providerName} answered with an empty body.`);
  translator.push(body);
  if (translator.characters > 0) onText();
}

/** Reads a stream of events to its end, or returns the whole body when the server sent a single JSON answer instead. */
async function readPieces(
  context: FailureContext,
  answer: HttpAnswer,
  translator: AnswerTranslator,
  onText: () => void,
  bounds: AnswerBounds,
  type: string,
): Promise<string | null> {
  const bodyParts: string[] = [];
  let isStream: boolean | undefined = type === "text/event-stream" ? true : type === "application/json" ? false : undefined;
  const reader = createEventReader(bounds.maxEventLength, (data) => {
    const before = translator.characters;
    translator.push(data);
    if (translator.characters > before) onText();
  });
  let wasFinished = false;
  try {
    await answer.read((piece) => {
      // Without a content type the first character tells: `{` begins JSON, anything else is a line of events.
      isStream ??= piece.trim() === "" ? undefined : !piece.trimStart().startsWith("{");
      if (!isStream) {
        bodyParts.push(piece);
        return;
      }
      reader.feed(piece);
      if (translator.isDone) answer.setIdleLimit(AFTER_DONE_MS);
      else if (translator.isFinished && !wasFinished) answer.setIdleLimit(bounds.afterFinishMs);
      wasFinished = translator.isFinished;
    });
  } catch (error) {
    // The model had finished: a rest that is slow, cut or missing takes nothing from the answer.
    if (error instanceof TransportError && translator.isFinished) return null;
    throw error;
  }
  if (!isStream) return bodyParts.join("");
  endStream(context, reader, translator);
  return null;
}

function endStream(context: FailureContext, reader: EventReader, translator: AnswerTranslator): void {
  try {
    reader.end();
  } catch (error) {
    // Half an event at the end is a stream that was cut, which `result()` reports.
    if (!(error instanceof BackendError) || error.failureKind !== "backend-json-parse-error") throw error;
  }
  if (!translator.isFinished && translator.characters === 0 && reader.strayLines > 0) {
    throw new BackendError("backend-protocol-error", `${context.providerName} sent text that is no event stream.`);
  }
}
