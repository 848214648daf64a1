import { initTRPC, TRPCError } from "@trpc/server";
import superjson from "superjson";
import { ZodError, z } from "zod";
import type { AgentRunService } from "@/server/runs/agent-run-service";
import type { BackendService } from "@/server/runs/backend-service";
import type { ConfigService } from "@/server/runs/config-service";
import type { RunService } from "@/server/runs/run-service";
import { isAppError } from "@/server/shared/app-error";
import { ERROR_CODES, type ErrorCode } from "@/server/shared/error-codes.rules";
import { issueSentence, plainWords } from "@/server/shared/issue-sentence";

/** What every procedure gets. Built per request by the route handler, per test by the test. */
export interface ApiContext {
  runs: RunService;
  agents: AgentRunService;
  config: ConfigService;
  backends: BackendService;
  /** Ends when the process shuts down: streams close by it. */
  shutdown: AbortSignal;
  /** When the caller's session ends, epoch milliseconds: streams end with it. Null for callers without one. */
  sessionEndsAt: number | null;
}

// tRPC checks inputs by itself and takes no words along: they must be everybody's.
z.config({ customError: plainWords });

/** Errors that tRPC itself raises before a procedure of ours runs, in the codes of our table. */
const OWN_CODES: Partial<Record<TRPCError["code"], ErrorCode>> = {
  BAD_REQUEST: "invalid_input",
  PARSE_ERROR: "invalid_json",
  NOT_FOUND: "not_found",
  METHOD_NOT_SUPPORTED: "method_not_allowed",
  UNSUPPORTED_MEDIA_TYPE: "unsupported_media_type",
  PAYLOAD_TOO_LARGE: "too_large",
};

const t = initTRPC.context<ApiContext>().create({
  transformer: superjson,
  sse: { ping: { enabled: true, intervalMs: 15_000 }, client: { reconnectAfterInactivityMs: 40_000 } },
  /** The page gets our code, one sentence and the details; never a stack. */
  errorFormatter({ shape, error }) {
    const cause = error.cause;
    if (isAppError(cause)) {
      return {
        ...shape,
        message: cause.message,
        data: { ...shape.data, stack: undefined, appCode: cause.code, details: cause.details ?? null },
      };
    }
    // A failed check of anything but the input is the server's own fault.
    if (cause instanceof ZodError && error.code === "BAD_REQUEST") {
      return {
        ...shape,
        message: issueSentence(cause),
        data: { ...shape.data, stack: undefined, appCode: "invalid_input" as const, details: null },
      };
    }
    const appCode = OWN_CODES[error.code] ?? "internal";
    return {
      ...shape,
      message: appCode === "internal" ? "Something broke on the server; its log says what." : shape.message,
      data: { ...shape.data, stack: undefined, appCode, details: null },
    };
  },
});

/** Turns an AppError of the service into a tRPC error of the table's code. */
const translateErrors = t.middleware(async ({ next }) => {
  const result = await next();
  if (!result.ok && isAppError(result.error.cause)) {
    const cause = result.error.cause;
    throw new TRPCError({ code: ERROR_CODES[cause.code].trpc, message: cause.message, cause });
  }
  return result;
});

export const router = t.router;
export const procedure = t.procedure.use(translateErrors);
export const createCallerFactory = t.createCallerFactory;
