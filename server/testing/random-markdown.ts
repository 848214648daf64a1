/** Seeded text for property tests: every kind of block, in English and Chinese, with what breaks naive cutting. */

export interface Random {
  /** A whole number from 0 to `limit` - 1. */
  below(limit: number): number;
  pick<Item>(items: readonly Item[]): Item;
}

/** Mulberry32: small, the same everywhere. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    below,
    pick: (items) => {
      const item = items[below(items.length)];
      if (item === undefined) throw new Error("pick needs at least one item");
      return item;
    },
  };
}

const WORDS =
  "the lease must outlive a call because workers restart queue model chunk decided retry budget provider limit window naïve façade Привет".split(
    " ",
  );
const CHINESE = [
  "规则：先按标题切，再按句子切。",
  "根本原因是没有人看日志！",
  "不要在周五部署；",
  "今天天气不错",
  "用户要求每天最多回复五十条，超过后转人工。",
];
const EMOJI = ["😀", "👩‍👩‍👧‍👦", "🇩🇪🇫🇷", "👍🏽", "é", "☕"];
const BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

function sentence(random: Random): string {
  const words = Array.from({ length: 3 + random.below(18) }, () => random.pick(WORDS)).join(" ");
  return random.below(8) === 0 ? `${words} ${random.pick(EMOJI)}` : `${words}${random.pick([".", "!", "?", "", ":"])}`;
}

function block(random: Random): string {
  switch (random.below(14)) {
    case 0:
      return `${"#".repeat(1 + random.below(6))} ${sentence(random)}\n`;
    case 1:
      return `\`\`\`ts\n${Array.from({ length: 1 + random.below(30) }, () => `  const value = "${random.pick(WORDS)}"; // ${random.below(1000)}`).join("\n")}\n\`\`\`\n`;
    case 2:
      return `| a | b |\n|---|---|\n${Array.from({ length: 1 + random.below(12) }, () => `| ${random.pick(WORDS)} | ${random.below(100)} |`).join("\n")}\n`;
    case 3:
      return `${Array.from({ length: 1 + random.below(10) }, () => `${random.pick(["", "  ", "    "])}- ${sentence(random)}`).join("\n")}\n`;
    case 4:
      return `${Array.from({ length: 1 + random.below(8) }, () => random.pick(CHINESE)).join("")}\n`;
    case 5:
      return `${Array.from({ length: random.below(80) }, () => random.pick(EMOJI)).join("")}\n`;
    case 6:
      return `${Array.from({ length: 2000 }, () => BASE64.charAt(random.below(64))).join("")}\n`;
    case 7:
      return `${random.pick(["```", "~~~", "````js"])}\n${sentence(random)}\n`;
    case 8:
      return "\n".repeat(random.below(5));
    case 9:
      return `${" ".repeat(random.below(60))}\t\n`;
    case 10:
      return `- HEARTBEAT_OK\n### Likes: ${random.below(9)}\n- **Inbox:** ${random.below(9)} unread\n`;
    case 11:
      return `${random.pick(["User", "Assistant", "用户"])}: ${sentence(random)}\n`;
    case 12:
      return `${random.pick(["---", "<!-- switchyard:staged-insights v1 -->", "<!-- /switchyard:staged-insights -->", '{"version": "xkb.infer.v1"}'])}\n`;
    default:
      return `${Array.from({ length: 1 + random.below(12) }, () => sentence(random)).join(random.pick([" ", "\n"]))}\n`;
  }
}

/** Markdown of `blocks` random blocks; the last line may lack its newline. */
export function randomMarkdown(seed: number, blocks: number): string {
  const random = seededRandom(seed);
  const text = Array.from({ length: blocks }, () => block(random) + random.pick(["", "\n", "\n\n"])).join("");
  return random.below(2) === 0 ? text : text.trimEnd();
}
