import type { eventWordsEnglish } from "../english/event-words-messages";

/** What each event of the trace says, in one line. */
export const eventWordsChinese = {
  "eventWords.queued": "{documents} 个文档中的 {chunks} 个分块",
  "eventWords.prepared":
    "{chunks} 个分块；{dropped, plural, =0 {没有剔除任何行} other {剔除 # 行}}；{masked, plural, =0 {没有遮蔽密钥} other {遮蔽 # 个密钥}}",
  "eventWords.byWorker": "工作进程 {worker}",
  "eventWords.routedTo": "发往 {model}",
  "eventWords.cooling": "{model} 暂停使用 {duration}",
  "eventWords.cooledDown": "{model} 恢复响应",
  "eventWords.byOperator": "由操作员",
  "eventWords.bySweeper": "退回队列：{reason}",
  "eventWords.bySweeperOnly": "退回队列",
  "eventWords.incomplete": "{succeeded} 个成功，{failed} 个失败，{cancelled} 个已取消",
  "eventWords.insights": "{count, plural, =0 {没有要点} other {# 条要点}}",
  "eventWords.withGaps": "有缺口",
  "eventWords.consolidated":
    "由 {done} 个分块汇总出 {insights, plural, =0 {0 条要点} other {# 条要点}}；{duplicates, plural, =0 {没有重复} other {合并 # 条重复}}",
  "eventWords.after": "用时 {duration}",
  "eventWords.next": "{duration}后进行下一次尝试",
  "eventWords.nextNow": "立即再次尝试",
  "eventWords.limit": "时限 {duration}",
  "eventWords.sentTo": "已发送给 {model}",
  "eventWords.answered": "输入 {prompt} + 输出 {completion} 个 token",
  "eventWords.phase.started": "后端已开始",
  "eventWords.phase.responding": "后端正在作答",
  "eventWords.phase.working": "后端正在工作",
  "eventWords.tool": "工具 {tool}",
  "eventWords.willRetry": "会再次尝试",
  "eventWords.ended.completed": "结束：已完成",
  "eventWords.ended.failed": "结束：失败",
  "eventWords.ended.cancelled": "结束：已取消",
  "eventWords.ended.blocked": "结束：受阻",
  "eventWords.cancel.user_requested": "应操作员请求",
  "eventWords.cancel.stage_timeout": "超出时限",
  "eventWords.cancel.session_cancelled": "运行已被取消",
  "eventWords.cancel.provider_evicted": "后端已被移除",
} satisfies Record<keyof typeof eventWordsEnglish, string>;
