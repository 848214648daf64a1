import { expect, it } from "vitest";
import { durationOf } from "./chunk-times";

const at = (second: number) => `2026-11-30T10:00:0${second}.000Z`;
const NOW = Date.parse(at(9));
const asked = (from: number, to: number | null) =>
  ({ origin: "asked", claimedAt: at(from), endedAt: to === null ? null : at(to) }) as const;
const adopted = (when: number) => ({ origin: "import", claimedAt: at(when), endedAt: at(when) }) as const;

it.each([
  ["is not known before the first claim", { endedAt: null, attempts: [] }, null],
  ["grows while a request is under way", { endedAt: null, attempts: [asked(1, null)] }, 8_000],
  ["goes from the first claim to the end", { endedAt: at(6), attempts: [asked(1, 2), asked(4, 6)] }, 5_000],
  ["is not known of an answer that was made elsewhere", { endedAt: at(6), attempts: [adopted(6)] }, null],
  ["ends with the last request where another answer came later", { endedAt: at(8), attempts: [asked(1, 3), adopted(8)] }, 2_000],
])("the time of a chunk %s", (_what, chunk, milliseconds) => {
  expect(durationOf(chunk, NOW)).toBe(milliseconds);
});
