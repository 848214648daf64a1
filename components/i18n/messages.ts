import { commonEn, commonZh } from "./common-messages";
import { eventWordsEn, eventWordsZh } from "./event-words-messages";
import type { Locale } from "./locale";
import { newRunEn, newRunZh } from "./new-run-messages";
import { runDetailEn, runDetailZh } from "./run-detail-messages";
import { runsEn, runsZh } from "./runs-messages";
import { serverEn, serverZh } from "./server-messages";
import { shellEn, shellZh } from "./shell-messages";
import { statusEn, statusZh } from "./status-messages";

const en = {
  ...commonEn,
  ...statusEn,
  ...shellEn,
  ...runsEn,
  ...newRunEn,
  ...runDetailEn,
  ...serverEn,
  ...eventWordsEn,
} as const;

export type MessageKey = keyof typeof en;

const zh: Record<MessageKey, string> = {
  ...commonZh,
  ...statusZh,
  ...shellZh,
  ...runsZh,
  ...newRunZh,
  ...runDetailZh,
  ...serverZh,
  ...eventWordsZh,
};

export const MESSAGES: Record<Locale, Record<MessageKey, string>> = { en, zh };
