import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import { processContainer } from "@/server/boot";
import { errorResponse, isServerFault } from "./error-mapping";
import { decodeBody, guardRequest, readBody } from "./request-guard";
import { appRouter } from "./root";

/** Every tRPC call of the pages. */
export async function handleTrpc(request: Request): Promise<Response> {
  try {
    guardRequest(request.headers);
    const container = await processContainer();
    const checked = request.method === "POST" ? await withCheckedBody(request) : request;
    return await fetchRequestHandler({
      endpoint: "/api/trpc",
      req: checked,
      router: appRouter,
      createContext: () => ({
        runs: container.runs,
        config: container.config,
        backends: container.backends,
        shutdown: container.shutdown,
      }),
      onError({ error, path }) {
        if (isServerFault(error.cause ?? error) && error.code === "INTERNAL_SERVER_ERROR")
          container.logger.error({ error: error.cause ?? error, path }, "a procedure failed");
      },
    });
  } catch (error) {
    return errorResponse(error);
  }
}

/** The body is bounded and checked before the library parses it. */
async function withCheckedBody(request: Request): Promise<Request> {
  const text = decodeBody(await readBody(request));
  return new Request(request.url, { method: request.method, headers: request.headers, body: text, signal: request.signal });
}
