import { describe, expect, it } from "vitest";
import { insightSchema } from "@/server/artifacts/insight.schema";
import { extractByBlock, extractInsights } from "./extract";

describe("extractInsights", () => {
  it("files a labelled statement under its label, with the subject above it as topic and the words as quote", () => {
    const text =
      "# 2026-02-01\n\n### Broken export — RESOLVED ✅\n**Root cause:** the program expects a mark\nat the start of the file.\n";
    expect(extractInsights(text)).toEqual([
      {
        topic: "Broken export",
        section: "cause",
        content: "Root cause: the program expects a mark at the start of the file.",
        confidence: "high",
        quote: "**Root cause:** the program expects a mark\nat the start of the file.",
      },
    ]);
  });

  it.each([
    ["decision", "- We agreed to ship on Tuesdays instead of Fridays, so that somebody is there to mend it."],
    ["cause", "- The job failed for days because its user had no home directory."],
    ["rule", "- Every token must be rotated within an hour after it was seen in a log."],
    ["lesson", "- Next time test the restore before you need it, we learned that the hard way."],
    ["workflow", "- Workflow: first stop the writers, then copy the files, and finally start them again."],
    ["fact", "- A batch of 500 rows took 14 seconds, which is twice as slow as before."],
    ["decision", "- 决定改用批量接口，不再逐条调用"],
    ["cause", "- 变慢的根本原因是每次请求都重新建立连接"],
    ["rule", "- 所有对外接口必须校验签名，禁止明文传输密码"],
    ["workflow", "- 流程：先停写入，再拷贝文件，最后重新启动"],
  ])("finds a %s in %s", (section, text) => {
    expect(extractInsights(text).map((insight) => insight.section)).toEqual([section]);
  });

  it.each([
    "- HEARTBEAT_OK",
    "- **Inbox:** 3 unread, nothing urgent",
    "- Disk: 57 % used",
    "### Likes: 3",
    "- [ ] We must rotate the token, because it leaked",
    "- Thanks everyone, great job today!",
    "- 大家辛苦了，谢谢",
    "- 今天天气不错，喝了三杯咖啡 ☕",
    "- Merged the branch and went for lunch",
    "- Can you look at the logs before we decide?",
    "2026-01-01 10:00:00 ERROR must not be null because of x",
    "```\nwe decided to never do this because it fails\n```",
    "| rule | never do this because it must not be |",
    "$ npm run build --if-present",
    "## Next\n- call the plumber about the pump",
    "Deploy is green ✅",
    "",
  ])("leaves out %j", (text) => {
    expect(extractInsights(text)).toEqual([]);
  });

  it("does not keep a negated rule apart from its negation", () => {
    const [insight] = extractInsights("- Never refreeze a sample, because the second thaw costs a third of the signal.");
    expect(insight?.content).toBe("Never refreeze a sample, because the second thaw costs a third of the signal.");
  });

  it("quotes word for word and fits the insight schema", () => {
    const text = `# Log\n${"- We decided to keep `lease_owner` for one release, because old workers write it.\n".repeat(3)}`;
    const insights = extractInsights(text);
    expect(insights.length).toBe(3);
    for (const insight of insights) {
      expect(text).toContain(insight.quote);
      expect(insightSchema.safeParse(insight).success).toBe(true);
    }
  });

  it("gives the same, block by block", () => {
    const text = "- We must stop because it broke.\n\nWe decided to stop because it broke twice.\n";
    expect([...extractByBlock(text)].flat()).toEqual(extractInsights(text));
    expect(extractInsights(text)).toEqual(extractInsights(text));
  });
});
