import { chunkPageEn, chunkPageZh } from "./chunk-page-messages";
import { chunkTableEn, chunkTableZh } from "./chunk-table-messages";
import { eventsEn, eventsZh } from "./events-messages";
import { failureEn, failureZh } from "./failure-messages";
import { insightsEn, insightsZh } from "./insights-messages";
import { runPageEn, runPageZh } from "./run-page-messages";
import { timelineEn, timelineZh } from "./timeline-messages";

/** Words of the run page, its tabs and the chunk page. */
export const runDetailEn = {
  ...runPageEn,
  ...failureEn,
  ...timelineEn,
  ...chunkTableEn,
  ...eventsEn,
  ...insightsEn,
  ...chunkPageEn,
} as const;

export const runDetailZh = {
  ...runPageZh,
  ...failureZh,
  ...timelineZh,
  ...chunkTableZh,
  ...eventsZh,
  ...insightsZh,
  ...chunkPageZh,
} satisfies Record<keyof typeof runDetailEn, string>;
