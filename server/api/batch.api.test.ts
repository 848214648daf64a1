/** /api/v1/runs/{id}/batch: what a program sees of batch jobs where the provider takes none. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { type ApiContainer, apiRequest, openApiContainer } from "@/server/testing/api-container";
import { handleRest } from "./rest-handler";

let open: ApiContainer;
beforeAll(async () => {
  open = await openApiContainer();
});
afterAll(() => open.close());

async function call(method: string, path: string, body?: unknown) {
  const response = await handleRest(apiRequest(method, `/api/v1/${path}`, body));
  return { status: response.status, body: JSON.parse(await response.text()) };
}

it("lists none, refuses what cannot be handed in with a sentence, and knows no job of another run", async () => {
  const order = { kind: "distill", backend: "mock", sourceDate: "2026-04-19", text: "We moved the database to Oslo." };
  const { id } = (await call("POST", "runs", order)).body;
  expect(await call("GET", `runs/${id}/batch`)).toEqual({ status: 200, body: { items: [] } });
  const refused = await call("POST", `runs/${id}/batch`);
  expect([refused.status, refused.body.error.code, refused.body.error.message]).toEqual([
    409,
    "conflict",
    "No backend of this run takes batches (mock). OpenAI and Anthropic do at their own addresses; of another server say it in its profile (batch: true).",
  ]);
  expect((await call("POST", `runs/${id}/batch`, { provider: "x" })).status).toBe(400);
  expect((await call("POST", `runs/${id}/batch/bat_1/poll`)).status).toBe(404);
  expect((await call("POST", `runs/${id}/batch/bat_1/cancel`, {})).status).toBe(404);
  expect((await call("GET", "runs/run_none/batch")).status).toBe(404);
});
