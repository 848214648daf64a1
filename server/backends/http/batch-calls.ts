/** What both batch protocols are made of: small calls with JSON answers, bodies that are streamed, and files read line by line. */
import { Readable } from "node:stream";
import type { z } from "zod";
import { BackendError, type Turn } from "@/server/backends/backend";
import type { BatchAnswer, BatchLimits, BatchProblem, BatchRequest } from "@/server/backends/batch-backend";
import type { ProviderAccess } from "@/server/backends/provider-access";
import { exchange, type HttpAnswer, type HttpRequest, readBeginning, TransportError } from "@/server/backends/transport/http-sse";
import { readLines } from "@/server/backends/transport/read-lines";
import type { AnswerTranslator } from "./answer-translator";
import { ERROR_BODY_LENGTH, type FailureContext, failureOfStatus, failureOfTransport } from "./failure";

/** Milliseconds and sizes; tests set smaller ones. */
export interface BatchBounds extends BatchLimits {
  /** For a call with a small answer. */
  callMs: number;
  /** For handing over or fetching a whole file. */
  fileMs: number;
  /** Characters of a small answer that are read. */
  answerLength: number;
  /** Characters of one line of a file of answers. */
  lineLength: number;
  /** Bytes of such a file: more than the answers of the largest job. */
  fileBytes: number;
}

export const USUAL_BATCH_BOUNDS: Omit<BatchBounds, keyof BatchLimits> = {
  callMs: 60_000,
  fileMs: 3_600_000,
  answerLength: 1024 * 1024,
  lineLength: 32 * 1024 * 1024,
  fileBytes: 16 * 1024 * 1024 * 1024,
};

/** Pages of a list of jobs that are looked through. */
export const MOST_JOB_PAGES = 50;

/** What the HTTP backend lends to its batch protocol. */
export interface HttpLoan {
  providerName: string;
  /** A request to a path below the provider's address, with its key. */
  request(method: "GET" | "POST", path: string, access: ProviderAccess, signal: AbortSignal, totalMs: number): HttpRequest;
  context(secrets: ProviderAccess["secrets"]): FailureContext;
  /** The body of one request as a turn would have it. */
  body(turn: Turn): Record<string, unknown>;
  createTranslator(context: FailureContext): AnswerTranslator;
  /** Milliseconds that a whole request may take; goes into the body of no protocol. */
  timeoutMs: number;
}

/** One call: where, as whom, until when. */
export interface Call {
  method: "GET" | "POST";
  path: string;
  access: ProviderAccess;
  signal: AbortSignal;
  /** A small JSON body. */
  json?: unknown;
  /** A large one: its type, its exact number of bytes, and its pieces. */
  stream?: { type: string; bytes: number; pieces(): AsyncIterable<string> };
  /** The answer is a whole file. */
  isFile?: boolean;
  /** An address of the provider's own choice, which must lie on the provider's own host. */
  url?: string;
}

export interface BatchCalls {
  readonly bounds: BatchBounds;
  readonly providerName: string;
  context(access: ProviderAccess): FailureContext;
  /** The JSON of an answer with status 200 or 201. Throws a `BackendError`. `what` is named when it has another form. */
  call<T>(call: Call, schema: z.ZodType<T>, what: string): Promise<T>;
  /** The lines of a file; false of `take` ends the reading. */
  lines(call: Call, take: (line: string, number: number) => Promise<boolean>): Promise<void>;
  /** The body of a request as it would be sent alone, without the wish for a stream. */
  bodyOf(request: BatchRequest, access: ProviderAccess): Record<string, unknown>;
  /** A whole answer of the protocol, as its translator reads it. Never throws for what stands in it. */
  answerOf(place: { id: string; line: number }, body: unknown, access: ProviderAccess): BatchAnswer;
}

export function createBatchCalls(loan: HttpLoan, bounds: BatchBounds): BatchCalls {
  const { providerName } = loan;
  const context = ({ secrets }: ProviderAccess) => loan.context(secrets);

  async function send<T>(call: Call, read: (answer: HttpAnswer) => Promise<T>): Promise<T> {
    const isLarge = call.stream !== undefined || call.isFile === true;
    const request = loan.request(call.method, call.path, call.access, call.signal, isLarge ? bounds.fileMs : bounds.callMs);
    request.headers.accept = "application/json";
    if (call.url !== undefined) request.url = ownAddress(call.url, request.url, providerName);
    if (isLarge) request.maxBytes = bounds.fileBytes;
    const { json, stream } = call;
    if (json !== undefined) {
      request.headers["content-type"] = "application/json";
      request.body = () => JSON.stringify(json);
    } else if (stream !== undefined) {
      request.headers["content-type"] = stream.type;
      // Servers that store what comes want to know how much that will be.
      request.headers["content-length"] = String(stream.bytes);
      request.body = () => Readable.from(stream.pieces());
    }
    try {
      return await exchange(request, read);
    } catch (error) {
      call.signal.throwIfAborted();
      if (!(error instanceof TransportError)) throw error;
      throw failureOfTransport(context(call.access), error, { timeoutMs: request.totalMs, idleMs: request.idleMs }, "");
    }
  }

  async function refuseStatus(call: Call, answer: HttpAnswer): Promise<void> {
    if (answer.status === 200 || answer.status === 201) return;
    const body = await readBeginning(answer, ERROR_BODY_LENGTH);
    throw failureOfStatus(context(call.access), { status: answer.status, headers: answer.headers, body });
  }

  return {
    bounds,
    providerName,
    context,
    call: (call, schema, what) =>
      send(call, async (answer) => {
        await refuseStatus(call, answer);
        let text = "";
        await answer.read((piece) => {
          text += piece;
          return text.length <= bounds.answerLength ? undefined : false;
        });
        const parsed = schema.safeParse(parseOrNull(text));
        if (parsed.success) return parsed.data;
        throw new BackendError("backend-protocol-error", `${providerName} answered with something that is no ${what}.`);
      }),
    lines: (call, take) =>
      send(call, async (answer) => {
        await refuseStatus(call, answer);
        await readLines(answer, bounds.lineLength, take);
      }),
    bodyOf(request, access) {
      const { id, ...turn } = request;
      const {
        stream: _,
        stream_options: __,
        ...body
      } = loan.body({ ...access, ...turn, generation: {}, requestId: id, timeoutMs: loan.timeoutMs });
      return body;
    },
    answerOf(place, body, access) {
      const translator = loan.createTranslator(context(access));
      try {
        translator.push(JSON.stringify(body ?? null));
        return { ...place, kind: "answered", result: translator.result() };
      } catch (error) {
        if (!(error instanceof BackendError)) throw error;
        const { failureKind, message, partialText } = error;
        return { ...place, kind: "failed", failureKind, message, ...(partialText === undefined ? {} : { partialText }) };
      }
    },
  };
}

/** Reads one line of a file as JSON of a form; a problem says why it is none. */
export function lineOf<T>(schema: z.ZodType<T>, text: string, line: number): { value: T } | BatchProblem {
  const parsed = schema.safeParse(parseOrNull(text));
  return parsed.success ? { value: parsed.data } : { line, problem: "It is not of the form that files of answers have." };
}

/**
 * An address that the provider names is used when it lies where the provider itself is: the key goes nowhere else. Throws a
 * `BackendError` otherwise.
 */
function ownAddress(named: string, own: string, providerName: string): string {
  if (URL.canParse(named) && new URL(named).origin === new URL(own).origin) return named;
  throw new BackendError(
    "backend-protocol-error",
    `${providerName} says that the answers lie on another server; they were not fetched, since the key goes to its own address only.`,
    { retryable: false },
  );
}

/** Waits for a call that cancels a job. One that has ended by itself meanwhile cannot be cancelled, which is no failure. */
export async function unlessEnded(cancelling: Promise<unknown>, hasEnded: () => Promise<boolean>): Promise<void> {
  try {
    await cancelling;
  } catch (error) {
    const isRefusal = error instanceof BackendError && error.httpStatus !== undefined && error.httpStatus < 500;
    if (!isRefusal || !(await hasEnded())) throw error;
  }
}

function parseOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
