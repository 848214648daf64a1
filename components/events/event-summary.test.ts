import { describe, expect, it } from "vitest";
import { languageOf } from "@/components/i18n/testing-language";
import { EVENT_TYPES, type EventType } from "@/server/events/event.rules";
import { EVENT_PAYLOADS } from "@/server/events/event.schema";
import { isWholePayload } from "./event-payload";
import { eventSummary } from "./event-summary";

const request = { requestId: "req_1", sessionId: "run_1", stageId: "distill", providerId: "mock" };

/** A payload of every type as the server writes it, with what is said of it in both languages. */
const CASES: Record<EventType, [payload: Record<string, unknown>, english: string, chinese: string]> = {
  backend_status: [
    {
      phase: "backend-turn-started",
      model: "extractive-1",
      message: "Picks sentences out of the text by fixed rules; no model is asked.",
    },
    "The backend has begun · extractive-1 · “Picks sentences out of the text by fixed rules; no model is asked.”",
    "后端已开始 · extractive-1 · 按固定规则从文本中摘取句子，不使用模型。",
  ],
  assistant_message: [
    { text: "two\nlines", itemId: "i", messageIndex: 0, messageCount: 1, replyAuthority: true, final: true },
    "two lines",
    "two lines",
  ],
  tool_call: [
    { itemId: "i", toolName: "read_file", status: "completed" },
    "Tool read_file · completed",
    "工具 read_file · completed",
  ],
  command_output: [{ itemId: "i", text: "ok", bytes: 2, truncated: false }, "ok", "ok"],
  diff: [{ text: "+ a", bytes: 3, truncated: false }, "+ a", "+ a"],
  error: [
    { failureKind: "provider-rate-limited", message: "429: slow down", willRetry: true },
    "The provider limits the rate · “429: slow down” · it is tried again",
    "服务方限流 · “429: slow down” · 会再次尝试",
  ],
  terminal_status: [
    { status: "failed", failureKind: "backend-timeout" },
    "Ended: failed · The answer took too long",
    "结束：失败 · 回答超时",
  ],
  inference_started: [{ ...request, model: "mock-1" }, "Sent to mock-1", "已发送给 mock-1"],
  inference_completed: [
    { ...request, promptTokens: 1_200, completionTokens: 34, latencyMs: 1_500 },
    "1,200 prompt + 34 answer tokens · after 1.5s",
    "输入 1,200 + 输出 34 个 token · 用时 1.5秒",
  ],
  inference_failed: [
    { ...request, failureKind: "provider-unavailable", reason: "ECONNREFUSED" },
    "The provider was not available · “ECONNREFUSED”",
    "服务方不可用 · “ECONNREFUSED”",
  ],
  inference_timeout: [
    { ...request, timeoutMs: 60_000 },
    "The answer took too long · Time limit 1m 0s",
    "回答超时 · 时限 1分钟 0秒",
  ],
  model_loaded: [
    { ...request, model: "mock-1", pid: 41, version: "1.0" },
    "mock/mock-1 · process 41 works for this run",
    "mock/mock-1 · 进程 41 为此运行工作",
  ],
  model_unloaded: [
    { ...request, model: "mock-1", pid: 41, exitCode: null, signal: "SIGKILL", groupEnded: false },
    "mock/mock-1 · process 41 has ended · signal SIGKILL · something of its group may still run",
    "mock/mock-1 · 进程 41 已结束 · 信号 SIGKILL · 其进程组中可能仍有进程在运行",
  ],
  run_queued: [{ chunks: 3, documents: 1 }, "3 chunks of 1 document", "1 个文档中的 3 个分块"],
  prep_completed: [
    { chunks: 3, droppedLines: 0, maskedSecrets: 1 },
    "3 chunks; no line left out; 1 secret masked",
    "3 个分块；没有剔除任何行；遮蔽 1 个密钥",
  ],
  run_started: [{ worker: "w1" }, "By worker w1", "工作进程 w1"],
  run_paused: [{ reason: "Paused by the operator." }, "Paused by the operator.", "由操作员暂停。"],
  run_resumed: [{}, "By the operator", "由操作员"],
  run_cancelled: [{ reason: "wrong day", cancellationReason: "user_requested" }, "wrong day", "wrong day"],
  run_incomplete: [
    { failed: 1, cancelled: 0, succeeded: 2 },
    "2 succeeded, 1 failed, 0 cancelled",
    "2 个成功，1 个失败，0 个已取消",
  ],
  run_completed: [
    { insights: 1, withGaps: true, reason: "Finished with gaps by the operator." },
    "1 insight · with gaps · Finished with gaps by the operator.",
    "1 条要点 · 有缺口 · 由操作员接受缺口并完成。",
  ],
  run_failed: [{ message: "no manifest" }, "“no manifest”", "“no manifest”"],
  consolidate_completed: [
    { insights: 5, duplicates: 2, done: 3, failed: 1, missing: 0, partial: true },
    "5 insights from 3 chunks; 2 duplicates merged · with gaps",
    "由 3 个分块汇总出 5 条要点；合并 2 条重复 · 有缺口",
  ],
  chunk_claimed: [{ worker: "w1" }, "By worker w1", "工作进程 w1"],
  chunk_succeeded: [{ insights: 0, latencyMs: 40 }, "No insight · after 40ms", "没有要点 · 用时 40ms"],
  chunk_failed: [
    { failureKind: "backend-json-parse-error", message: "Unexpected token" },
    "The answer was not JSON · “Unexpected token”",
    "回答不是 JSON · “Unexpected token”",
  ],
  chunk_cancelled: [{ cancellationReason: "user_requested" }, "Asked for by the operator", "应操作员请求"],
  chunk_retry_scheduled: [
    { failureKind: "backend-timeout", dueAt: 1_796_020_848_418, delayMs: 400 },
    "The answer took too long · Next attempt in 400ms",
    "回答超时 · 400ms后进行下一次尝试",
  ],
  chunk_requeued: [
    { by: "sweeper", reason: "its worker stopped answering" },
    "Given back to the queue: its worker stopped answering",
    "退回队列：其工作进程不再响应",
  ],
  answer_chosen: [
    { accepted: 1, instead: 2, by: "operator" },
    "The answer of attempt 1 counts · instead of that of attempt 2 · By the operator",
    "采用第 1 次尝试的回答 · 取代第 2 次尝试的回答 · 由操作员",
  ],
  route_decided: [
    {
      provider: "second",
      model: "m2",
      reason: "It is the first in the list that can be used.",
      leastBad: false,
      rejected: [{ candidate: "first/m1", reason: "It cools down for 12 s more: first answered 503" }],
    },
    "Goes to second/m2 · It is the first in the list that can be used. · first/m1: It cools down for 12 s more: first answered 503",
    "发往 second/m2 · 它是列表中第一个可用的。 · first/m1: 还需冷却 12 秒：first 返回 503",
  ],
  cooldown_started: [
    {
      provider: "first",
      model: "m1",
      failureKind: "provider-unavailable",
      reason: "first answered 503",
      failures: 3,
      until: "2026-11-30T12:00:15.000Z",
      milliseconds: 15_000,
    },
    "first/m1 is left alone for 15s · “first answered 503”",
    "first/m1 暂停使用 15秒 · first 返回 503",
  ],
  batch_submitted: [
    { job: "bat_1", provider: "openai", model: "m1", requests: 3, nativeId: "batch_9", foundAgain: true },
    "Found again at the provider after its submission had been broken off: 3 requests for openai/m1 · batch_9",
    "提交曾中断，已在服务方找回：发给 openai/m1 的 3 个请求 · batch_9",
  ],
  batch_state: [
    { job: "bat_1", state: "running", nativeState: "in_progress", problem: "openai answered 503: busy" },
    "Under way · in_progress · “openai answered 503: busy”",
    "进行中 · in_progress · openai 返回 503：busy",
  ],
  batch_collected: [
    { job: "bat_1", outcome: "expired", adopted: 2, unusable: 1, returned: 0, badLines: 1, badLine: "line 3: odd" },
    "Expired · 2 answers accepted, 1 not usable, 0 chunks given back · 1 line that could not be read · line 3: odd",
    "已过期 · 采纳 2 个答案，1 个不可用，归还 0 个分块 · 1 行无法读取 · line 3: odd",
  ],
  cooldown_ended: [{ provider: "first", model: "m1" }, "first/m1 answers again", "first/m1 恢复响应"],
  command_queued: [
    { commandId: "cmd_1", index: 0, type: "turn", text: "Fix the test" },
    "Turn 1 was ordered · Fix the test",
    "已下达第 1 轮 · Fix the test",
  ],
  command_started: [{ commandId: "cmd_1", index: 1, worker: "wrk_1" }, "Turn 2 has begun", "第 2 轮已开始"],
  command_ended: [
    { commandId: "cmd_1", index: 1, status: "blocked", message: "not allowed" },
    "Turn 2 was stopped by the policy · “not allowed”",
    "第 2 轮被策略阻止 · “not allowed”",
  ],
  approval_requested: [
    { approvalId: "apr_1", commandId: "cmd_1", kind: "command", subject: "npm test", deadlineAt: "2026-11-30T10:00:00.000Z" },
    "Asks a person: may it run · npm test",
    "请人决定：可否执行 · npm test",
  ],
  approval_resolved: [
    { approvalId: "apr_1", commandId: "cmd_1", status: "accepted", by: "Ana" },
    "Accepted · by Ana",
    "已同意 · 由 Ana",
  ],
};

describe("eventSummary", () => {
  it.each(EVENT_TYPES)("says what %s holds, in the reader's language", (type) => {
    const [payload, english, chinese] = CASES[type];
    expect([eventSummary({ type, payload }, languageOf("en")), eventSummary({ type, payload }, languageOf("zh"))]).toEqual([
      english,
      chinese,
    ]);
  });

  it("lists the plain fields of a payload that was cut, without what only names the request", () => {
    const payload = { cut: true, requestId: "req_1", bytes: 70_000, nested: { a: 1 } };
    expect(eventSummary({ type: "diff", payload }, languageOf("en"))).toBe("cut true · bytes 70000");
  });

  it("names the models of a retry", () => {
    const event = { type: "chunk_requeued", payload: { by: "operator", reason: "with deep/slow, mock/mock-1" } } as const;
    expect([eventSummary(event, languageOf("en")), eventSummary(event, languageOf("zh"))]).toEqual([
      "By the operator · with deep/slow, mock/mock-1",
      "由操作员 · 改用 deep/slow, mock/mock-1",
    ]);
  });

  it("bounds what a model said", () => {
    const payload = { text: "x".repeat(5_000), bytes: 5_000, truncated: false };
    expect(eventSummary({ type: "diff", payload }, languageOf("en"))).toHaveLength(240);
  });
});

describe("isWholePayload", () => {
  const WRONG = [undefined, null, "", "user_requested", "cancelled", "operator", 0, -1, 1, 0.5, true, false, {}];

  it.each(EVENT_TYPES)("says of %s what the server's schema says, whatever stands in a field", (type) => {
    const schema = EVENT_PAYLOADS[type];
    const [payload] = CASES[type];
    const tried = [payload, {}].concat(
      Object.keys(schema.shape).flatMap((field) => WRONG.map((value) => ({ ...payload, [field]: value }))),
    );
    expect(isWholePayload(type, payload)).toBe(true);
    expect(tried.map((each) => isWholePayload(type, each))).toEqual(tried.map((each) => schema.safeParse(each).success));
  });
});
