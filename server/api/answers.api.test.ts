/** POST /api/v1/runs/{id}/answers: what a program sees of adopting answers. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { type ApiContainer, apiRequest, openApiContainer } from "@/server/testing/api-container";
import { handleRest } from "./rest-handler";

let open: ApiContainer;
beforeAll(async () => {
  open = await openApiContainer();
});
afterAll(() => open.close());

const GOOD = '{"insights":[{"content":"The database moved to Oslo."}]}';
const NAME = "memory_distill_extract/2026-04-19/chunk-0001";

async function call(method: string, path: string, body?: unknown) {
  const response = await handleRest(apiRequest(method, `/api/v1/${path}`, body));
  return { status: response.status, body: JSON.parse(await response.text()) };
}

async function pausedRun(): Promise<string> {
  const order = { kind: "distill", backend: "mock", sourceDate: "2026-04-19", text: "We moved the database to Oslo." };
  const { body } = await call("POST", "runs", order);
  await call("POST", `runs/${body.id}/pause`);
  return body.id;
}

it("takes answers, says what became of them, and the run and its chunk show it", async () => {
  const id = await pausedRun();
  const answers = [
    { id: NAME, text: GOOD, model: "gpt-x", finishReason: "stop", source: "out.jsonl line 1" },
    { id: "nothing", text: GOOD, source: "out.jsonl line 2" },
  ];
  expect(await call("POST", `runs/${id}/answers`, { answers })).toEqual({
    status: 200,
    body: {
      adopted: 1,
      repaired: 0,
      invalid: 0,
      failed: 0,
      skipped: [],
      problems: [
        {
          id: "nothing",
          source: "out.jsonl line 2",
          problem: "Its id names no chunk; write it as task/date/chunk-0001, or as the export wrote it.",
        },
      ],
    },
  });
  expect((await call("GET", `runs/${id}`)).body).toMatchObject({ status: "completed", insights: 1 });
  const { body } = await call("GET", `runs/${id}/chunks/1`);
  expect(body.attempts).toMatchObject([{ origin: "import", backend: "unknown", model: "gpt-x", status: "succeeded" }]);
  expect(body.result).toMatchObject({ ok: true, origin: "import", source: "out.jsonl line 1" });
  expect((await call("POST", `runs/${id}/answers`, { answers: answers.slice(0, 1) })).body).toMatchObject({
    adopted: 0,
    skipped: [{ chunk: 1, reason: "it has succeeded already" }],
  });
});

it.each([
  [{}, "answers: is missing"],
  [{ answers: [] }, "answers: must not be empty"],
  [{ answers: [{ id: NAME }] }, "answers[0]: holds neither the text of an answer nor an error"],
  [{ answers: [{ id: NAME, text: GOOD, latency: 3 }] }, 'answers[0]: there is no "latency" here'],
  [{ answers: [{ id: NAME, text: GOOD, requestSha256: "x" }] }, "answers[0].requestSha256: must be a SHA-256 in lower-case hex"],
])("refuses %j as a whole", async (body, message) => {
  const id = await pausedRun();
  const refused = await call("POST", `runs/${id}/answers`, body);
  expect([refused.status, refused.body.error]).toEqual([400, { code: "invalid_input", message }]);
});

it("refuses more answers than one call may bring", async () => {
  const id = await pausedRun();
  const answers = Array.from({ length: 1_001 }, () => ({ id: NAME, text: "" }));
  expect((await call("POST", `runs/${id}/answers`, { answers })).status).toBe(400);
});

it("refuses a run that was cancelled, and one that is not there", async () => {
  const id = await pausedRun();
  await call("POST", `runs/${id}/cancel`);
  const answers = [{ id: NAME, text: GOOD }];
  expect(await call("POST", `runs/${id}/answers`, { answers })).toMatchObject({
    status: 409,
    body: { error: { code: "conflict", message: "A run that was cancelled takes no answers." } },
  });
  expect((await call("POST", `runs/run_${"0".repeat(26)}/answers`, { answers })).status).toBe(404);
});
