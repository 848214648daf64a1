import { processContainer } from "@/server/boot";
import { errorResponse } from "./error-mapping";
import { guardRequest } from "./request-guard";

/** Whether the server can do its work: 200 when it can, 503 with the reason when the store cannot be written. */
export async function handleHealth(request: Request): Promise<Response> {
  try {
    guardRequest(request.headers);
    const { writer, executor } = await processContainer();
    const trouble = writer.trouble;
    return Response.json(
      {
        status: trouble ? "degraded" : "ok",
        store: { status: trouble ? "degraded" : "ok", reason: trouble },
        executor: { worker: executor.workerId, inFlight: executor.load },
      },
      { status: trouble ? 503 : 200, headers: { "cache-control": "no-store" } },
    );
  } catch (error) {
    return errorResponse(error);
  }
}
