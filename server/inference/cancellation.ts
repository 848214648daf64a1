import type { CancellationReason } from "@/server/events/event.rules";

/** The reason an `AbortSignal` of ours carries: why the work was called off, as one of four labels. Never swallowed, always rethrown. */
export class Cancellation extends Error {
  readonly reason: CancellationReason;

  constructor(reason: CancellationReason, message?: string) {
    super(message ?? `Cancelled: ${reason.replaceAll("_", " ")}.`);
    this.name = "Cancellation";
    this.reason = reason;
  }
}

/** Recognised by name: pages, route handlers and instrumentation are separate module instances. */
export function isCancellation(error: unknown): error is Cancellation {
  return error instanceof Error && error.name === "Cancellation" && "reason" in error;
}

/** The cancellation that an aborted signal stands for; a foreign reason (a closed request, `AbortError`) counts as the user's. */
export function cancellationOf(signal: AbortSignal): Cancellation {
  return isCancellation(signal.reason) ? signal.reason : new Cancellation("user_requested");
}

/** The one who may cancel holds the token; the work gets only its signal. */
export interface CancellationToken {
  readonly signal: AbortSignal;
  readonly isCancelled: boolean;
  /** The first reason stays; later calls change nothing. */
  cancel(reason: CancellationReason): void;
}

export function createCancellationToken(): CancellationToken {
  const controller = new AbortController();
  return {
    signal: controller.signal,
    get isCancelled() {
      return controller.signal.aborted;
    },
    cancel(reason) {
      if (!controller.signal.aborted) controller.abort(new Cancellation(reason));
    },
  };
}
