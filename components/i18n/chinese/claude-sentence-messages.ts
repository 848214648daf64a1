import type { claudeSentencesEnglish } from "../english/claude-sentence-messages";

/** What the server says of Claude Code. */
export const claudeSentencesChinese = {
  "claude.notThere": "SWITCHYARD_CLAUDE_BIN 所指之处没有 Claude Code（{path}）。{reason}",
  "claude.missing": "这里没有安装 Claude Code：PATH 中没有这个程序。{reason}",
  "claude.hint": "请安装（npm install -g {package}），或用 SWITCHYARD_CLAUDE_BIN 指明程序。",
  "claude.notClaude": "程序 {path} 不是 Claude Code：它没有给出自己的版本。{reason}",
  "claude.tooOld": "Claude Code {version}（{path}）比 {oldest} 旧，而这是此处所知的最旧版本。{reason}",
  "claude.tooNew": "Claude Code {version}（{path}）比此处所知的版本新，所知的版本止于 {before} 之前。{reason}",
  "claude.spawnFailed": "{provider}：{reason}。这里安装了 Claude Code 吗？",
  "claude.spawnFailedPart": "{reason}。这里安装了 Claude Code 吗？",
  "claude.askedTwice": "{provider}：Claude Code 为同一个请求第二次询问模型，已被停止。",
  "claude.answeredItself": "{provider}：Claude Code 自行作答，没有询问模型：{words}",
  "claude.noObject": "{provider}：模型的回答中没有所要求的对象。",
  "claude.otherObject": "{provider}：模型给出的对象不是所要求的：{words}",
  "claude.badLine": "{provider}：Claude Code 没有给出结果就结束了，且其输出中有一行不是消息：{words}",
  "claude.ended": "{provider}：Claude Code 没有给出结果就结束了，退出码 {code}",
  "claude.endedWith": "{provider}：Claude Code 没有给出结果就结束了，退出码 {code}：{words}",
  "claude.killed": "{provider}：Claude Code 没有给出结果就被 {signal} 结束了",
  "claude.killedWith": "{provider}：Claude Code 没有给出结果就被 {signal} 结束了：{words}",
} satisfies Record<keyof typeof claudeSentencesEnglish, string>;
