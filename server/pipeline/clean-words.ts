/** What a line says about itself: noise of a machine that waits, a statement worth keeping, a counter. English and Chinese. */

/** A statement that changes what happens later. Such a line is never taken for noise, whatever else it looks like. */
const SIGNAL = new RegExp(
  [
    "\\b(?:decid\\w*|decision|agreed|chose|chosen|reject\\w*|approv\\w*|rules?|polic(?:y|ies)|never|always|must|shall|should|forbid\\w*|required?s?|lessons?|learn\\w*|" +
      "root cause|causes?|caused|because|reasons?|therefore|instead|fix(?:ed|es)?|workaround|solution|problem|fail\\w*|broke\\w*|error|incident|outage|lost|urgent:|critical|deadline|" +
      "important|remember|from now on|do not|don't|note that|warning|prefer\\w*|limit is|switch(?:ed)? to|migrat\\w*|deploy\\w*|rollback|todo)\\b",
    "决定|决策|规则|规定|教训|经验|原因|因为|由于|导致|必须|不得|禁止|一律|务必|不要|应该|需要注意|注意|重要|记住|以后|今后|改用|改为|失败|错误|故障|异常(?!情况)|修复|解决|问题|要求|结论|紧急",
  ].join("|"),
  "iu",
);
/** Denials that hold a signal word and say that nothing happened. */
const DENIED_SIGNAL =
  /\b(?:no|zero|0|without(?: any)?|nothing) (?:new )?(?:errors?|failures?|problems?|incidents?|outages?|todos?|warnings?|action required|deploys?|critical\w*)\b|\bno action (?:is )?required\b|无(?:任何)?(?:异常|错误|故障|失败|问题)|没有(?:任何)?(?:异常|错误|故障|失败|问题)|未发现(?:任何)?(?:异常|错误|故障|问题)/giu;

export function hasSignal(text: string): boolean {
  return SIGNAL.test(text) && SIGNAL.test(text.replace(DENIED_SIGNAL, " "));
}

/** Replies that a machine gives to say nothing. */
const SILENT_REPLY = /\b(?:HEARTBEAT_OK|HEARTBEAT_SKIP|NO_REPLY|NO_ACTION)\b/u;
const ANCHOR = /heartbeat|\bcron\b|HEARTBEAT_OK|NO_REPLY|心跳|巡检|定时任务|定时检查/iu;
/** Headings under which a machine reports at intervals. */
const ROUTINE_HEADING =
  /heartbeat|\bcron\b|(?:platform|status|health|system|routine|periodic)s? (?:check|poll|report)s?|心跳|巡检|定时检查|例行检查|状态检查/iu;

/** True for a heading like `00:04 UTC — Heartbeat` or `Platform checks`. */
export function isRoutineHeading(text: string): boolean {
  return ROUTINE_HEADING.test(text);
}

const STATE_WORDS = new Set(
  "ok okay nothing none quiet clear fine good normal nominal green idle alive healthy passed success successful succeeded done complete completed finished noop unchanged stable tick".split(
    " ",
  ),
);
const FILLER_WORDS = new Set(
  (
    "heartbeat heartbeat_ok heartbeat_skip no_reply no_action heartbeats cron job jobs tick ticks poll polled poller pulse ping check checks checked checking status state system systems service services all is are was were " +
    "and the a an at on in of to for with still everything every no new news change changes changed alert alerts issue issues error errors failure failures problem problems message messages mail action actions needed required " +
    "attention urgent report reported run runs ran running started start triggered scheduled received reply replied sent response returned now again as usual before last since minutes min hour hours ago today this that " +
    "utc gmt cet am pm z assistant user bot agent it up ack acknowledged"
  ).split(" "),
);
const FILLER_CHINESE =
  /心跳|巡检|定时任务|定时检查|定时|任务|检查|状态|系统|服务|一切|全部|所有|正常|完成|成功|无异常|没有异常|未发现异常|无新消息|没有新消息|新消息|消息|无变化|没有变化|暂无|无事|无需处理|无需回复|无需|处理|回复|需要|没有|已|执行|运行|结果|本次|例行|上报|汇报|了|的|无|中|次|第|点|分|时|今日|今天|目前|当前|助手|用户/gu;
const CHINESE_STATE = /正常|无异常|没有异常|未发现异常|暂无|无事|无新|没有新|没有变化|无变化|完成|成功|无需/u;

/** Dates and times of day; what differs between two beats of the same log. */
const TIMESTAMPS =
  /\b\d{4}-\d{2}-\d{2}[T ]\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?(?: ?(?:Z|UTC|GMT)|[+-]\d{2}:?\d{2})?|\b\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?(?: ?(?:[ap]m|UTC|GMT|Z))?\b/giu;

/**
 * True for a line that says only that a machine is alive or keeps silent: `HEARTBEAT_OK`, `Heartbeat check: all quiet at 10:04`,
 * `心跳：一切正常`. Every word must be one that says nothing; a single other word keeps the line.
 */
export function isHeartbeatLine(text: string): boolean {
  const isSilent = SILENT_REPLY.test(text);
  if (!isSilent && !ANCHOR.test(text)) return false;
  let states = isSilent || CHINESE_STATE.test(text) ? 1 : 0;
  const words =
    text
      .replace(TIMESTAMPS, " ")
      .replace(FILLER_CHINESE, " ")
      .toLowerCase()
      .match(/[\p{L}_]+/gu) ?? [];
  for (const word of words) {
    if (STATE_WORDS.has(word)) states++;
    else if (!FILLER_WORDS.has(word)) return false;
  }
  return states > 0;
}

/** True for a heading that names only times and a routine: `00:04 UTC — Heartbeat`. */
export function isBareRoutine(text: string): boolean {
  if (!ANCHOR.test(text)) return false;
  const words =
    text
      .replace(TIMESTAMPS, " ")
      .replace(FILLER_CHINESE, " ")
      .toLowerCase()
      .match(/[\p{L}_]+/gu) ?? [];
  return words.every((word) => STATE_WORDS.has(word) || FILLER_WORDS.has(word));
}

const COUNTER =
  /^[ \t]*(?:[-*+•][ \t]+)?(?:#{1,6}[ \t]+)?(?:\*\*|__)?([^:：*\n]{1,40}?)(?:\*\*|__)?[:：](?:\*\*|__)?[ \t]*(\S.*)$/u;
const NO_VALUE =
  /^(?:none|no\b|nothing|n\/a|nil|zero|ok\b|okay\b|all (?:quiet|clear|good|green)|unchanged|无|暂无|没有|正常|不变)/iu;
const UNIT_WORDS = new Set(
  "unread new urgent used free total online offline pending open closed message messages mail mails email emails like likes view views follower followers comment comments reply replies item items task tasks gb mb kb tb ms s min h days day hours hour of and up 封 条 个 次 未读 新 已用 可用 正常".split(
    " ",
  ),
);

/** A `key: value` line; the key without its marks. */
export function readCounter(text: string): { key: string; value: string } | null {
  const match = COUNTER.exec(text);
  // A time of day is no key: `00:04 UTC`.
  return match?.[1] && match[2] && /\p{L}/u.test(match[1]) ? { key: match[1].trim(), value: match[2].trim() } : null;
}

/** A value that is a number with its unit, or says that there is none. */
export function isCounterValue(value: string): boolean {
  if (NO_VALUE.test(value)) return true;
  if (!/\d/.test(value)) return false;
  const words = value.toLowerCase().match(/\p{L}+/gu) ?? [];
  return words.every((word) => UNIT_WORDS.has(word) || FILLER_WORDS.has(word) || STATE_WORDS.has(word));
}

/** Phrases by which a log says that there was nothing to say. */
const LOW_INFORMATION =
  /nothing (?:urgent|new|to (?:report|do))|no (?:new|change|action|updates?|alerts?)\b|all (?:quiet|clear|good|green|systems)|as usual|unchanged|heartbeat|\bcron\b|心跳|巡检|无异常|一切正常|暂无|没有(?:新|变化)/iu;

export function isLowInformation(text: string): boolean {
  return LOW_INFORMATION.test(text);
}

/** The line with its times of day taken out: two beats of a log become equal. */
export function withoutTimes(text: string): string {
  const timeless = text.includes(":") ? text.replace(TIMESTAMPS, "0:0") : text;
  return timeless.replace(/\s+/g, " ").trim();
}

/** The line with every number and long hexadecimal id made equal. */
export function withoutNumbers(text: string): string {
  const timeless = withoutTimes(text);
  if (!/\d/.test(timeless)) return timeless;
  return timeless.replace(/\b(?=[0-9a-f-]*\d)[0-9a-f-]{8,}\b/giu, "0").replace(/\d+(?:[.,]\d+)*/g, "0");
}

/** Letters, where a character of Chinese says about as much as two of English. */
export function weightOf(text: string): number {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const wide = text.match(/\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}/gu)?.length ?? 0;
  return letters + wide;
}

/** Headings that name a place in a daily log and say nothing themselves. */
const GENERIC_HEADING =
  /^(?:daily )?(?:notes?|logs?|daily log|work ?log|journal|diary|todos?|tasks?|next(?: steps)?|summary|misc|session|morning|afternoon|evening|上午|下午|晚上|笔记|日志|工作日志|日记|待办|总结|其他|今日)?$/iu;

export function isGenericHeading(text: string): boolean {
  const rest = text
    .replace(TIMESTAMPS, " ")
    .replace(/\d{4}[-./年]\d{1,2}[-./月]\d{1,2}日?/gu, " ")
    .replace(/[#*_—–:：|\-\s]+/gu, " ")
    .trim();
  return GENERIC_HEADING.test(rest);
}
