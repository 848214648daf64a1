// A program that behaves as the Claude Code command line does, and as no recording can: it dies, floods, hangs and leaks. What it can do
// is listed in fake-claude-command.ts; a prompt chooses by a mark `[[fake:<behaviour>+<behaviour>]]`.
import { spawn } from "node:child_process";
import { appendFileSync, writeFileSync } from "node:fs";

const options = JSON.parse(process.argv[2]);
const given = process.argv.slice(3);
// biome-ignore lint/style/noProcessEnv: this is a program of its own, and what it is given is what tests look at
const environment = process.env;

if (options.pids) appendFileSync(options.pids, `${process.pid}\n`);
if (given.includes("--version")) {
  if (options.hangsAtVersion) setInterval(() => undefined, 60_000);
  else console.log(options.version ?? "2.1.332 (Claude Code)");
} else {
  await answer();
}

async function answer() {
  let prompt = "";
  for await (const piece of process.stdin.setEncoding("utf8")) prompt += piece;
  const marked = /\[\[fake:([^\]]+)\]\]/.exec(prompt)?.[1] ?? options.behaviour ?? "ok";
  const does = new Set(marked.split("+"));
  const argument = (name) => given[given.indexOf(name) + 1];
  if (options.to) {
    const seen = { environment, arguments: given, directory: process.cwd(), prompt };
    writeFileSync(options.to, JSON.stringify(seen));
  }
  const key = environment.ANTHROPIC_API_KEY ?? environment.CLAUDE_CODE_OAUTH_TOKEN ?? "";
  const status = [...does].find((each) => each.startsWith("status:"));
  const wantsObject = given.includes("--json-schema") && !does.has("prose");
  const model = argument("--model");
  const usage = (output) =>
    does.has("without-usage")
      ? undefined
      : { input_tokens: 11, cache_creation_input_tokens: 0, cache_read_input_tokens: 4, output_tokens: output };
  let text = wantsObject ? '{"insights":[]}' : does.has("prose") ? "No object, 漢字 and 😀." : '{"insights":[]}';
  if (does.has("leaks-key")) text = wantsObject ? JSON.stringify({ insights: [], key }) : `Your key is ${key}.`;
  if (does.has("long")) text = "x".repeat(options.bytes ?? 1_000_000);

  const write = (piece) => new Promise((resolve) => process.stdout.write(piece, resolve));
  const line = async (value) => {
    const bytes = Buffer.from(`${JSON.stringify(value)}\n`);
    if (!does.has("split-bytes")) return write(bytes);
    for (const byte of bytes) await write(Buffer.of(byte));
  };
  const event = (value) => line({ type: "stream_event", event: value, session_id: "s" });
  const forEver = () => new Promise(() => void setInterval(() => undefined, 60_000));
  const result = (more) =>
    // Its members come in no fixed order, and `type` late.
    line({
      duration_api_ms: 5,
      stop_reason: "end_turn",
      usage: usage(7),
      modelUsage: does.has("without-usage") ? {} : { [model]: { inputTokens: 11, outputTokens: 7 } },
      terminal_reason: "completed",
      is_error: false,
      num_turns: 1,
      subtype: "success",
      api_error_status: null,
      type: "result",
      ...more,
    });

  if (does.has("exit-at-once")) {
    console.error("error: unknown option '--no-such-flag'");
    process.exit(1);
  }
  if (does.has("ignores-term")) process.on("SIGTERM", () => undefined);
  if (does.has("grandchild")) {
    const script = 'process.on("SIGTERM", () => undefined); setInterval(() => undefined, 60000);';
    const child = spawn(process.execPath, ["-e", script], { stdio: "ignore" });
    appendFileSync(options.pids, `${child.pid}\n`);
  }
  if (does.has("floods-stderr")) for (let at = 0; at < 50; at++) process.stderr.write("warning ".repeat(16_384));
  if (does.has("leaks-key")) process.stderr.write(`the key is ${key}\n`);
  if (does.has("garbage")) await write('hello\n{"type":\n[1]\n"text"\n{"no":"type"}\n');
  if (does.has("much-garbage")) for (let at = 0; at < 40; at++) await write(`line ${at} is no message\n`);
  if (does.has("only-garbage")) {
    await write("Segmentation fault\n");
    process.exit(0);
  }
  if (does.has("huge-line")) await line({ type: "system", subtype: "novel", text: "y".repeat(options.bytes ?? 5_000_000) });
  if (does.has("endless-line")) {
    await write("z".repeat(options.bytes ?? 5_000_000));
    process.exit(0);
  }
  if (does.has("silent")) await forEver();

  await line({ type: "system", subtype: "init", model, tools: [], claude_code_version: "2.1.332" });
  if (does.has("unknown-lines")) {
    await line({ type: "novelty", list: [1, { two: 2 }] });
    await line({ type: "system", subtype: "api_retry", attempt: 1 });
    await event({ type: "content_block_delta", index: 0, delta: { type: "novel_delta", novel: true } });
    await event({ type: "ping" });
  }
  const refused = options.refused !== undefined && key === options.refused;
  if (status || refused) {
    const [, code, words = "the words"] = refused ? ["", "401", `Invalid API key ${key}`] : status.split(":");
    const said = does.has("leaks-key") ? `${words} ${key} ${encodeURIComponent(`Bearer ${key}`)}` : words;
    await line({ type: "assistant", message: { model: "<synthetic>", content: [{ type: "text", text: said }] } });
    await result({ is_error: true, api_error_status: Number(code), terminal_reason: "api_error", result: said, usage: usage(0) });
    process.exit(1);
  }
  if (does.has("zero-turns")) {
    await result({ num_turns: 0, result: "/help isn't available in this environment.", modelUsage: {} });
    process.exit(0);
  }

  await event({ type: "message_start", message: { id: "msg_1", model: `${model}-served`, usage: usage(1) } });
  await event({ type: "content_block_start", index: 0, content_block: { type: wantsObject ? "tool_use" : "text" } });
  if (does.has("silent-after-start")) await forEver();
  const pieceLength = does.has("long") ? 10_000 : 5;
  const half = Math.ceil(text.length / 2);
  const isCut = ["die", "kills-itself", "silent-after-text"].some((each) => does.has(each));
  const whole = does.has("empty") ? "" : isCut ? text.slice(0, half) : text;
  for (let at = 0; at < whole.length; at += pieceLength) {
    const piece = whole.slice(at, at + pieceLength);
    const delta = wantsObject ? { type: "input_json_delta", partial_json: piece } : { type: "text_delta", text: piece };
    await event({ type: "content_block_delta", index: 0, delta });
  }
  if (does.has("silent-after-text")) await forEver();
  if (does.has("die")) {
    console.error(`first line\nlast line with ${key}`);
    process.exit(3);
  }
  if (does.has("kills-itself")) process.kill(process.pid, "SIGKILL");

  const stop = does.has("max-tokens") ? "max_tokens" : does.has("refusal") ? "refusal" : wantsObject ? "tool_use" : "end_turn";
  if (!does.has("max-tokens") && !does.has("empty")) {
    const block = wantsObject ? { type: "tool_use", input: JSON.parse(text) } : { type: "text", text };
    await line({ type: "assistant", message: { id: "msg_1", model: `${model}-served`, content: [block] } });
  }
  await event({ type: "message_delta", delta: { stop_reason: stop }, usage: usage(7) });
  // The real one goes on by itself: it must have been ended before it gets so far.
  if (does.has("max-tokens") || does.has("empty")) await forEver();
  await event({ type: "message_stop" });
  if (does.has("repeats")) {
    await event({ type: "message_start", message: { id: "msg_2", model: "another", usage: usage(1) } });
    await forEver();
  }
  if (does.has("refusal")) {
    await result({ is_error: true, stop_reason: "refusal", terminal_reason: "api_error", result: "API Error: flagged" });
    process.exit(1);
  }
  if (does.has("ends-without-result")) process.exit(0);
  await result({
    stop_reason: stop,
    result: text,
    ...(wantsObject ? { structured_output: JSON.parse(text), num_turns: 2 } : {}),
  });
  if (does.has("lingers")) await forEver();
  process.exitCode = does.has("bad-exit") ? 3 : 0;
}
