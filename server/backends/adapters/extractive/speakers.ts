/** Who speaks, at the start of a line of a chat: `User: …`, `[14:02] Bob: …`, `<bob> …`, `14:02 bob: …`. */

const TIME = String.raw`\[?\d{1,2}:\d{2}(?::\d{2})?\]?\s*[-–]?\s*`;
const ROLE = String.raw`(?:\*\*)?(?:user|assistant|human|system|ai|bot|me|用户|助手|我)(?:\*\*)?\s*[:：](?:\*\*)?\s*`;
const NAME = String.raw`@?[\p{L}][\p{L}\w.-]{0,20}\s*[:：]\s+`;
/** Behind a time even a name with blanks is a speaker's. */
const SPEAKER = new RegExp(`^\\s*(?:${TIME})?${ROLE}|^\\s*${TIME}(?:<[\\w .@+-]{1,24}>\\s+|${NAME})?`, "iu");
/** Without a time it may as well be `<config.h>`, `<user@example.com>` or a placeholder: a nick has no dot and no blank. */
const NICK = /^\s*<[@+]?[A-Za-z_][\w-]{0,23}>\s+(?=\S)/u;

/** Numbers of the lines that begin with a nick and stand beside another such line: one `<name>` alone is no chat. */
export function findNickLines(lines: readonly { text: string }[]): Set<number> {
  const found = new Set<number>();
  let before: number | null = null;
  lines.forEach(({ text }, i) => {
    if (text.trim() === "") return;
    if (!NICK.test(text)) {
      before = null;
      return;
    }
    if (before !== null) found.add(before).add(i);
    before = i;
  });
  return found;
}

/** The characters at the start of the text that say who speaks, and when; 0 when it does not say so. */
export function lengthOfSpeaker(text: string, isNickLine: boolean): number {
  const mark = (isNickLine ? NICK.exec(text) : null) ?? SPEAKER.exec(text);
  return mark !== null && mark[0].trim() !== "" ? mark[0].length : 0;
}
