import type { MessageKey } from "./messages";

/** What the server says of Claude Code; see server-sentences.ts. */
export const CLAUDE_SENTENCES: readonly [RegExp, MessageKey][] = [
  [/^Claude Code is not where SWITCHYARD_CLAUDE_BIN says \((?<path>.+?)\)\. (?<reason>.+)$/s, "claude.notThere"],
  [/^Claude Code is not installed here: no program of that name is in PATH\. (?<reason>.+)$/s, "claude.missing"],
  [/^Install it \(npm install -g (?<package>\S+)\) or name the program in SWITCHYARD_CLAUDE_BIN\.$/, "claude.hint"],
  [/^The program (?<path>.+) is not Claude Code: it does not say its version\. (?<reason>.+)$/s, "claude.notClaude"],
  [
    /^Claude Code (?<version>\S+) \((?<path>.+)\) is older than (?<oldest>\S+), the oldest that is known here\. (?<reason>.+)$/s,
    "claude.tooOld",
  ],
  [
    /^Claude Code (?<version>\S+) \((?<path>.+)\) is newer than what is known here, which ends before (?<before>\S+)\. (?<reason>.+)$/s,
    "claude.tooNew",
  ],
  [/^(?<provider>\S+): (?<reason>.+)\. Is Claude Code installed here\?$/, "claude.spawnFailed"],
  [/^(?<reason>.+)\. Is Claude Code installed here\?$/, "claude.spawnFailedPart"],
  [/^(?<provider>\S+): Claude Code asked its model a second time for one request, and was stopped\.$/, "claude.askedTwice"],
  [/^(?<provider>\S+): Claude Code answered by itself and asked no model: (?<words>.+)$/s, "claude.answeredItself"],
  [/^(?<provider>\S+): the model answered without the object that was asked for\.$/, "claude.noObject"],
  [/^(?<provider>\S+): the model's object is not the one that was asked for: (?<words>.+)$/s, "claude.otherObject"],
  [
    /^(?<provider>\S+): Claude Code ended without a result, and a line of its output is no message: (?<words>.+)$/s,
    "claude.badLine",
  ],
  [/^(?<provider>\S+): Claude Code ended with exit code (?<code>\S+) without a result$/, "claude.ended"],
  [/^(?<provider>\S+): Claude Code ended with exit code (?<code>\S+) without a result: (?<words>.+)$/s, "claude.endedWith"],
  [/^(?<provider>\S+): Claude Code was ended by (?<signal>\S+) without a result$/, "claude.killed"],
  [/^(?<provider>\S+): Claude Code was ended by (?<signal>\S+) without a result: (?<words>.+)$/s, "claude.killedWith"],
];
