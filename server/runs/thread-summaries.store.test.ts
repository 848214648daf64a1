import { describe, expect, it } from "vitest";
import { openContainer, type TestContainer } from "@/server/testing/test-container";

const CONFIG = {
  text: "providers:\n  deepseek:\n    apiKey: env:AGENT_TEST_KEY\n",
  variables: { AGENT_TEST_KEY: "key-agent-0123456789" },
};

const order = (prompt: string) => ({ kind: "thread", workflow: "agent", backend: "deepseek", prompt }) as const;

const facts = async (container: TestContainer) =>
  (await container.runs.list({ limit: 10 })).items.map(({ name, kind, turns, waitingFor }) => ({
    name,
    kind,
    turns,
    waitingFor,
  }));

describe("runs in lists", () => {
  it("tell the turns of agent runs and whether they wait for a person; other runs have neither", async () => {
    const container = await openContainer({ start: false, config: CONFIG });
    const one = await container.agents.create(order("First"));
    const two = await container.agents.create(order("Second"));
    await container.begin({ chunks: ["a"], name: "Day one" });
    await container.agents.command(two.id, { type: "turn", prompt: "And more" });
    await container.writer.commit([{ sql: "setWaiting", args: ["approval", one.id] }]);
    expect(await facts(container)).toEqual([
      { name: "Day one", kind: "distill", turns: null, waitingFor: null },
      { name: "Second", kind: "thread", turns: 2, waitingFor: null },
      { name: "First", kind: "thread", turns: 1, waitingFor: "approval" },
    ]);
    expect(await container.agents.get(one.id)).toMatchObject({ kind: "thread", turns: 1, waitingFor: "approval" });
    expect(await container.runs.summary(two.id)).toMatchObject({ kind: "thread", turns: 2, waitingFor: null });
    const { runs } = await container.runs.changes(0);
    expect(runs.find(({ run }) => run.id === one.id)?.run).toMatchObject({ turns: 1, waitingFor: "approval" });
  });
});
