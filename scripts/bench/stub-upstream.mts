/** A streaming OpenAI-compatible endpoint in a process of its own: every answer takes LATENCY_MS and holds a few insights. Prints its port. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const latencyMs = Number(process.argv[2] ?? 200);
const PIECES = 12;
const insight = (n: number) => ({
  topic: `topic ${n}`,
  section: "fact",
  content: `Measured statement ${n}: ${"the queue held its order under load and nothing was lost. ".repeat(4)}`,
  confidence: "medium",
});
const answer = JSON.stringify({ insights: Array.from({ length: 10 }, (_, n) => insight(n)) });
const step = Math.ceil(answer.length / PIECES);
const frames = Array.from({ length: PIECES }, (_, n) => {
  const chunk = {
    id: "stub",
    object: "chat.completion.chunk",
    model: "stub",
    choices: [{ index: 0, delta: { content: answer.slice(n * step, (n + 1) * step) }, finish_reason: null }],
  };
  return `data: ${JSON.stringify(chunk)}\n\n`;
});
const end = `data: ${JSON.stringify({ id: "stub", model: "stub", choices: [{ index: 0, delta: {}, finish_reason: "stop" }] })}\n\ndata: ${JSON.stringify({ id: "stub", choices: [], usage: { prompt_tokens: 1200, completion_tokens: 900, total_tokens: 2100 } })}\n\ndata: [DONE]\n\n`;

const server = createServer((request, response) => {
  request.resume();
  request.on("end", () => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.flushHeaders();
    let sent = 0;
    const timer = setInterval(
      () => {
        if (sent < PIECES) response.write(frames[sent++]);
        else {
          clearInterval(timer);
          response.end(end);
        }
      },
      latencyMs / (PIECES + 1),
    );
    response.on("close", () => clearInterval(timer));
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", () => console.log((server.address() as AddressInfo).port));
