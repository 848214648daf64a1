/** What preparing text costs: `npx tsx scripts/bench/prep.mts [megabytes]`. Real text where this machine has some, else generated. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { tokenizerOf } from "@/server/inference/tokenizer";
import { chunkText } from "@/server/pipeline/chunk";
import { DEFAULT_CHUNK_TOKENS } from "@/server/pipeline/chunk-limits.rules";
import { prepare } from "@/server/pipeline/prepare";

const DOCUMENTS = "/usr/share/doc";
const MEGABYTE = 1_000_000;

function cpuMilliseconds<Value>(work: () => Value): { value: Value; ms: number } {
  const before = process.cpuUsage();
  const value = work();
  const { user, system } = process.cpuUsage(before);
  return { value, ms: (user + system) / 1000 };
}

/** Text of changelogs and READMEs, in the order of their paths. */
function readRealText(bytes: number): string {
  const parts: string[] = [];
  let size = 0;
  const visit = (folder: string) => {
    for (const entry of readdirSync(folder, { withFileTypes: true }).sort((left, right) => (left.name < right.name ? -1 : 1))) {
      if (size >= bytes) return;
      const file = path.join(folder, entry.name);
      if (entry.isDirectory()) visit(file);
      else if (entry.isFile() && /changelog.*\.gz$|readme.*|\.md$/i.test(entry.name)) {
        const raw = readFileSync(file);
        const text = (entry.name.endsWith(".gz") ? gunzipSync(raw) : raw).toString("utf8").replaceAll("\0", "");
        parts.push(`# ${entry.name}\n\n${text}\n`);
        size += text.length;
      }
    }
  };
  try {
    visit(DOCUMENTS);
  } catch {
    return "";
  }
  return parts.join("").slice(0, bytes);
}

function generateText(bytes: number): string {
  const words =
    "the lease must outlive a call because workers restart queue model chunk decided retry budget provider limit window".split(
      " ",
    );
  let seed = 7;
  const next = (limit: number) => {
    seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
    return (seed >>> 8) % limit;
  };
  const parts: string[] = [];
  for (let size = 0; size < bytes; ) {
    const sentence = Array.from({ length: 6 + next(14) }, () => words[next(words.length)]).join(" ");
    const line = next(12) === 0 ? `\n## ${sentence}\n\n` : `- ${sentence}.\n`;
    parts.push(line);
    size += line.length;
  }
  return parts.join("").slice(0, bytes);
}

const megabytes = Number(process.argv[2] ?? "5");
const real = readRealText(megabytes * MEGABYTE);
const text = real.length >= megabytes * MEGABYTE ? real : real + generateText(megabytes * MEGABYTE - real.length);
const chinese =
  "规则：先按标题切，再按句子切，最后才按长度切；表格和代码块不切开。决定：启动时先解析模型，解析不到就拒绝启动。\n\n"
    .repeat(Math.ceil((megabytes * MEGABYTE) / 160))
    .slice(0, (megabytes * MEGABYTE) / 3);

const rows: Record<string, string | number>[] = [];
for (const id of ["pieces", "o200k"] as const) {
  const tokenizer = tokenizerOf(id);
  const load = cpuMilliseconds(() => tokenizer.countTokens("load"));
  for (const [name, sample] of [
    ["Markdown", text],
    ["Chinese", chinese],
    ["unbroken", "x7Kq".repeat((megabytes * MEGABYTE) / 20)],
  ] as const) {
    const { value, ms } = cpuMilliseconds(() =>
      chunkText(sample, { budget: DEFAULT_CHUNK_TOKENS, countTokens: tokenizer.countTokens }),
    );
    rows.push({
      step: "chunk",
      tokenizer: id,
      text: name,
      MB: (Buffer.byteLength(sample) / MEGABYTE).toFixed(1),
      "CPU ms": Math.round(ms),
      chunks: value.length,
      "load ms": Math.round(load.ms),
    });
  }
  const { value, ms } = cpuMilliseconds(() =>
    prepare({
      documents: [{ name: "bench.md", text }],
      chunkTokens: DEFAULT_CHUNK_TOKENS,
      tokenizer: id,
      tokenizerIsEstimate: id !== "o200k",
      knownSecrets: [],
    }),
  );
  rows.push({
    step: "prepare",
    tokenizer: id,
    text: "Markdown",
    MB: (Buffer.byteLength(text) / MEGABYTE).toFixed(1),
    "CPU ms": Math.round(ms),
    chunks: value.chunks.length,
    "load ms": Math.round(load.ms),
  });
}
console.table(rows);
