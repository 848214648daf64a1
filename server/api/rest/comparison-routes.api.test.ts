import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { handleRest } from "@/server/api/rest-handler";
import { type ApiContainer, apiRequest, openApiContainer, untilRunRests } from "@/server/testing/api-container";

let open: ApiContainer;
let ids: string[];
beforeAll(async () => {
  open = await openApiContainer();
  open.container.executor.start();
  ids = [];
  for (const name of ["first", "second"]) {
    const { id } = await open.container.runs.create({
      kind: "distill",
      backend: "mock",
      name,
      text: "One sentence. Another sentence.",
    });
    await untilRunRests(open.container, id);
    ids.push(id);
  }
});
afterAll(() => open.close());

async function call(path: string) {
  const response = await handleRest(apiRequest("GET", `/api/v1/${path}`));
  return { status: response.status, body: JSON.parse(await response.text()) };
}

describe("GET /api/v1/comparison", () => {
  it("gives the figures of the runs in their order, comma or not", async () => {
    const [first, second] = ids;
    const one = await call(`comparison?run=${second},${first}`);
    expect(one.status).toBe(200);
    expect(one.body.items.map(({ run, requests }: { run: { id: string }; requests: number }) => [run.id, requests])).toEqual([
      [second, 1],
      [first, 1],
    ]);
    expect(one.body.items[0].cost).toEqual({
      known: [{ amount: 0, currency: "USD", about: false }],
      unknown: [],
      unknownAttempts: 0,
      revision: 1,
    });
    expect(await call(`comparison?run=${second}&run=${first}`)).toEqual(one);
  });

  it.each([
    ["", "run: name at least one run"],
    ["run=a,a", "run: names a run twice"],
    ["run=a,b,c,d,e,f,g,h,i", "run: no more than 8 runs are compared at once"],
    ["runs=a", 'There is no parameter "runs" here; there are: run.'],
  ])("refuses ?%s", async (query, sentence) => {
    const { status, body } = await call(`comparison?${query}`);
    expect(status).toBe(400);
    expect(body.error.message).toContain(sentence);
  });

  it("names a run that is not there", async () => {
    const { status, body } = await call(`comparison?run=${ids[0]},run_none`);
    expect([status, body.error.message]).toEqual([404, "There is no run run_none."]);
  });
});

describe("GET /api/v1/comparison/chunks", () => {
  it("gives the texts side by side, and a cursor that goes on from there", async () => {
    const { body } = await call(`comparison/chunks?run=${ids.join(",")}&limit=1`);
    expect(
      body.items.map(({ chunks }: { chunks: { index: number; status: string }[] }) =>
        chunks.map(({ index, status }) => [index, status]),
      ),
    ).toEqual([
      [
        [1, "succeeded"],
        [1, "succeeded"],
      ],
    ]);
    expect(body.nextCursor).toBeNull();
    expect((await call(`comparison/chunks?run=${ids.join(",")}&differing=true`)).body.items).toEqual([]);
  });

  it("refuses a cursor of its own making", async () => {
    const { status, body } = await call(`comparison/chunks?run=${ids[0]}&cursor=abc`);
    expect([status, body.error.message]).toEqual([400, "cursor: must be the nextCursor of an earlier page"]);
  });
});
