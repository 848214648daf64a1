/** The script of the mock backend: marks like `[[mock:fail=backend-timeout]]` anywhere in the chunk's text. */

import type { FailureKind } from "@/server/artifacts/failure-kind.rules";
import { failureKindSchema } from "@/server/artifacts/failure-kind.schema";
import { BackendError } from "@/server/backends/backend";

export interface MockScript {
  /** `fail=<failureKind>`: every call fails so. */
  fail?: FailureKind;
  /** `fail-times=<n>:<failureKind>`: the first n calls for the same prompt fail so. */
  failTimes?: { times: number; failureKind: FailureKind };
  /** `retry-after=<ms>`: what a failure asks the caller to wait. */
  retryAfterMs?: number;
  /** `invalid-json`: the reply is no JSON. */
  invalidJson: boolean;
  /** `delay=<ms>`: the reply takes that long. */
  delayMs: number;
  /** `hang`: no reply until the turn is aborted. */
  hang: boolean;
  /** `events=<n>`: so many further events. */
  events: number;
  /** `large=<bytes>`: the reply has that size. */
  largeBytes?: number;
  /** `shape=<shape>`: the reply has a form that models give their answers. */
  shape?: MockShape;
  /** `served=<model>`: another model than the one asked for says that it has answered. */
  servedModel?: string;
  /** `needs=<tokens>`: the answer is cut unless it may have so many. */
  neededTokens?: number;
}

/** What can be put around the reply, and done to it. See docs/testing.md. */
export const MOCK_SHAPES = [
  "fence",
  "think",
  "orphan-think",
  "prose",
  "string",
  "array",
  "residue",
  "broken",
  "cut",
  "length",
  "two",
  "misfit",
  "mendable",
] as const;
export type MockShape = (typeof MOCK_SHAPES)[number];

const MARK = /\[\[mock:([^[\]\r\n]{0,200})\]\]/g;

/** Bounds of the numbers a mark may carry: a typing slip must not stop the process. */
const LIMITS = { times: 1_000, milliseconds: 600_000, events: 10_000, bytes: 64 * 1024 * 1024, tokens: 1_000_000 };

/** Reads the marks of a text. A mark it does not know is a `backend-failed`, so that a slip never passes for a success. */
export function readMarks(text: string): MockScript {
  const script: MockScript = { invalidJson: false, delayMs: 0, hang: false, events: 0 };
  for (const match of text.matchAll(MARK)) applyMark(script, match[1] ?? "");
  return script;
}

/** The text as the mock answers it: without its own marks. */
export function withoutMarks(text: string): string {
  return text.replace(MARK, "");
}

function applyMark(script: MockScript, mark: string): void {
  const equals = mark.indexOf("=");
  const name = equals < 0 ? mark : mark.slice(0, equals);
  const value = equals < 0 ? "" : mark.slice(equals + 1);
  switch (name) {
    case "fail":
      script.fail = failureKindOf(mark, value);
      return;
    case "fail-times": {
      const [times = "", failureKind = ""] = value.split(":");
      script.failTimes = { times: numberOf(mark, times, LIMITS.times), failureKind: failureKindOf(mark, failureKind) };
      return;
    }
    case "retry-after":
      script.retryAfterMs = numberOf(mark, value, LIMITS.milliseconds);
      return;
    case "delay":
      script.delayMs = numberOf(mark, value, LIMITS.milliseconds);
      return;
    case "events":
      script.events = numberOf(mark, value, LIMITS.events);
      return;
    case "large":
      script.largeBytes = numberOf(mark, value, LIMITS.bytes);
      return;
    case "shape": {
      const shape = MOCK_SHAPES.find((each) => each === value);
      if (shape === undefined) throw refused(mark, `names no shape; the shapes are ${MOCK_SHAPES.join(", ")}`);
      script.shape = shape;
      return;
    }
    case "needs":
      script.neededTokens = numberOf(mark, value, LIMITS.tokens);
      return;
    case "served":
      if (value === "") throw refused(mark, "names no model");
      script.servedModel = value;
      return;
    case "invalid-json":
    case "hang":
      if (equals >= 0) throw refused(mark, "takes no value");
      if (name === "hang") script.hang = true;
      else script.invalidJson = true;
      return;
    default:
      throw refused(
        mark,
        "is not known; known are fail, fail-times, retry-after, invalid-json, shape, served, delay, hang, events and large",
      );
  }
}

function failureKindOf(mark: string, value: string): FailureKind {
  const parsed = failureKindSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw refused(mark, `names no failure kind; the kinds are ${failureKindSchema.options.join(", ")}`);
}

function numberOf(mark: string, value: string, limit: number): number {
  const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
  if (number <= limit) return number;
  throw refused(mark, `needs a whole number from 0 to ${limit}`);
}

function refused(mark: string, why: string): BackendError {
  return new BackendError("backend-failed", `The mark [[mock:${mark}]] ${why}.`);
}
