import { describe, expect, it } from "vitest";
import { createFormats } from "@/components/i18n/formats";
import type { I18n } from "@/components/i18n/i18n-provider";
import { formatMessage } from "@/components/i18n/message-format";
import { MESSAGES } from "@/components/i18n/messages";
import { type RunSummary, runSummarySchema } from "@/server/runs/run.schema";
import { millisecondsLeft, statusSentence } from "./status-sentence";

function language(locale: I18n["locale"]): I18n {
  return {
    ...createFormats(locale, "utc"),
    t: (key, variables = {}) => formatMessage(MESSAGES[locale][key], variables, locale),
    locale,
    setLocale: () => {},
    zone: "utc",
    setZone: () => {},
  };
}

const STARTED = Date.parse("2026-11-30T10:00:00.000Z");
const COUNTS = { total: 10_000, queued: 2_549, running: 8, succeeded: 7_412, failed: 31, cancelled: 0 };

function buildRun(part: Partial<RunSummary> = {}): RunSummary {
  return runSummarySchema.parse({
    id: "run_b",
    kind: "distill",
    name: "Day one",
    status: "running",
    statusReason: null,
    sourceDate: "2026-04-19",
    backend: "mock",
    model: "mock-1",
    counts: COUNTS,
    retries: 0,
    tokens: { prompt: 0, completion: 0, estimated: false },
    insights: 0,
    gapsAcceptedAt: null,
    createdAt: "2026-11-30T09:59:00.000Z",
    startedAt: "2026-11-30T10:00:00.000Z",
    endedAt: null,
    updatedAt: "2026-11-30T10:30:00.000Z",
    lastSeq: 5,
    ...part,
  });
}

const finished = { ...COUNTS, queued: 0, running: 0 };
const english = (part: Partial<RunSummary>, now: number | null = null) => statusSentence(language("en"), buildRun(part), now);

describe("the status sentence", () => {
  it("says progress, failures and the time left of a running run", () => {
    // 7,412 results took 300 ms each; 2,557 chunks are open.
    const now = STARTED + 7_412 * 300;
    expect(millisecondsLeft(buildRun(), now)).toBe(2_557 * 300);
    const left = language("en").formatDuration(2_557 * 300);
    expect(english({}, now)).toBe(`Running · 7,412/10,000 · 31 failed · about ${left} left`);
  });

  it("leaves out what it cannot know and what did not happen", () => {
    expect(english({ counts: { ...COUNTS, failed: 0 } })).toBe("Running · 7,412/10,000");
    expect(millisecondsLeft(buildRun({ counts: { ...COUNTS, succeeded: 2 } }), STARTED + 60_000)).toBeNull();
    expect(millisecondsLeft(buildRun(), STARTED - 5_000)).toBeNull();
  });

  it.each<[Partial<RunSummary>, string]>([
    [{ status: "queued", counts: { ...COUNTS, total: 1 } }, "Waiting for a worker · 1 chunk"],
    [{ status: "paused" }, "Paused. 7,412 of 10,000 done; nothing is sent until it is resumed."],
    [
      { status: "paused", statusReason: "The key is missing." },
      "Paused: The key is missing. 7,412 of 10,000 done; nothing is sent until it is resumed.",
    ],
    [
      { status: "incomplete", counts: { ...finished, failed: 1 } },
      "Incomplete: 1 chunk of 10,000 failed. The results wait: retry the failed ones, or finish with gaps.",
    ],
    [
      { status: "completed", counts: { ...finished, succeeded: 10_000, failed: 0 }, insights: 1 },
      "Completed · 10,000/10,000 · 1 insight staged",
    ],
    [{ status: "completed", counts: finished, insights: 12 }, "Completed with gaps · 7,412/10,000 · 12 insights staged"],
    [
      { status: "completed", counts: { total: 0, queued: 0, running: 0, succeeded: 0, failed: 0, cancelled: 0 } },
      "Completed: the text was empty or all of it was noise, so there was nothing to send.",
    ],
    [
      { status: "failed", statusReason: "Consolidation broke." },
      "The run failed: Consolidation broke. Retry tries again with what is there.",
    ],
    [{ status: "cancelled", statusReason: "wrong day" }, "Cancelled · 7,412/10,000 done before: wrong day"],
    [{ status: "blocked" }, "Blocked. It will not go on by itself."],
  ])("%o", (part, sentence) => {
    expect(english(part)).toBe(sentence);
  });

  it("reads as one sentence in Chinese, without a doubled full stop", () => {
    const sentence = statusSentence(language("zh"), buildRun({ status: "paused", statusReason: "缺少密钥。" }), null);
    expect(sentence).toBe("已暂停：缺少密钥。已完成 7,412/10,000；继续之前不会发送任何请求。");
  });
});
