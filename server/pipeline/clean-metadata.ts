/** Drops what programs write around a person's words: front matter, message headers, session keys, speaker prefixes. */
import type { CleanLine } from "./clean-lines";
import { drop, fenceEnd, isPlain } from "./clean-lines";
import { isHeartbeatLine } from "./clean-words";

/** Longer than any front matter, so that two rules far apart are not taken for one. */
const FRONT_MATTER_LINES = 100;
const YAML_LINE = /^(?:[A-Za-z0-9_"'-]+[A-Za-z0-9_ "'-]*:(?:\s.*)?|\s+\S.*|-\s.*|#.*|\s*)$/;

export function dropFrontMatter(lines: CleanLine[]): void {
  const begin = lines.findIndex((line) => line.kind !== "blank");
  if (lines[begin]?.text.trimEnd() !== "---") return;
  for (let index = begin + 1; index < lines.length && index - begin <= FRONT_MATTER_LINES; index++) {
    const text = lines[index]?.text ?? "";
    if (text.trimEnd() === "---" || text.trimEnd() === "...") {
      const hasKey = lines.slice(begin + 1, index).some((line) => /^[A-Za-z0-9_"'-]+[^:]*:/.test(line.text));
      if (hasKey) drop(lines, begin, index + 1, "front_matter");
      return;
    }
    if (!YAML_LINE.test(text)) return;
  }
}

const UNTRUSTED_HEADER = /^[^\n]{1,80}[(（](?:untrusted metadata|不可信元数据)[)）]\s*[:：]?$/iu;
const HEADER_LINES: readonly RegExp[] = [
  /^\[message_id:[^\]]{1,120}\]$/i,
  /^Current time: .{1,100}$/i,
  /^[-*]?\s*\*\*(?:Session Key|Session ID|Message ID|Chat ID)(?::\*\*|\*\*:)\s*\S+$/i,
  /^<!--\s*openclaw:dreaming:[^>]{1,80}-->$/i,
];
/** What a memory program notes under each candidate. */
const CANDIDATE = /^\s*[-*]\s+Candidate:/i;
const CANDIDATE_FIELD = /^\s+[-*]\s+(?:confidence|evidence|recalls|status):/i;
/** The order that makes an agent look around at intervals. */
const HEARTBEAT_ORDER = /^(?:[-*]\s+)?(?:read HEARTBEAT\.md if it exists\b|if nothing needs attention, reply HEARTBEAT_OK\b)/i;

export function dropMetadata(lines: CleanLine[]): void {
  let isAfterCandidate = false;
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index];
    if (!line || !isPlain(line)) {
      isAfterCandidate = false;
      continue;
    }
    const text = line.text.trim();
    isAfterCandidate = CANDIDATE.test(line.text) || (isAfterCandidate && CANDIDATE_FIELD.test(line.text));
    if (UNTRUSTED_HEADER.test(text)) {
      const next = lines[index + 1];
      const body = lines[index + 2]?.text.trim();
      const end =
        next && next.fence >= 0 && (body?.startsWith("{") || body?.startsWith("[")) ? fenceEnd(lines, index + 1) : index + 1;
      drop(lines, index, end, "metadata");
      index = end - 1;
    } else if (HEADER_LINES.some((pattern) => pattern.test(text)) || (isAfterCandidate && !CANDIDATE.test(line.text))) {
      line.reason = "metadata";
    } else if (HEARTBEAT_ORDER.test(text) || isHeartbeatLine(text)) {
      line.reason = "heartbeat";
    }
  }
}

const SPEAKER =
  /^([ \t]*(?:[-*][ \t]+)?)((?:\*\*)?(User|Human|Assistant|AI|Bot|System|用户|助手|助理|机器人|系统)(?:\*\*)?[ \t]*[:：](?:\*\*)?[ \t]*)/iu;
const DIALOGUE_LINES = 3;

/** `User:` and `Assistant:` go where the text is a dialogue of at least two speakers; elsewhere `System: …` may be a person's own word. */
export function cutSpeakers(lines: CleanLine[]): void {
  const spoken: { line: CleanLine; from: number; to: number }[] = [];
  const speakers = new Set<string>();
  for (const line of lines) {
    if (line.kind !== "text" && line.kind !== "item") continue;
    const match = SPEAKER.exec(line.text);
    if (!match?.[2] || !match[3]) continue;
    speakers.add(match[3].toLowerCase());
    const from = line.start + (match[1]?.length ?? 0);
    spoken.push({ line, from, to: from + match[2].length });
  }
  if (speakers.size < 2 || spoken.length < DIALOGUE_LINES) return;
  for (const { line, from, to } of spoken) {
    // A speaker alone on the line introduces what follows: the whole line goes.
    if (line.start + line.text.trimEnd().length <= to) line.reason ??= "metadata";
    else line.cuts = [...line.cuts, { start: from, end: to, reason: "metadata" }];
  }
}
