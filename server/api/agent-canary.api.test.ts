/**
 * The key of an agent run is planted in prompts, reasons and names, and the runtime repeats it wherever it can write. Afterwards it
 * may stand nowhere, in no spelling: not in the database or its journal, in the homes of profiles, in log lines, or in what the API
 * answers.
 */
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { apiRequest, openApiContainer } from "@/server/testing/api-container";
import { CANARY_KEY, EVERY_SPELLING, spellingsIn, spellingsInFiles } from "@/server/testing/canary";
import { writeFakeAppServer } from "@/server/testing/fake-app-server-command";
import { makeFolder } from "@/server/testing/make-folder";
import { agentDocument } from "@/server/testing/open-agents";
import { waitFor } from "@/server/testing/wait-for";
import { handleHealth } from "./health-handler";
import { handleRest } from "./rest-handler";

async function body(method: string, target: string, content?: unknown): Promise<string> {
  return (await handleRest(apiRequest(method, target, content))).text();
}

it("a key of an agent is found nowhere, whoever repeats it", async () => {
  vi.stubEnv("CODEX_KEY", CANARY_KEY);
  onTestFinished(() => void vi.unstubAllEnvs());
  const logged: string[] = [];
  vi.spyOn(process.stderr, "write").mockImplementation((line) => logged.push(String(line)) > 0);
  const folder = makeFolder();
  const heard = path.join(folder, "frames.jsonl");
  const to = path.join(folder, "environment.json");
  const program = writeFakeAppServer(folder, "prints-environment", { key: CANARY_KEY, log: heard, to });
  const api = await openApiContainer({ SWITCHYARD_CODEX_BIN: program, LOG_LEVEL: "trace" });
  const { container, dataDir } = api;
  try {
    const repos = path.join(dataDir, "repos");
    mkdirSync(repos);
    await container.config.importText({ text: agentDocument(repos), author: "test", comment: "", source: "command_line" });
    container.agentExecutor.start();
    const answers: string[] = [];
    const order = async (prompt: string, more: object = {}) => {
      const text = await body("POST", "/api/v1/runs", {
        kind: "thread",
        backend: "codex",
        name: `Agent of ${CANARY_KEY}`,
        prompt: `${prompt} ${EVERY_SPELLING}`,
        ...more,
      });
      answers.push(text);
      return String(JSON.parse(text).id);
    };
    const until = (id: string, status: string) =>
      waitFor(`${id} is ${status}`, async () => ((await container.agents.get(id)).status === status ? true : null));
    const leaks = await order("[[fake:leaks-everywhere]]", { executionPolicy: { approval: "untrusted" } });
    await waitFor("a question", async () => (await container.agents.get(leaks)).approvals[0]);
    const [question] = (await container.agents.get(leaks)).approvals;
    answers.push(
      await body("POST", `/api/v1/runs/${leaks}/approvals/${question?.id}`, { decision: "accept", by: CANARY_KEY }),
      await body("POST", `/api/v1/runs/${leaks}/approvals/${question?.id}`, { decision: "decline", by: CANARY_KEY }),
    );
    await until(leaks, "completed");
    const fails = await order("[[fake:leaks-key+fails:other]]");
    await until(fails, "failed");
    const dies = await order("[[fake:leaks-everywhere+garbage-line+die-mid-turn-3]]");
    await until(dies, "failed");
    const silent = await order("[[fake:silent-turn]]");
    await waitFor("the turn", async () => (await container.agents.get(silent)).threadId);
    answers.push(await body("POST", `/api/v1/runs/${silent}/commands`, { type: "interrupt", reason: `because ${CANARY_KEY}` }));
    await until(silent, "paused");
    answers.push(
      await body("POST", `/api/v1/runs/${silent}/commands`, { type: "steer", [CANARY_KEY]: CANARY_KEY }),
      await body("POST", `/api/v1/runs/${silent}/cancel`, { reason: CANARY_KEY }),
    );

    // The process never had the key: not in its environment, and not in what it was sent.
    expect(Object.values(JSON.parse(readFileSync(to, "utf8")).environment).join(" ")).not.toContain(CANARY_KEY);
    expect(spellingsIn(readFileSync(heard, "utf8"))).toEqual([]);
    for (const id of [leaks, fails, dies, silent]) {
      const base = `/api/v1/runs/${id}`;
      for (const target of [base, `${base}/commands`, `${base}/approvals`, `${base}/events?limit=500`, `${base}/events.jsonl`])
        answers.push(await body("GET", target));
    }
    const artifacts = await container.database.artifact.findMany({ select: { id: true, runId: true } });
    expect(artifacts.length).toBeGreaterThan(5);
    for (const { id, runId } of artifacts) answers.push(await body("GET", `/api/v1/runs/${runId}/artifacts/${id}`));
    answers.push(
      await body("GET", "/api/v1/runs"),
      await body("GET", "/api/v1/backends"),
      await (await handleHealth(apiRequest("GET", "/api/health"))).text(),
    );

    // It was really said, and taken out: else this test would prove nothing.
    const events = (await container.runs.events(leaks, { afterSeq: 0, limit: 500 })).items;
    const told = new Set(
      events.filter(({ payload }) => JSON.stringify(payload).includes("[redacted env:CODEX_KEY]")).map(({ type }) => type),
    );
    expect([...told].sort()).toEqual([
      "approval_requested",
      "approval_resolved",
      "assistant_message",
      "backend_status",
      "command_output",
      "command_queued",
      "diff",
      "error",
      "tool_call",
    ]);
    expect(events.some(({ truncated, artifactId }) => truncated && artifactId !== null)).toBe(true);
    expect(answers.map(spellingsIn).filter((found) => found.length > 0)).toEqual([]);
    expect(spellingsIn(logged.join("\n"))).toEqual([]);
    expect(existsSync(path.join(dataDir, "agents"))).toBe(true);
    await container.writer.flush();
    expect(spellingsInFiles(dataDir)).toEqual({});
  } finally {
    await api.close();
  }
});
