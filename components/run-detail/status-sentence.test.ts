import { describe, expect, it } from "vitest";
import { languageOf } from "@/components/i18n/testing-language";
import type { RunSummary } from "@/server/runs/run.schema";
import { buildRunSummary } from "@/server/testing/build-run-detail";
import { type Prospect, statusSentence } from "./status-sentence";

const COUNTS = { total: 10_000, queued: 2_549, running: 8, succeeded: 7_412, failed: 31, cancelled: 0 };

/** A long run under way. */
function buildRun(part: Partial<RunSummary> = {}): RunSummary {
  return buildRunSummary({
    status: "running",
    counts: COUNTS,
    createdAt: "2026-11-30T09:59:00.000Z",
    startedAt: "2026-11-30T10:00:00.000Z",
    updatedAt: "2026-11-30T10:30:00.000Z",
    ...part,
  });
}

const finished = { ...COUNTS, queued: 0, running: 0 };
const english = (part: Partial<RunSummary>, prospect: Prospect = { left: null }) =>
  statusSentence(languageOf("en"), buildRun(part), prospect);

describe("the status sentence", () => {
  it("says progress, failures and the time left of a running run", () => {
    expect(english({}, { left: 767_000 })).toBe("Running · 7,412/10,000 · 31 failed · about 12m 47s left");
  });

  it("leaves out what it cannot know and what did not happen", () => {
    expect(english({ counts: { ...COUNTS, failed: 0 } })).toBe("Running · 7,412/10,000");
  });

  it("names what waits after a failure, and when it is tried again", () => {
    const waiting: Prospect["waiting"] = {
      slot: 0,
      batch: 0,
      backoff: 1,
      nextDueAt: "2026-11-30T11:00:05.000Z",
      failures: [{ failureKind: "provider-rate-limited", count: 1 }],
    };
    const counts = { total: 1, queued: 1, running: 0, succeeded: 0, failed: 0, cancelled: 0 };
    // Nothing moves: the speed so far says nothing about the rest.
    expect(english({ counts }, { left: 60_000, waiting })).toBe(
      "Running · 0/1 · 1 chunk waits after a failed attempt (rate limit), next try at 11:00:05",
    );
    expect(
      statusSentence(languageOf("zh"), buildRun({ counts }), {
        left: null,
        waiting: { ...waiting, backoff: 3, failures: [...waiting.failures, { failureKind: "backend-timeout", count: 2 }] },
      }),
    ).toBe("运行中 · 0/1 · 3 个分块在失败后等待重试（限流和超时），下一次尝试在 11:00:05");
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

  it("says the server's own reason in the reader's language", () => {
    const sentence = statusSentence(
      languageOf("zh"),
      buildRun({ status: "cancelled", statusReason: "Cancelled by the operator." }),
      { left: null },
    );
    expect(sentence).toBe("已取消 · 取消前完成 7,412/10,000：由操作员取消");
  });

  it("reads as one sentence in Chinese, without a doubled full stop", () => {
    const sentence = statusSentence(languageOf("zh"), buildRun({ status: "paused", statusReason: "缺少密钥。" }), { left: null });
    expect(sentence).toBe("已暂停：缺少密钥。已完成 7,412/10,000；继续之前不会发送任何请求。");
  });
});
