/** One run over a connection: sent once, listened to until its last frame, and called off by its id. */
import { BackendError } from "@/server/backends/backend";
import { type FailureContext, failureOfTransport } from "@/server/backends/http/failure";
import { TransportError } from "@/server/backends/transport/http-sse";
import { startPatientTimer } from "@/server/shared/patient-timer";
import type { GatewayConnection } from "./gateway-connection";
import { runPayloadOf } from "./outcome";
import { abortPayloadSchema, type ResponseFrame, type RunPayload } from "./protocol.schema";
import type { RunPlace } from "./request";

export interface RunOrder {
  connection: GatewayConnection;
  context: FailureContext;
  place: RunPlace;
  params: Record<string, unknown>;
  /** Milliseconds for the whole turn, those that are left of them, and those that are waited for the end of a run that was called off. */
  timeoutMs: number;
  leftMs: number;
  letGoMs: number;
  /** The gateway has taken the run. */
  onAccepted(): void;
  /** The connection is gone and the run may go on without us. */
  onLost(): void;
}

export interface RunEnd {
  frame: ResponseFrame;
  payload: RunPayload;
}

/**
 * Resolves with the last frame about the run. When it is called off, by the signal or by its limit of time, its end is waited for and
 * what it came to does not count: rejects with the signal's reason, else with `backend-timeout`. Rejects with `provider-unavailable`
 * when the connection was lost, and leaves nothing waiting at the connection in any case.
 */
export function runOnGateway(order: RunOrder, signal: AbortSignal): Promise<RunEnd> {
  const { connection, context, place, timeoutMs, leftMs } = order;
  return new Promise((resolve, reject) => {
    let calledOff: { reason: unknown } | null = null;
    let isAccepted = false;
    /** The gateway did not know the run when it was to call it off. */
    let wasUnknown = false;
    let letGo: NodeJS.Timeout | undefined;
    const settle = (act: () => void) => {
      run.forget();
      total.clear();
      clearTimeout(letGo);
      signal.removeEventListener("abort", onAbort);
      act();
    };
    const callOff = (reason: unknown) => {
      if (calledOff) return;
      calledOff = { reason };
      letGo = setTimeout(() => settle(() => reject(reason)), order.letGoMs);
      sendAbort();
    };
    const sendAbort = () => {
      wasUnknown = false;
      connection.call(
        "chat.abort",
        { sessionKey: place.sessionKey, runId: place.runId },
        {
          answer(frame) {
            const said = abortPayloadSchema.safeParse(frame.payload);
            wasUnknown = !(said.success && said.data.aborted);
            return true;
          },
          lost: () => undefined,
        },
      );
    };
    const onAbort = () => callOff(signal.reason);
    const total = startPatientTimer(leftMs, () =>
      callOff(new BackendError("backend-timeout", `${context.providerName} timed out after ${timeoutMs / 1000}s`)),
    );
    signal.addEventListener("abort", onAbort, { once: true });
    const run = connection.call("agent", order.params, {
      answer(frame) {
        const payload = runPayloadOf(context, frame);
        if (payload.status === "accepted") {
          if (!isAccepted && !calledOff) order.onAccepted();
          isAccepted = true;
          if (calledOff && wasUnknown) sendAbort();
          return false;
        }
        const end = calledOff;
        settle(() => (end ? reject(end.reason) : resolve({ frame, payload })));
        return true;
      },
      lost(reason) {
        if (reason instanceof TransportError) order.onLost();
        const end = calledOff;
        settle(() => reject(end ? end.reason : lostRun(order, reason)));
      },
    });
    if (signal.aborted) onAbort();
  });
}

function lostRun({ connection, context, timeoutMs }: RunOrder, reason: TransportError | BackendError): BackendError {
  if (reason instanceof BackendError) return reason;
  return failureOfTransport(context, reason, { timeoutMs, idleMs: connection.silenceMs }, "");
}
