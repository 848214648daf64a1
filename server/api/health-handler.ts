import { processContainer } from "@/server/boot";
import { processAccess } from "./access";
import { errorResponse } from "./error-mapping";

/**
 * Whether the server can do its work: 200 when it can, 503 with the reason when the store cannot be written. Open to all, for
 * whatever watches the server; a stranger learns the status and nothing else.
 */
export async function handleHealth(request: Request): Promise<Response> {
  try {
    const access = processAccess();
    access.guard(request.headers);
    const isStranger = access.admit(request.headers).kind === "stranger";
    const { writer, executor } = await processContainer();
    const trouble = writer.trouble;
    const status = trouble ? "degraded" : "ok";
    const details = {
      store: { status, reason: trouble },
      executor: { worker: executor.workerId, inFlight: executor.load },
    };
    return Response.json(
      { status, ...(isStranger ? {} : details) },
      { status: trouble ? 503 : 200, headers: { "cache-control": "no-store" } },
    );
  } catch (error) {
    return errorResponse(error);
  }
}
