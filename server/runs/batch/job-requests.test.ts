import { expect, it } from "vitest";
import { pollDelay } from "./drive-job";
import { partIntoJobs } from "./job-requests";

async function* sized(...sizes: number[]) {
  for (const [at, bytes] of sizes.entries()) yield { index: at + 1, bytes };
}
/** Room that is kept around the requests, and so many bytes for them. */
const room = (bytes: number) => 8_192 + bytes;

it("parts requests by number and by size, in order", async () => {
  expect(await partIntoJobs(sized(1, 1, 1, 1, 1), { requests: 2, bytes: room(100) })).toEqual([[1, 2], [3, 4], [5]]);
  expect(await partIntoJobs(sized(60, 50, 50, 1), { requests: 9, bytes: room(100) })).toEqual([[1], [2, 3], [4]]);
  expect(await partIntoJobs(sized(), { requests: 9, bytes: room(100) })).toEqual([]);
});

it("refuses a request that fits into no job", async () => {
  await expect(partIntoJobs(sized(1, 101), { requests: 9, bytes: room(100) })).rejects.toThrow(
    "Chunk 2 alone is larger than a batch of this provider may be (8292 bytes).",
  );
});

it("looks at a job every half minute at first, and every five minutes later", () => {
  expect([0, 300_000, 1_200_000, 86_400_000].map(pollDelay)).toEqual([30_000, 30_000, 120_000, 300_000]);
});
