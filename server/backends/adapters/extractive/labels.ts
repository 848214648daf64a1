/** Labels by which a statement or heading says what it is: "Root cause: …", "规则：…", "### Lessons learned". */

/** `noise` marks talk about the moment: status, to-dos, agenda, greetings. */
export type Label = "decision" | "cause" | "rule" | "lesson" | "workflow" | "fact" | "solution" | "problem" | "noise";

/**
 * Words of labels and headings. English and Chinese side by side; a label is matched whole (with an ordinary
 * ending), a heading anywhere in its words. Order decides where a text has two: "next steps" is a to-do, not a workflow.
 */
const LABEL_WORDS: ReadonlyArray<readonly [Label, string]> = [
  [
    "noise",
    "todos?|to[- ]dos?|next(?: steps?| up)?|action items?|tasks?|open (?:questions?|items?)|backlog|plan for (?:today|tomorrow)|tomorrow|status|progress|check-?points?|check-?ins?|stand-?ups?|heart-?beats?|health checks?|attend(?:ees|ance)|present|apologies|agenda|likes|followers|social|weather|chat(?:ter)?|chit-?chat|small talk|banter|smoke tests?|mood|food|lunch|misc(?:ellaneous)?|links|reading list|shopping|personal|birthdays?|wins|shout-?outs?|kudos|thanks|greetings?|notifications?|inbox|mail|calendar|metrics snapshot|待办(?:事项)?|下一步|后续(?:计划)?|明日(?:计划|待办)?|明天(?:计划)?|今日(?:计划|任务)|进度|进展|状态|签到|打卡|心跳|闲聊|互动|用户互动|参会(?:人员?)?|出席|议程|天气|其他|杂项|心情|午饭|感谢|问候|通知|点赞",
  ],
  [
    "decision",
    "decisions?(?: made| taken)?|decided|resolutions?|resolved|agreed|agreements?|choice|conclusions?|outcomes?|verdict|决定(?:事项)?|决策|决议|结论|共识|选择|方案确定",
  ],
  ["cause", "root causes?|causes?|reasons?|why|diagnosis|explanation|(?:根本|主要|直接)?原因(?:分析)?|根因|起因|诊断"],
  [
    "rule",
    "(?:new |house |hard |ground )?rules?(?: of thumb)?|polic(?:y|ies)|constraints?|invariants?|conventions?|guidelines?|requirements?|must|never|always|do not|don'ts?|warning|caution|important|security|规则|规范|规定|约定|约束|限制|要求|原则|禁止|注意(?:事项)?|红线|须知|安全",
  ],
  [
    "lesson",
    "lessons?(?: learn(?:ed|t))?|learn(?:ed|ings?|t)|take-?aways?|insights?|gotchas?|pitfalls?|retro(?:spective)?|post-?mortem|note to self|tips?|what (?:we|i) learn(?:ed|t)|教训|经验(?:教训|总结)?|心得|体会|总结|复盘|踩坑(?:记录)?|启示|反思",
  ],
  [
    "workflow",
    "workflows?|procedures?|process(?:es)?|steps?|how[- ]?to|play-?books?|run-?books?|recipes?|method|protocol|checklist|流程|步骤|做法|操作(?:方法|步骤|流程)?|方法|工作流",
  ],
  [
    "fact",
    "facts?|findings?|results?|measure(?:d|ments?)|observations?|observed|benchmarks?|evidence|numbers|data|effect|impact|事实|发现|结果|实测|测量|数据|观察|效果|影响",
  ],
  [
    "solution",
    "solutions?|fix(?:es|ed)?|remed(?:y|ies)|mitigations?|workarounds?|answer|解决(?:方案|办法|方法)?|修复|处理(?:方法)?|对策|措施|改进",
  ],
  ["problem", "problems?|issues?|symptoms?|bugs?|incidents?|questions?|背景|问题|现象|症状|故障"],
];

const EXACT = LABEL_WORDS.map(([label, words]) => [label, new RegExp(`^(?:${words})$`, "iu")] as const);
/** In a heading of several words the last ones say what it holds: "Weekly status" is a status, "Status page" is a page. */
const AT_END = LABEL_WORDS.map(
  ([label, words]) => [label, new RegExp(`(?:[^\\p{L}]|(?<=\\p{Script=Han}))(?:${words})$`, "iu")] as const,
);

/** A label is short: up to five words or twelve Chinese characters before a colon. */
const LABEL_SHAPE =
  /^(?<name>[\p{L}][\p{L}\p{N}'’ -]{0,40}?|\p{Script=Han}[\p{Script=Han}\p{L}\p{N}]{0,11})\s*(?:\((?<aside>[^()]{0,30})\)\s*)?[:：]\s*(?<body>\S.*)$/su;
/** "订单变慢的原因：…" */
const CHINESE_LABEL_OF_SUBJECT = /^[^:：。；]{1,24}的(?<name>\p{Script=Han}{2,6})[:：]\s*(?<body>\S.*)$/su;
const LABEL_OF_SUBJECT =
  /^(?<name>[\p{L}][\p{L}-]*(?: [\p{L}-]+)?) (?:of|for|behind|in|on) (?<subject>[^:：]{1,60}):\s*(?<body>\S.*)$/iu;
const NESTED = /^[^:：.。;；]{1,60}[:：]\s*(?<name>[^:：.。;；]{2,24})[:：]\s*(?<body>\S.*)$/su;
const LABEL_WORD_LIMIT = 5;

/** Splits "Root cause: …" into its label and the rest. Unknown names before a colon are no label: the body is the whole. */
export function splitLabel(content: string): { label: Label | null; body: string } {
  for (const shape of [LABEL_SHAPE, LABEL_OF_SUBJECT, CHINESE_LABEL_OF_SUBJECT]) {
    const groups = shape.exec(content)?.groups;
    const name = groups?.name?.trim();
    if (!name || name.split(/\s+/u).length > LABEL_WORD_LIMIT) continue;
    const label = labelOf(name);
    if (label) return { label, body: groups?.body ?? content };
  }
  // "On queue leases: rule: …": the label stands second when the subject comes first.
  const nested = NESTED.exec(content)?.groups;
  const label = nested?.name ? labelOf(nested.name) : null;
  if (nested?.body && label) return { label, body: nested.body };
  return { label: null, body: content };
}

/** The label a short name is, whole: "Root cause" is, "Root cause of everything" is not. */
export function labelOf(name: string): Label | null {
  const trimmed = name.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, "");
  return EXACT.find(([, pattern]) => pattern.test(trimmed))?.[0] ?? null;
}

/** What a heading promises for the statements below it. */
export function labelOfHeading(heading: string): Label | null {
  const name = headingText(heading).split(/[:：]/u)[0]?.trim() ?? "";
  return (
    labelOf(name) ?? (name.length <= HEADING_WITH_LABEL ? (AT_END.find(([, pattern]) => pattern.test(name))?.[0] ?? null) : null)
  );
}
/** In a longer heading such a word is one of many and promises nothing. */
const HEADING_WITH_LABEL = 32;

/** A heading without emphasis, pictures, clock times, dates, and trailing status words. */
export function headingText(heading: string): string {
  return heading
    .replace(/[*`_~#]+/gu, "")
    .replace(/\p{Extended_Pictographic}|\u{FE0F}|\u{200D}|[✓✔✗✘]/gu, "")
    .replace(/\b\d{4}-\d{2}-\d{2}\b|\b\d{1,2}:\d{2}(?::\d{2})?\s*(?:[ap]m|UTC|GMT|CES?T)?\b/giu, "")
    .replace(
      /\s+[-–—]+\s+(?:resolved|done|fixed|closed|complete[d]?|solved|open|wip|in progress|pending|完成|已解决|已完成|进行中)\s*$/iu,
      "",
    )
    .replace(/^\s*(?:work|topic|subject|area|note|notes|主题|工作)\s*[:：]\s*/iu, "")
    .replace(/^[\s\-–—:：|·•]+|[\s\-–—:：|·•]+$/gu, "")
    .replace(/\s+/gu, " ");
}

/** "Morning", "下午", "Day 3": when something was written, not what about. */
export function isTimeOfDay(heading: string): boolean {
  return /^(?:(?:early |late )?(?:morning|afternoon|evening|night|noon|midday|today|yesterday)|(?:mon|tues|wednes|thurs|fri|satur|sun)day|day \d+|notes?|log|daily (?:log|notes?)|上午|下午|早上|中午|晚上|凌晨|今天|昨天|夜间|(?:周|星期)[一二三四五六日天]|笔记|日志|工作日志|日报)$/iu.test(
    heading,
  );
}
