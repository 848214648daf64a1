import { describe, expect, it } from "vitest";
import { headingText, isTimeOfDay, labelOfHeading, splitLabel } from "./labels";

describe("splitLabel", () => {
  it.each([
    ["Root cause: the cache", "cause", "the cache"],
    ["根本原因：缓存", "cause", "缓存"],
    ["Root cause of the full disk: debug logging", "cause", "debug logging"],
    ["订单变慢的原因：逐行查询", "cause", "逐行查询"],
    ["On leases: rule: renew early", "rule", "renew early"],
    ["Lesson learned: restore it", "lesson", "restore it"],
    ["TODO: buy paper", "noise", "buy paper"],
    ["Decision (final): keep it", "decision", "keep it"],
  ])("%s", (content, label, body) => {
    expect(splitLabel(content)).toEqual({ label, body });
  });

  it("leaves an unknown name before a colon alone", () => {
    expect(splitLabel("Berlin: the pump is old")).toEqual({ label: null, body: "Berlin: the pump is old" });
    expect(splitLabel("We saw one thing: cause and effect")).toEqual({ label: null, body: "We saw one thing: cause and effect" });
  });
});

describe("headings", () => {
  it.each([
    ["Decisions made", "decision"],
    ["📌 Checkpoint — 13:26", "noise"],
    ["Status: COMPLETED ✅", "noise"],
    ["Morning standup", "noise"],
    ["经验教训", "lesson"],
    ["待办", "noise"],
    ["Status page outage of the second week", null],
    ["Mail relay", null],
    ["Queue leases", null],
  ])("%s promises %s", (heading, label) => {
    expect(labelOfHeading(heading)).toBe(label);
  });

  it("loses pictures, times and the trailing state", () => {
    expect(headingText("📌 Export opened wrongly — RESOLVED ✅")).toBe("Export opened wrongly");
    expect(headingText("2026-03-02 — Daily Log")).toBe("Daily Log");
    expect(headingText("Work: queue leases")).toBe("queue leases");
  });

  it("tells times of day from subjects", () => {
    expect(["上午", "Monday", "Daily log"].map(isTimeOfDay)).toEqual([true, true, true]);
    expect(["Monday release", "定时任务"].map(isTimeOfDay)).toEqual([false, false]);
  });
});
