import { cancelBatchSchema, submitBatchSchema } from "@/server/runs/batch-job.schema";
import { AppError } from "@/server/shared/app-error";
import { parseInput } from "../error-mapping";
import { idOf, json, optionalJson, type RestCall, type RestRoute } from "./rest-route";

/** The job of the path, which must be one of the run of the path. */
async function jobOf(call: RestCall): Promise<string> {
  const { job = "" } = call.params;
  const known = await call.batches.list(idOf(call));
  if (known.some(({ id }) => id === job)) return job;
  throw new AppError("not_found", `Run ${idOf(call)} has no batch ${job.slice(0, 60)}.`, {
    details: { batch: job.slice(0, 60) },
  });
}

/** Requests of a run as jobs of a provider. */
export const BATCH_ROUTES: readonly RestRoute[] = [
  { method: "GET", path: "runs/:id/batch", handle: async (call) => json({ items: await call.batches.list(idOf(call)) }) },
  {
    method: "POST",
    path: "runs/:id/batch",
    async handle(call) {
      const order = parseInput(submitBatchSchema, await optionalJson(call.request));
      return json(await call.batches.submit(idOf(call), order), 201, { location: `/api/v1/runs/${idOf(call)}/batch` });
    },
  },
  {
    method: "POST",
    path: "runs/:id/batch/:job/poll",
    handle: async (call) => json(await call.batches.poll(await jobOf(call))),
  },
  {
    method: "POST",
    path: "runs/:id/batch/:job/cancel",
    async handle(call) {
      const options = parseInput(cancelBatchSchema, await optionalJson(call.request));
      return json(await call.batches.cancel(await jobOf(call), options));
    },
  },
];
