import { TRPCError, transformTRPCResponse } from "@trpc/server";
import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import { getErrorShape } from "@trpc/server/shared";
import { processContainer } from "@/server/boot";
import { type AppError, isAppError } from "@/server/shared/app-error";
import { ERROR_CODES } from "@/server/shared/error-codes.rules";
import { admitOnly } from "./access";
import { errorResponse, isServerFault, refusalHeaders } from "./error-mapping";
import { decodeBody, readBody } from "./request-guard";
import { appRouter } from "./root";

/** Every tRPC call of the pages. */
export async function handleTrpc(request: Request): Promise<Response> {
  try {
    const admission = admitOnly(request.headers);
    const container = await processContainer();
    const checked = request.method === "POST" ? await withCheckedBody(request) : request;
    const response = await fetchRequestHandler({
      endpoint: "/api/trpc",
      req: checked,
      router: appRouter,
      createContext: () => ({
        runs: container.runs,
        agents: container.agents,
        config: container.config,
        backends: container.backends,
        shutdown: container.shutdown,
        sessionEndsAt: admission.sessionEndsAt,
      }),
      onError({ error, path }) {
        if (isServerFault(error.cause ?? error) && error.code === "INTERNAL_SERVER_ERROR")
          container.logger.error({ error: error.cause ?? error, path }, "a procedure failed");
      },
    });
    if (admission.setCookie !== null) response.headers.append("set-cookie", admission.setCookie);
    return response;
  } catch (error) {
    return isAppError(error) && MENDED_BY_SIGNING_IN.has(error.code) ? signInRefusal(error) : errorResponse(error);
  }
}

const MENDED_BY_SIGNING_IN: ReadonlySet<AppError["code"]> = new Set(["unauthorized", "too_many_requests"]);

/** In the library's own form, which its client takes apart: pages must tell a session that ended from a broken server. */
function signInRefusal(refusal: AppError): Response {
  const { status, trpc } = ERROR_CODES[refusal.code];
  const config = appRouter._def._config;
  const error = new TRPCError({ code: trpc, message: refusal.message, cause: refusal });
  const shape = getErrorShape({ config, error, type: "unknown", path: undefined, input: undefined, ctx: undefined });
  return Response.json(transformTRPCResponse(config, { error: shape }), { status, headers: refusalHeaders(refusal) });
}

/** The body is bounded and checked before the library parses it. */
async function withCheckedBody(request: Request): Promise<Request> {
  const text = decodeBody(await readBody(request));
  return new Request(request.url, { method: request.method, headers: request.headers, body: text, signal: request.signal });
}
