/** What each failure kind is called, and what to do about it. */
export const failureEn = {
  "failure.title.secret-unavailable": "The API key is missing",
  "failure.title.provider-auth-failed": "The provider refused the key",
  "failure.title.provider-rate-limited": "The provider limits the rate",
  "failure.title.provider-unavailable": "The provider was not reachable",
  "failure.title.backend-protocol-error": "The backend answered in an unknown form",
  "failure.title.backend-json-parse-error": "The answer was not JSON",
  "failure.title.backend-response-invalid": "The answer did not have the asked shape",
  "failure.title.backend-spawn-failed": "The backend did not start",
  "failure.title.backend-failed": "The backend refused the request",
  "failure.title.backend-timeout": "The answer took too long",
  "failure.title.cancelled": "Cancelled",
  "failure.short.secret-unavailable": "key missing",
  "failure.short.provider-auth-failed": "key refused",
  "failure.short.provider-rate-limited": "rate limit",
  "failure.short.provider-unavailable": "provider not reachable",
  "failure.short.backend-protocol-error": "unknown form of answer",
  "failure.short.backend-json-parse-error": "answer not JSON",
  "failure.short.backend-response-invalid": "answer of another shape",
  "failure.short.backend-spawn-failed": "backend not started",
  "failure.short.backend-failed": "request refused",
  "failure.short.backend-timeout": "timeout",
  "failure.short.cancelled": "cancelled",
  "failure.advice.secret-unavailable":
    "Set the variable that the backend’s key is read from, restart, then retry. Retrying before that fails the same way.",
  "failure.advice.provider-auth-failed":
    "Check that the key is valid and may use this model, then retry. It is not retried by itself.",
  "failure.advice.provider-rate-limited":
    "It is retried by itself with growing waits. If it stays, lower the requests at once, or check the quota with the provider.",
  "failure.advice.provider-unavailable":
    "It is retried by itself. If it stays, check the address, the network and the provider’s state, then retry.",
  "failure.advice.backend-protocol-error":
    "It is retried once. If it stays, the address may lead to something else than the backend: check it before you retry.",
  "failure.advice.backend-json-parse-error":
    "It is retried once; models vary, so another retry often helps. If not, read the raw text: the answer may be cut off.",
  "failure.advice.backend-response-invalid":
    "It is retried once; another retry often helps. If not, read the raw text, or take a model that follows a schema better.",
  "failure.advice.backend-spawn-failed":
    "Check that the program is installed and may be run, then retry. It is not retried by itself.",
  "failure.advice.backend-failed":
    "Read the message: the request itself was refused (wrong model name, text too long, a content rule). Change that before you retry. It is not retried by itself.",
  "failure.advice.backend-timeout":
    "It is retried by itself. If it stays, raise the time limit or make chunks smaller in a new run.",
  "failure.advice.cancelled": "Stopped on request; retry when you want it done after all.",
} as const;

export const failureZh = {
  "failure.title.secret-unavailable": "缺少 API 密钥",
  "failure.title.provider-auth-failed": "服务方拒绝了密钥",
  "failure.title.provider-rate-limited": "服务方限流",
  "failure.title.provider-unavailable": "服务方不可用",
  "failure.title.backend-protocol-error": "后端返回了无法识别的格式",
  "failure.title.backend-json-parse-error": "回答不是 JSON",
  "failure.title.backend-response-invalid": "回答不符合要求的结构",
  "failure.title.backend-spawn-failed": "后端未能启动",
  "failure.title.backend-failed": "后端拒绝了请求",
  "failure.title.backend-timeout": "回答超时",
  "failure.title.cancelled": "已取消",
  "failure.short.secret-unavailable": "缺少密钥",
  "failure.short.provider-auth-failed": "密钥被拒",
  "failure.short.provider-rate-limited": "限流",
  "failure.short.provider-unavailable": "服务方不可用",
  "failure.short.backend-protocol-error": "回答格式无法识别",
  "failure.short.backend-json-parse-error": "回答不是 JSON",
  "failure.short.backend-response-invalid": "回答结构不符",
  "failure.short.backend-spawn-failed": "后端未启动",
  "failure.short.backend-failed": "请求被拒",
  "failure.short.backend-timeout": "超时",
  "failure.short.cancelled": "已取消",
  "failure.advice.secret-unavailable": "请设置该后端读取密钥的环境变量并重启，然后重试。在此之前重试只会得到同样的失败。",
  "failure.advice.provider-auth-failed": "请确认密钥有效且可使用此模型，然后重试。系统不会自动重试。",
  "failure.advice.provider-rate-limited": "系统会以递增的间隔自动重试。若持续出现，请降低并发数，或向服务方确认配额。",
  "failure.advice.provider-unavailable": "系统会自动重试。若持续出现，请检查地址、网络和服务方状态后再重试。",
  "failure.advice.backend-protocol-error": "系统会重试一次。若仍出现，地址指向的可能不是该后端：请检查后再重试。",
  "failure.advice.backend-json-parse-error":
    "系统会重试一次；模型输出有随机性，再次重试往往有效。若无效，请查看原文：回答可能被截断。",
  "failure.advice.backend-response-invalid": "系统会重试一次；再次重试往往有效。若无效，请查看原文，或换用更能遵循结构的模型。",
  "failure.advice.backend-spawn-failed": "请确认程序已安装且可执行，然后重试。系统不会自动重试。",
  "failure.advice.backend-failed":
    "请阅读错误信息：请求本身被拒绝（模型名错误、文本过长或内容规则）。请先修正再重试。系统不会自动重试。",
  "failure.advice.backend-timeout": "系统会自动重试。若持续出现，请在新的运行中提高时限或缩小分块。",
  "failure.advice.cancelled": "应请求停止；如仍需要，可以重试。",
} satisfies Record<keyof typeof failureEn, string>;
