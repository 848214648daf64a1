import type { loginEnglish } from "../english/login-messages";

/** Words of signing in and out. */
export const loginChinese = {
  "login.title": "登录",
  "login.heading": "登录 Switchyard",
  "login.server": "服务器：{host}",
  "login.token": "访问令牌",
  "login.tokenHint": "即启动此服务器时设置的 SWITCHYARD_TOKEN。",
  "login.show": "显示令牌",
  "login.hide": "隐藏令牌",
  "login.submit": "登录",
  "login.missing": "请输入访问令牌。",
  "login.wrong": "这不是此服务器的访问令牌。",
  "login.tooMany": "从此处输入错误令牌的次数过多。",
  "login.waitAMinute": "请等待一分钟后重试。",
  "login.waitSeconds": "{seconds} 秒后可以重试。",
  "login.signOut": "退出登录",
  "login.ended": "您已退出登录",
  "login.endedText": "会话已结束。重新登录即可继续，您在此页面输入的内容都还在。",
  "login.endedBar": "您已退出登录，此页面不再更新。",
} satisfies Record<keyof typeof loginEnglish, string>;
