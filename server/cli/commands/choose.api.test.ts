/** Asking again, with room for a longer answer, and choosing an answer: on the command line and over REST. */
import { expect, it } from "vitest";
import { handleRest } from "@/server/api/rest-handler";
import { apiRequest, untilRunRests } from "@/server/testing/api-container";
import { buildRun } from "@/server/testing/build-run";
import { openCommandContainer } from "@/server/testing/command-container";
import { choose, rerun, retry } from "./runs";

async function opened(chunk: string) {
  const command = await openCommandContainer();
  const { container } = command.open;
  container.executor.start();
  const [run] = await container.runs.start(buildRun({ chunks: [chunk], options: { maxAttempts: 1 } }));
  const id = run?.id ?? "";
  await untilRunRests(container, id);
  const answer = async (path: string, body: unknown) => {
    const response = await handleRest(apiRequest("POST", `/api/v1/runs/${id}/${path}`, body));
    return { status: response.status, body: await response.json() };
  };
  return { ...command, container, id, answer };
}

const reopen = () => Promise.reject(new Error("nothing is run here"));

it("a longer answer is asked for, and the old one taken back", async () => {
  const { container, terminal, lines, id } = await opened("[[mock:needs=700]]");
  await retry([id, "--max-tokens", "700"], terminal, container, reopen);
  expect((await untilRunRests(container, id)).status).toBe("completed");
  expect(await choose([id, "--chunk", "1", "--attempt", "1"], terminal, container)).toBe(0);
  expect(await choose([id, "--chunk", "1", "--attempt", "2", "--json"], terminal, container)).toBe(0);
  expect(lines).toEqual([
    "1 chunk is queued again",
    "chunk 1 has failed again, with the failure of attempt 1; the run is incomplete",
    '{"chunk":1,"status":"succeeded","acceptedAttempt":2,"run":"completed"}',
  ]);
});

it("bad use is one sentence", async () => {
  const { container, terminal, id } = await opened("");
  const refused = (...argv: string[]) => choose([id, ...argv], terminal, container);
  await expect(refused("--chunk", "1")).rejects.toThrow("Say which chunk and which attempt: choose RUN --chunk N --attempt N");
  await expect(refused("--chunk", "0", "--attempt", "1")).rejects.toThrow('--chunk takes a whole number from 1, not "0".');
  await expect(retry([id, "--max-tokens", "2000000"], terminal, container, reopen)).rejects.toThrow(/maxTokens/);
  await expect(retry([id, "--again"], terminal, container, reopen)).rejects.toThrow(
    "Name the chunks that are to be asked again although they have succeeded.",
  );
});

it("REST asks again and chooses, and says what is wrong", async () => {
  const { container, id, answer } = await opened("");
  expect((await answer("retry", { chunks: [1], again: true })).body).toEqual({ requeued: 1, skipped: [] });
  await untilRunRests(container, id);
  const chosen = await answer("chunks/1/answer", { attempt: 1 });
  expect([chosen.status, chosen.body.acceptedAttempt, chosen.body.result.attempt]).toEqual([200, 1, 1]);
  expect(await answer("chunks/1/answer", {})).toMatchObject({ status: 400, body: { error: { code: "invalid_input" } } });
  expect(await answer("chunks/1/answer", { attempt: 7 })).toMatchObject({
    status: 404,
    body: { error: { code: "not_found", message: "Chunk 1 has no attempt 7." } },
  });
  expect(await answer("chunks/x/answer", { attempt: 1 })).toMatchObject({
    status: 400,
    body: { error: { message: '"x" is not the index of a chunk; indexes are whole numbers from 1.' } },
  });
});

it("the same text is run again as a run of its own", async () => {
  const { container, terminal, lines, problems, id, answer } = await opened("");
  expect(await rerun([id, "--backend", "extractive", "--name", "again", "--json"], terminal, container, reopen)).toBe(0);
  const { id: second, name, backend } = JSON.parse(lines[0] ?? "{}");
  expect([name, backend]).toEqual(["again", "extractive"]);
  expect(problems).toEqual([
    `A running server goes on with it; without one, do it here: npm run -s switchyard -- work ${second}`,
  ]);
  expect((await untilRunRests(container, second)).status).toBe("completed");
  expect(await answer("rerun", {})).toMatchObject({ status: 201, body: { backend: "mock", counts: { total: 1 } } });
  expect(await answer("rerun", { again: true })).toMatchObject({ status: 400, body: { error: { code: "invalid_input" } } });
});
