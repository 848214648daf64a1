import { describe, expect, it } from "vitest";
import { randomMarkdown } from "@/server/testing/random-markdown";
import { cleanText } from "./clean";

const clean = (text: string) => cleanText(text).text;

/** The dropped texts, by reason. */
function droppedBy(text: string): Record<string, string[]> {
  const byReason: Record<string, string[]> = {};
  for (const { start, end, reason } of cleanText(text).dropped) {
    byReason[reason] ??= [];
    byReason[reason]?.push(text.slice(start, end));
  }
  return byReason;
}

describe("what is never touched", () => {
  it.each([
    ["nothing", ""],
    ["prose", "We moved the shop to the new host.\n\nIt took a day.\n"],
    ["a rule about heartbeats", "- Rule: answer HEARTBEAT_OK only when the queue is empty.\n"],
    ["a Chinese rule", "- 用户要求每天最多自动回复 50 条，超过后转人工；涉及付款的一律先问人，不得自动回复。\n"],
    ["a heartbeat that reports a failure", "- Heartbeat 10:04: backup failed, disk full\n"],
    ["a cron job with a name", "- Cron job nightly-import now runs at 03:00\n"],
    ["a list of names", "- Cron\n- Heartbeat\n- Queue\n"],
    ["headings without text", "# Plan\n\n## Use SQLite\n\n## No Redis\n"],
    ["a fence with noise in it", "```\nHEARTBEAT_OK\nHEARTBEAT_OK\nHEARTBEAT_OK\nHEARTBEAT_OK\n\n\n\nNO_REPLY\n```\n"],
    ["a table with equal rows", `| a | b |\n|---|---|\n${"| the same row again and again | x |\n".repeat(20)}`],
    ["emoji", "Done 👩‍👩‍👧‍👦 🇩🇪 ☕\n"],
    [
      "a month of figures",
      Array.from(
        { length: 31 },
        (_, day) => `## 2026-03-${String(day + 1).padStart(2, "0")}\n- Revenue that day: ${1000 + day * 17} EUR\n`,
      ).join(""),
    ],
    [
      "a long list of versions",
      Array.from(
        { length: 90 },
        (_, index) => `- [version 4.${index}.1](changes.md#v4-${index}) was released to everybody\n`,
      ).join(""),
    ],
    ["a long list of tickets", Array.from({ length: 90 }, (_, index) => `Closes: #${100 + index}\n`).join("")],
    [
      "labels of several sections",
      "## A\n**Cause:**\nx was null\n## B\n**Cause:**\ny was null\n## C\n**Cause:**\nz was null\n## D\n**Cause:**\nw was null\n",
    ],
    [
      "an answer that says the same under each heading",
      ["A", "B", "C", "D", "E"].map((name) => `## Proposal ${name}\n- Status: approved\n`).join(""),
    ],
    [
      "one decision of several that differ in a number",
      [1, 2, 3, 4, 5, 6, 7, 8, 9].map((size) => `- Decided: tier ${size} gets ${size * 10} requests\n`).join(""),
    ],
    [
      "a rule stated under two headings",
      "## A\n- Never deploy on Fridays because nobody is there.\n## B\n- Never deploy on Fridays because nobody is there.\n",
    ],
    ["a speaker in a text that is no dialogue", "System: restarted by hand.\nThe rest is prose.\n"],
    ["code pasted without a fence", `${"  if (error) return;\n".repeat(12)}`],
    ["rules between sections", "a\n\n---\n\nb\n\n---\n\nc\n"],
  ])("%s", (_name, text) => {
    expect(cleanText(text)).toEqual({ text, kept: text === "" ? [] : [{ start: 0, end: text.length }], dropped: [] });
  });
});

describe("heartbeats", () => {
  it.each([
    "HEARTBEAT_OK",
    "- HEARTBEAT_OK ✅",
    "> **NO_REPLY**",
    "Assistant: NO_REPLY",
    "- [10:04] HEARTBEAT_OK — nothing to report",
    "Heartbeat check at 10:04 UTC: all quiet, no new messages.",
    "- 2026-03-02 10:04:11 cron tick ok",
    "Heartbeat: no errors, all systems normal",
    "心跳：一切正常",
    "- 10:04 心跳检查完成，无异常",
    "- 定时任务执行成功",
    "Read HEARTBEAT.md if it exists (workspace context). Follow it strictly.",
  ])("drops %s", (line) => {
    expect(clean(`Before.\n${line}\nAfter.\n`)).toBe("Before.\nAfter.\n");
    expect(droppedBy(`Before.\n${line}\nAfter.\n`)).toEqual({ heartbeat: [`${line}\n`] });
  });

  it("drops a section that holds nothing else, with its heading", () => {
    expect(clean("# Log\n\n## 10:04 — Heartbeat\n\n### Checks\n- HEARTBEAT_OK\n\n## Work\n- Moved the queue.\n")).toBe(
      "# Log\n\n## Work\n- Moved the queue.\n",
    );
  });

  it("keeps the heading of a section that holds something", () => {
    expect(clean("## 10:04 — Heartbeat\n- HEARTBEAT_OK\n\n### Work\n- Moved the queue.\n")).toBe(
      "## 10:04 — Heartbeat\n\n### Work\n- Moved the queue.\n",
    );
  });

  it("keeps a heading that is a statement although nothing is left under it", () => {
    expect(clean("### Decided: no retries after a refusal\n- HEARTBEAT_OK\n")).toBe("### Decided: no retries after a refusal\n");
  });

  it.each([
    "# 2026-03-02 — Daily Log\n\n## 00:04 UTC — Heartbeat\n- HEARTBEAT_OK\n\n---\n\n## 00:24 UTC — Heartbeat\n- HEARTBEAT_OK\n\n## Notes\n",
    "HEARTBEAT_OK\n".repeat(50),
    "\n \n\t\n\n",
    "# 2026-03-04 工作日志\n\n- HEARTBEAT_OK\n\n## 待办\n",
  ])("leaves nothing of a document of noise (%#)", (text) => {
    expect(clean(text)).toBe("");
  });
});

describe("a day of repeated checks", () => {
  const beat = (minute: number) =>
    `## ${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")} UTC — Heartbeat\n\n### Platform checks\n- **Inbox:** ${minute % 7} unread, nothing urgent\n- **Alerts:** none (old ones cleared)\n- **Disk:** ${50 + (minute % 13)} % used\n- Looked at the dashboard, ${minute % 5} jobs were waiting and ${minute % 3} workers idle\n- HEARTBEAT_OK\n\n### Likes: ${minute % 4}\n\n`;
  const work =
    "### Work: leases\n- A lease must outlive the call it covers, or be renewed while it runs.\n- Decided: renew it every third of its length.\n\n";
  const text = `# 2026-05-01 — Daily Log\n\n${Array.from({ length: 72 }, (_, index) => beat(index * 20) + (index === 30 ? work : "")).join("")}`;

  it("keeps the work, and the first of a sentence that only changes its numbers", () => {
    expect(text.length).toBeGreaterThan(15_000);
    expect(clean(text)).toBe(
      `# 2026-05-01 — Daily Log\n\n## 00:00 UTC — Heartbeat\n\n### Platform checks\n- Looked at the dashboard, 0 jobs were waiting and 0 workers idle\n\n## 10:00 UTC — Heartbeat\n\n${work.trimEnd()}\n`,
    );
  });

  it("says how often each reason struck", () => {
    const lines: Record<string, number> = {};
    for (const { reason, lines: count } of cleanText(text).dropped) lines[reason] = (lines[reason] ?? 0) + count;
    expect(lines.metadata).toBe(72 * 4);
    expect(lines.repeated).toBe(71);
    expect(lines.heartbeat).toBe(72 + 71 + 70);
  });

  it("keeps the first alert of a counter that says something", () => {
    const alert = (minute: number) => beat(minute).replace("none (old ones cleared)", "database nearly out of space");
    const kept = clean(Array.from({ length: 20 }, (_, index) => alert(index)).join(""));
    expect(kept.split("database nearly out of space")).toHaveLength(2);
  });
});

describe("repetitions", () => {
  it("keep the first of an equal line", () => {
    const text = "chunk 3/9 timeout after 60s\n".repeat(40);
    expect(clean(`Start.\n${text}End.\n`)).toBe("Start.\nchunk 3/9 timeout after 60s\nEnd.\n");
  });

  it("see past the time of day", () => {
    const text = [1, 2, 3, 4, 5]
      .map((hour) => `0${hour}:15 The importer looked for new files in the folder.\n`)
      .join("- something else each time\n");
    expect(clean(text)).toMatch(/^01:15 The importer/);
    expect(clean(text).split("The importer")).toHaveLength(2);
  });

  it("keep every ticket of a list that stands in three entries of a changelog", () => {
    const entry = (name: string) =>
      `${name}\n${Array.from({ length: 30 }, (_, index) => `- TICKET-${1000 + index}: Use after free in the loader, reported by Ann\n`).join("")}`;
    const kept = clean(["stable", "testing", "unstable"].map(entry).join("\n"));
    for (let index = 0; index < 30; index++) expect(kept).toContain(`TICKET-${1000 + index}:`);
  });

  it("keep the first of readings that come round again", () => {
    expect(clean(Array.from({ length: 60 }, (_, index) => `The pool has ${index % 7} free of 12 slots\n`).join(""))).toBe(
      "The pool has 0 free of 12 slots\n",
    );
  });

  it("keep the first of a rule that is pasted all day", () => {
    const rule = "- Rule: never answer a payment question without asking.\n";
    expect(
      clean(
        Array.from(
          { length: 30 },
          (_, index) =>
            `Step ${index === 3 ? "three" : "other"} of item ${"abcdefghijklmnopqrstuvwxyzABCD".charAt(index)}\n${rule}`,
        ).join(""),
      ).split(rule),
    ).toHaveLength(2);
  });
});

describe("metadata", () => {
  it("drops front matter and nothing that only looks like it", () => {
    expect(clean('---\ntitle: "A"\ntags: ["x"]\nlist:\n  - a\n---\n\n# A\n')).toBe("# A\n");
    for (const text of [
      "---\n\nA thought: it may be wrong, but worth a line.\nMore prose here.\n\n---\n",
      "---\njust text\n---\nmore\n",
      "---\nkey: value\nno end\n",
    ])
      expect(clean(text)).toBe(text);
  });

  it("drops the headers of untrusted metadata with their fence", () => {
    const text =
      'Conversation info (untrusted metadata):\n```json\n{"message_id": "12", "sender": "x"}\n```\n\nPlease move the queue.\n[message_id: 12]\n';
    expect(clean(text)).toBe("Please move the queue.\n");
    expect(Object.keys(droppedBy(text))).toEqual(["metadata", "blank"]);
  });

  it("takes the speakers off a dialogue, and the silent replies", () => {
    expect(
      clean("User: why did it stop?\nAssistant: the disk was full.\nUser: never log bodies again.\nAssistant: NO_REPLY\n"),
    ).toBe("why did it stop?\nthe disk was full.\nnever log bodies again.\n");
    expect(clean("用户：为什么停了？\n助手：磁盘满了。\n用户：以后不要记录正文。\n")).toBe(
      "为什么停了？\n磁盘满了。\n以后不要记录正文。\n",
    );
    expect(clean("**User:** one\n\n**Assistant:** two\n\n**User:**\nthree\n")).toBe("one\n\ntwo\n\nthree\n");
  });

  it("drops what a memory program notes under its candidates", () => {
    expect(
      clean(
        "- Candidate: keep one limiter per key\n  - confidence: 0.61\n  - evidence: memory/2026-03-01.md:12\n  - status: staged\n- status: waits for the supplier\n",
      ),
    ).toBe("- Candidate: keep one limiter per key\n- status: waits for the supplier\n");
  });
});

describe("its own output", () => {
  const artifact = { version: "xkb.result.v1", ok: true, output: { insights: [] } };

  it("drops staged insights between their marks", () => {
    expect(
      clean(
        "Mine.\n\n<!-- switchyard:staged-insights v1 -->\n# Staged\n- Decided: x.\n<!-- /switchyard:staged-insights -->\n\nAlso mine.\n",
      ),
    ).toBe("Mine.\n\nAlso mine.\n");
  });

  it("drops only the mark when the end is missing", () => {
    expect(clean("<!-- switchyard:staged-insights v1 -->\n- Decided: x.\n")).toBe("- Decided: x.\n");
  });

  it("drops artifacts on a line, over lines, in a fence and as the whole document", () => {
    const flat = JSON.stringify(artifact);
    const tall = JSON.stringify(artifact, null, 2);
    for (const form of [flat, tall, `\`\`\`json\n${tall}\n\`\`\``]) {
      expect(clean(`Before.\n${form}\nAfter.\n`)).toBe("Before.\nAfter.\n");
      expect(clean(form)).toBe("");
    }
  });

  it("keeps other JSON and text that mentions the version", () => {
    const text =
      'We write "version": "xkb.result.v1" into each file.\n{"version": "xkb.result.v1", broken\n```json\n{"version": "other.v1"}\n```\n';
    expect(clean(text)).toBe(text);
  });
});

describe("blank lines", () => {
  it("leaves one between what stays and none at the ends", () => {
    expect(clean("\n\n a\n\n\n\nb\n\nHEARTBEAT_OK\n\nc\n\n\n")).toBe(" a\n\nb\n\nc\n");
  });

  it("cuts a run of hundreds of blanks", () => {
    const text = `a${" ".repeat(5000)}b\n`;
    expect(cleanText(text)).toEqual({
      text: "a b\n",
      kept: [
        { start: 0, end: 2 },
        { start: 5001, end: 5003 },
      ],
      dropped: [{ start: 2, end: 5001, reason: "blank", lines: 1 }],
    });
  });
});

describe("every document", () => {
  it("is covered by kept and dropped ranges, each character once", () => {
    for (let seed = 0; seed < 150; seed++) {
      const text = randomMarkdown(seed, 25);
      const { text: cleaned, kept, dropped } = cleanText(text);
      expect(kept.map(({ start, end }) => text.slice(start, end)).join("")).toBe(cleaned);
      const ranges = [...kept, ...dropped].sort((left, right) => left.start - right.start);
      let position = 0;
      for (const { start, end } of ranges) {
        expect(start, `seed ${seed}`).toBe(position);
        expect(end).toBeGreaterThan(start);
        position = end;
      }
      expect(position, `seed ${seed}`).toBe(text.length);
      for (const { lines } of dropped) expect(lines).toBeGreaterThanOrEqual(1);
    }
  });

  it("cleans megabytes of hostile lines in linear time", () => {
    for (const line of [
      "{\n",
      "---\n",
      "<!-- switchyard:staged-insights v1 -->\n",
      `${"- ".repeat(500)}\n`,
      `${"| ".repeat(400)}- \n`,
      "####### \n",
      `${":".repeat(900)}\n`,
      '{"version": "xkb.infer.v1"\n',
    ]) {
      const started = process.cpuUsage();
      cleanText(line.repeat(Math.ceil(500_000 / line.length)));
      expect(process.cpuUsage(started).user / 1000, JSON.stringify(line.slice(0, 20))).toBeLessThan(3000);
    }
  });
});
