import type { costEnglish } from "../english/cost-messages";

export const costChinese = {
  "cost.label": "费用",
  "cost.unknown": "未知",
  "cost.about": "部分 token 数是在此估算的，因此费用是大约值。",
  "cost.source.provider": "由服务方告知",
  "cost.source.table": "按 {price} 的价格",
  "cost.source.in_process": "在本服务器内应答",
  "cost.none": "没有要付的费用：请求尚在进行，或在应答之前就被拒绝。",
  "cost.reason.no_price": "不知道这个模型的价格",
  "cost.reason.no_tokens": "没有人告知用了多少 token",
  "cost.reason.made_elsewhere": "在别处生成，价格在此不得而知",
  "cost.unknownFor": "{count} 个请求的费用未知",
  "cost.unknownOf": "{reference}：{reason}（{count}）",
  "cost.byNow": "按当前价格（配置的修订版 {revision}）计算，因此更正价格后这里也会更正。失败的请求同样计费。",
  "cost.setPrice": "设定价格",
} satisfies Record<keyof typeof costEnglish, string>;
