import type { configAgentsEnglish } from "../english/config-agents-messages";

/** Words of the form for what agent runs may do. */
export const configAgentsChinese = {
  "configAgents.title": "智能体运行",
  "configAgents.hint": "它们最多可以做什么；每个运行再声明自己需要其中多少",
  "configAgents.workspaces": "允许智能体工作的文件夹",
  "configAgents.addWorkspace": "允许智能体工作的文件夹",
  "configAgents.add": "添加",
  "configAgents.removeWorkspace": "移除 {folder}",
  "configAgents.workspacesHint": "包括其下的所有文件夹，链接会先解析。没有指定工作区的运行会得到一个自己的空文件夹。",
  "configAgents.noWorkspaces": "还没有：每个运行都会得到一个自己的空文件夹。",
  "configAgents.folder.absolute": "须为以斜杠开头的绝对路径",
  "configAgents.folder.twice": "列表中已有此文件夹",
  "configAgents.providers": "可以使用的服务方",
  "configAgents.providersAll": "所有可作为智能体工作的服务方，包括以后添加的。",
  "configAgents.providersSome": "仅限这些，以后添加的也不包括。",
  "configAgents.providersNone": "没有：无法启动任何智能体运行。",
  "configAgents.noProviders": "还没有可作为智能体工作的服务方。",
  "configAgents.unknownProvider": "{name}（没有叫此名的智能体）",
  "configAgents.sandbox": "最宽松的沙箱",
  "configAgents.sandboxHint": "运行可以要求使用它，或更严格的沙箱。",
  "configAgents.network": "运行可以访问网络",
  "configAgents.time": "单轮最长时间（秒）",
  "configAgents.timeHint": "要求更长时间的运行会被拒绝。留空：一天。",
} satisfies Record<keyof typeof configAgentsEnglish, string>;
