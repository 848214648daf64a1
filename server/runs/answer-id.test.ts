import { expect, it } from "vitest";
import { chunkName, plainChunkName, readAnswerId } from "./answer-id";

const RUN = "run_01kbb1q2v8hjm5n7p9r1t3w5x7";

it("names come back as the chunk they are of", () => {
  expect(chunkName("memory_distill_extract", "2026-04-19", 12)).toBe("memory_distill_extract/2026-04-19/chunk-0012");
  expect(readAnswerId(chunkName("a/b", "2026-04-19", 12_345))).toEqual({
    kind: "name",
    task: "a/b",
    sourceDate: "2026-04-19",
    index: 12_345,
  });
  expect(readAnswerId(plainChunkName(RUN, 3))).toEqual({ kind: "run", runId: RUN, index: 3 });
  expect(readAnswerId(`req_${RUN.slice(4)}.3.2`)).toEqual({ kind: "run", runId: RUN, index: 3 });
});

it("the plain name is one that every batch service takes", () => {
  expect(plainChunkName(RUN, 100_000)).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
});

it.each([
  "",
  "chunk-0001",
  "memory_distill_extract/2026-02-30/chunk-0001",
  "memory_distill_extract/2026-04-19/chunk-0000",
  "memory_distill_extract/2026-04-19/1",
  "/2026-04-19/chunk-0001",
  `${RUN}-chunk-0`,
  `${RUN}-chunk-1x`,
  `req_${RUN.slice(4)}.1`,
  "memory_distill_extract/2026-04-19/chunk-99999999999",
])("%j names no chunk", (id) => {
  expect(readAnswerId(id)).toBeNull();
});
