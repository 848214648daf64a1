/** A whole Switchyard with agent runs over the fake app-server, and what tests ask of it. */
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, onTestFinished } from "vitest";
import type { ExecutionPolicyOrder } from "@/server/config/execution-policy.schema";
import type { StoredEvent } from "@/server/events/event.schema";
import type { AgentRunDetail, CreateAgentRun } from "@/server/runs/agent-run.schema";
import { type FakeBehaviour, type FakeOptions, writeFakeAppServer } from "./fake-app-server-command";
import { isRunning } from "./is-running";
import { makeFolder } from "./make-folder";
import type { HeardFrame } from "./open-codex";
import { openContainer, type TestContainer, type TestContainerOptions, wholeTrace } from "./test-container";
import { waitFor } from "./wait-for";

export const AGENT_KEY = "sk-canary-agent-9f8e7d6c5b4a";

export interface OpenAgentsOptions extends Omit<TestContainerOptions, "config" | "codexProgram"> {
  behaviours?: FakeBehaviour[];
  fake?: FakeOptions;
  /** `agents` of the document, as YAML in flow style. */
  rules?: string;
  /** Variables of this process beside the key. */
  variables?: Readonly<Record<string, string>>;
  /** Another container's, for two over one data folder. */
  beside?: OpenAgents;
}

export interface OpenAgents {
  container: TestContainer;
  folder: string;
  /** A folder that agent runs may work in. */
  workspaces: string;
  program: string;
  /** Frames that the fakes heard. */
  heard(): HeardFrame[];
  requests(method: string): Record<string, unknown>[];
  create(prompt: string, policy?: Partial<ExecutionPolicyOrder>, more?: Partial<CreateAgentRun>): Promise<AgentRunDetail>;
  /** The run once it is as wanted. */
  until(id: string, what: string, isWanted: (run: AgentRunDetail) => boolean): Promise<AgentRunDetail>;
  /** The run once no turn of it is under way or waits. */
  rested(id: string): Promise<AgentRunDetail>;
  trace(id: string): Promise<StoredEvent[]>;
}

const BASE_URL = "http://127.0.0.1:1/v1";

/** The document that agent runs are configured with. */
export function agentDocument(workspaces: string, rules = ""): string {
  const folders = `workspaces: [${JSON.stringify(workspaces)}]`;
  return `providers:
  codex:
    baseUrl: ${BASE_URL}
    apiKey: env:CODEX_KEY
  minimax-m3:
    baseUrl: ${BASE_URL}
    apiKey: env:MINIMAX_KEY
  minimax-api:
    apiKey: env:MINIMAX_KEY
models:
  default: mock/mock-1
agents: { ${[folders, rules].filter((rule) => rule !== "").join(", ")} }
`;
}

/** Processes of the fake are looked for after the test. */
export async function openAgents(options: OpenAgentsOptions = {}): Promise<OpenAgents> {
  const { behaviours = ["ok"], fake = {}, rules = "", variables = {}, beside, ...rest } = options;
  const folder = beside?.folder ?? makeFolder();
  const workspaces = path.join(folder, "repos");
  const log = path.join(folder, "frames.jsonl");
  if (!beside) {
    mkdirSync(workspaces, { recursive: true });
    mkdirSync(path.join(folder, "bin"));
  }
  const program = beside?.program ?? writeFakeAppServer(path.join(folder, "bin"), behaviours, { log, ...fake });
  const heard = (): HeardFrame[] =>
    existsSync(log)
      ? readFileSync(log, "utf8")
          .split("\n")
          .filter((line) => line !== "")
          // What the fake wrote.
          .map((line) => JSON.parse(line) as HeardFrame)
      : [];
  // Registered before the containers, so looked at after all of them are closed.
  if (!beside)
    onTestFinished(() =>
      expect([...new Set(heard().map(({ pid }) => pid))].filter(isRunning), "no process may be left").toEqual([]),
    );
  const container = await openContainer({
    ...rest,
    dataDir: path.join(folder, "data"),
    codexProgram: program,
    ...(beside ? {} : { config: { text: agentDocument(workspaces, rules), variables: { CODEX_KEY: AGENT_KEY, ...variables } } }),
  });
  const until: OpenAgents["until"] = (id, what, isWanted) =>
    waitFor(`${what} (${id})`, async () => {
      const run = await container.agents.get(id);
      return isWanted(run) ? run : null;
    });
  return {
    container,
    folder,
    workspaces,
    program,
    heard,
    requests: (method) => heard().flatMap((frame) => (frame.method === method ? [frame.params ?? {}] : [])),
    create: (prompt, policy, more = {}) =>
      container.agents.create({
        kind: "thread",
        workflow: "agent",
        backend: "codex",
        prompt,
        ...more,
        // The parts that are left out are filled in where orders are checked.
        ...(policy === undefined ? {} : { executionPolicy: policy as ExecutionPolicyOrder }),
      }),
    until,
    rested: (id) =>
      until(
        id,
        "the run rests",
        ({ status, commands }) =>
          status !== "running" && commands.every((command) => command.status !== "queued" && command.status !== "running"),
      ),
    trace: (id) => wholeTrace(container, id),
  };
}

/** Each event in a word or two. */
export function inWords(events: readonly StoredEvent[]): string[] {
  return events.map(({ type, payload }) => {
    const word = payload.phase ?? payload.status ?? payload.text ?? payload.failureKind;
    return word === undefined ? type : `${type} ${String(word)}`;
  });
}
