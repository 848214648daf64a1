/** Runs of the whole product on the real CLI: what is stored of them, and that a chunk's attempt is one real request. */
import { mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { makeFolder } from "@/server/testing/make-folder";
import { freshKey, pathToRealCodex, withoutSandbox } from "@/server/testing/real-codex";
import { reply, runCommand, unavailable } from "@/server/testing/responses-answers";
import { startResponsesUpstream } from "@/server/testing/responses-upstream";
import { openContainer, untilResting, untilRun, wholeTrace } from "@/server/testing/test-container";
import { waitFor } from "@/server/testing/wait-for";

const notRun = await withoutSandbox();

/** A Switchyard that finds the CLI in its PATH, with the provider `deepseek` at a scripted model. */
async function openProduct() {
  const upstream = await startResponsesUpstream();
  onTestFinished(() => upstream.close());
  const dataDir = makeFolder();
  const workspaces = path.join(realpathSync(dataDir), "repositories");
  mkdirSync(workspaces);
  const key = freshKey("product");
  vi.stubEnv("PATH", await pathToRealCodex());
  const container = await openContainer({
    dataDir,
    config: {
      text: `providers:\n  deepseek: { baseUrl: "${upstream.baseUrl}", apiKey: "env:REAL_CODEX_KEY" }\nagents: { workspaces: ["${workspaces}"] }\n`,
      variables: { REAL_CODEX_KEY: key },
    },
  });
  container.agentExecutor.start();
  return { container, upstream, dataDir, workspaces, key };
}

/** Files of the data folder that hold the text. */
const filesWith = (folder: string, text: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && readFileSync(path.join(entry.parentPath, entry.name)).includes(text))
    .map(({ name }) => name);

it.skipIf(notRun !== "")(
  `an agent's run is stored whole, megabytes of output beside an excerpt, and no key of it${notRun}`,
  async () => {
    const { container, upstream, dataDir, workspaces, key } = await openProduct();
    const workspace = path.join(workspaces, "one");
    mkdirSync(workspace);
    upstream.next(
      // At a pace that the CLI keeps: it leaves pieces out that come faster than it tells them.
      runCommand(
        "until [ -e go ]; do sleep 0.02; done; for n in $(seq 1 5000 100000); do seq -f '%.0f bottles of beer' $n $((n + 4999)); sleep 0.1; done; echo one > made.txt",
        { yieldMs: 30_000 },
      ),
      reply("Made it."),
    );
    const { id } = await container.agents.create({
      kind: "thread",
      workflow: "agent",
      backend: "deepseek",
      prompt: "Make a file.",
      executionPolicy: {
        workspace,
        network: false,
        approval: "never",
        sandbox: "workspace-write",
        timeoutMs: 60_000,
        approvalMs: 10_000,
      },
    });
    await waitFor("the command is announced", async () => {
      const { items } = await container.runs.events(id, { limit: 50 });
      return items.some(({ type }) => type === "tool_call");
    });
    writeFileSync(path.join(workspace, "go"), "");
    await untilRun(container, id, "the run is completed", ({ status }) => status === "completed");
    const run = await container.agents.get(id);
    expect(run).toMatchObject({ reply: "Made it.", waitingFor: null });
    expect(run.commands.map(({ status }) => status)).toEqual(["completed"]);
    expect(run.process).toMatchObject({ version: "0.171.0" });
    expect(readFileSync(path.join(workspace, "made.txt"), "utf8")).toBe("one\n");
    const trace = await wholeTrace(container, id);
    expect(trace.map(({ type }) => type).filter((type) => !type.startsWith("run_") && !type.startsWith("command_q"))).toEqual([
      "command_started",
      "model_loaded",
      "backend_status",
      "tool_call",
      "tool_call",
      "command_output",
      "assistant_message",
      "backend_status",
      "terminal_status",
      "command_ended",
    ]);
    const output = trace.find(({ type }) => type === "command_output");
    expect(output?.truncated).toBe(true);
    expect(Buffer.byteLength(String(output?.payload.text))).toBeLessThanOrEqual(16 * 1024);
    const { body } = await container.runs.artifact(id, output?.artifactId ?? "");
    expect(Buffer.byteLength(body)).toBe(output?.payload.bytes);
    expect(body.endsWith("\n99999 bottles of beer\n100000 bottles of beer\n")).toBe(true);
    expect(body.match(/^\d+ bottles of beer$/gm)).toHaveLength(100_000);
    await container.shut();
    expect(filesWith(dataDir, key)).toEqual([]);
    expect(filesWith(dataDir, "bottles of beer")).not.toEqual([]);
    expect(container.logLines.filter((line) => line.includes(key))).toEqual([]);
  },
);

it("a distill run takes its chunks through it: what is busy is asked again by us, one request an attempt", async () => {
  const { container, upstream, key } = await openProduct();
  const insights = JSON.stringify({ insights: [{ topic: "register", content: "The register moved to another shelf." }] });
  upstream.next(unavailable);
  upstream.otherwise(() => reply(insights));
  const run = await container.begin({ chunks: ["one", "two", "three"], backend: "deepseek", options: { concurrency: 1 } });
  const rested = await untilResting(container, run.id);
  expect(rested).toMatchObject({ status: "completed", counts: { succeeded: 3, failed: 0 } });
  expect(upstream.requests).toHaveLength(4);
  expect(new Set(upstream.requests.map(({ authorization }) => authorization))).toEqual(new Set([`Bearer ${key}`]));
  const trace = await wholeTrace(container, run.id);
  expect(trace.filter(({ type }) => type === "inference_started")).toHaveLength(4);
  expect(trace.filter(({ type }) => type === "chunk_retry_scheduled").map(({ payload }) => payload.failureKind)).toEqual([
    "provider-unavailable",
  ]);
});
