/** Jobs of a provider on the command line, over a fake service. */
import { expect, it } from "vitest";
import type { Terminal } from "@/server/cli/terminal";
import { answered } from "@/server/testing/fake-batches";
import { startFakeOpenAiBatches } from "@/server/testing/fake-openai-batches";
import { openBatches } from "@/server/testing/open-batches";
import { batchCommand } from "./batch";

it("are handed in, told of, waited for, and cannot be cancelled once they have ended", async () => {
  const service = await startFakeOpenAiBatches();
  const { container, run } = await openBatches(service);
  const id = await run(2);
  const lines: string[] = [];
  const terminal: Terminal = {
    out: (line) => lines.push(line),
    err: (line) => lines.push(line),
    progress: () => undefined,
    cwd: container.dataDir,
    interrupted: new AbortController().signal,
  };
  const batch = (...argv: string[]) => batchCommand(argv, terminal, (work) => work(container));
  expect(await batch("submit", id, "--chunks", "1,2,9")).toBe(0);
  const [job] = service.jobs;
  if (!job) throw new Error("nothing was handed in");
  const [listed] = await container.batches.list(id);
  expect(lines).toEqual([
    "Chunk 9 was left out: there is no such chunk.",
    `${listed?.id}  running  svc/model-1  0/2 answered  ${job.id}`,
  ]);
  service.end(job, "completed", () => answered());
  expect(await batch("collect", id, "--wait", "--json")).toBe(0);
  expect(JSON.parse(lines.at(-1) ?? "").jobs).toMatchObject([{ state: "completed", taken: { adopted: 2, unusable: 0 } }]);
  expect(await batch("status", id)).toBe(0);
  expect(lines.at(-1)).toBe(`${listed?.id}  completed  svc/model-1  2 accepted, 0 not usable, 0 given back  ${job.id}`);
  await expect(batch("cancel", listed?.id ?? "")).rejects.toThrow("This batch has ended already; it is completed.");
  await expect(batch("submit")).rejects.toThrow("Name one run: batch submit RUN");
});
