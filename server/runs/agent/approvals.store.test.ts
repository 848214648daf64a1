/** Questions of agents: asked, answered, too late, and not needed any more. */
import { describe, expect, it } from "vitest";
import { inWords, type OpenAgents, openAgents } from "@/server/testing/open-agents";
import { waitFor } from "@/server/testing/wait-for";

const PROMPT = "[[fake:asks:item/commandExecution/requestApproval]]";

/** A run whose agent waits for an answer. */
async function openQuestion(agents: OpenAgents, approvalMs = 600_000) {
  const { id } = await agents.create(PROMPT, { approval: "on-request", approvalMs });
  const run = await agents.until(id, "a question is open", ({ waitingFor }) => waitingFor === "approval");
  const [question] = run.approvals;
  if (!question) throw new Error("a run that waits has a question");
  return { id, run, question };
}

const answersOf = ({ heard }: OpenAgents) =>
  heard().flatMap(({ method, result }) => (method === undefined && result ? [result] : []));
const aboutApprovals = (words: string[]) => words.filter((word) => word.startsWith("approval_"));

describe("a question", () => {
  it("keeps the run running, and says what is asked and until when", async () => {
    const agents = await openAgents();
    const { id, run, question } = await openQuestion(agents);
    expect(run).toMatchObject({ status: "running", waitingFor: "approval", commands: [{ status: "running" }] });
    expect(question).toEqual({
      id: expect.stringMatching(/^apr_/),
      commandId: run.commands[0]?.id,
      kind: "command",
      subject: "/bin/bash -c 'true'",
      cwd: expect.any(String),
      reason: "the fake needs it",
      status: "pending",
      decidedBy: null,
      askedAt: expect.any(String),
      deadlineAt: expect.any(String),
      decidedAt: null,
    });
    expect(Date.parse(question.deadlineAt) - Date.parse(question.askedAt)).toBe(600_000);
    const events = await agents.trace(id);
    // What led to it stands before it.
    expect(inWords(events).slice(-2)).toEqual(["tool_call inProgress", "approval_requested"]);
    expect(events.at(-1)?.payload).toMatchObject({ approvalId: question.id, kind: "command", deadlineAt: question.deadlineAt });
    await agents.container.agents.cancel(id);
    await agents.rested(id);
  });

  it.each([
    ["accept", "accepted", "completed"],
    ["decline", "declined", "declined"],
  ] as const)("that a person answers with %s is %s, and the command %s", async (decision, status, command) => {
    const agents = await openAgents();
    const { id, question } = await openQuestion(agents);
    const decided = await agents.container.agents.decide(id, question.id, { decision, by: "Ana" });
    expect(decided).toMatchObject({ id: question.id, status, decidedBy: "Ana", decidedAt: expect.any(String) });
    const run = await agents.rested(id);
    expect(run).toMatchObject({ status: "completed", waitingFor: null, approvals: [{ status, decidedBy: "Ana" }] });
    expect(answersOf(agents)).toEqual([{ decision }]);
    const events = await agents.trace(id);
    expect(aboutApprovals(inWords(events))).toEqual(["approval_requested", `approval_resolved ${status}`]);
    expect(events.filter(({ type }) => type === "tool_call").map(({ payload }) => payload.status)).toEqual([
      "inProgress",
      command,
    ]);
    expect(events.find(({ type }) => type === "approval_resolved")?.payload).toMatchObject({
      approvalId: question.id,
      by: "Ana",
    });
  });

  it("is answered once: the second answer is refused, whatever it says", async () => {
    const agents = await openAgents();
    const { id, question } = await openQuestion(agents);
    const both = await Promise.allSettled([
      agents.container.agents.decide(id, question.id, { decision: "accept", by: "Ana" }),
      agents.container.agents.decide(id, question.id, { decision: "decline", by: "Bo" }),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    const run = await agents.rested(id);
    const [winner] = run.approvals;
    await expect(agents.container.agents.decide(id, question.id, { decision: "decline" })).rejects.toMatchObject({
      code: "conflict",
      message: `The question is closed already: it is ${winner?.status}.`,
    });
    expect(answersOf(agents)).toEqual([{ decision: winner?.status === "accepted" ? "accept" : "decline" }]);
    expect(aboutApprovals(inWords(await agents.trace(id)))).toHaveLength(2);
  });

  it("that nobody answers in time counts as declined, and no answer is taken after that", async () => {
    const agents = await openAgents();
    const { id, question } = await openQuestion(agents, 1_000);
    const run = await agents.rested(id);
    expect(run).toMatchObject({ status: "completed", waitingFor: null, approvals: [{ status: "expired", decidedBy: null }] });
    expect(answersOf(agents)).toEqual([{ decision: "decline" }]);
    expect(aboutApprovals(inWords(await agents.trace(id)))).toEqual(["approval_requested", "approval_resolved expired"]);
    await expect(agents.container.agents.decide(id, question.id, { decision: "accept" })).rejects.toMatchObject({
      code: "conflict",
      message: "The question is closed already: it is expired.",
    });
  });

  it("past its deadline takes no answer, also before anybody has noticed", async () => {
    const agents = await openAgents();
    const { id, question } = await openQuestion(agents);
    const { container } = agents;
    await container.database.approval.update({ where: { id: question.id }, data: { deadlineAt: 1n } });
    await expect(container.agents.decide(id, question.id, { decision: "accept" })).rejects.toMatchObject({
      code: "conflict",
      message: "The question is closed already: it is past its deadline.",
    });
    expect((await container.agents.get(id)).approvals).toMatchObject([{ status: "pending" }]);
    await container.agents.cancel(id);
    await agents.rested(id);
  });

  it("is moot once the turn is interrupted", async () => {
    const agents = await openAgents();
    const { id, question } = await openQuestion(agents);
    await agents.container.agents.command(id, { type: "interrupt", reason: "enough" });
    const run = await agents.rested(id);
    expect(run).toMatchObject({ status: "paused", waitingFor: null, approvals: [{ status: "moot", decidedBy: null }] });
    expect(aboutApprovals(inWords(await agents.trace(id)))).toEqual(["approval_requested", "approval_resolved moot"]);
    await expect(agents.container.agents.decide(id, question.id, { decision: "accept" })).rejects.toMatchObject({
      message: "The question is closed already: it is moot.",
    });
  });

  it("is moot once its process is gone", async () => {
    const agents = await openAgents();
    const { id, run } = await openQuestion(agents);
    const pid = await waitFor(
      "the process is known",
      async () => (await agents.container.agents.get(run.id)).process?.pid ?? null,
    );
    process.kill(pid, "SIGKILL");
    expect(await agents.rested(id)).toMatchObject({
      status: "failed",
      waitingFor: null,
      approvals: [{ status: "moot" }],
      commands: [{ failureKind: "backend-failed", message: "codex: the app-server was ended by SIGKILL" }],
      process: { exit: { code: null, signal: "SIGKILL", groupEnded: true } },
    });
  });

  it("of another run, or of none, is not there", async () => {
    const agents = await openAgents();
    const { id, question } = await openQuestion(agents);
    const other = await agents.create("hello");
    for (const [run, approval] of [
      [other.id, question.id],
      [id, "apr_none"],
    ] as const)
      await expect(agents.container.agents.decide(run, approval, { decision: "accept" })).rejects.toMatchObject({
        code: "not_found",
        message: `This run has no question ${approval}.`,
      });
    await agents.container.agents.cancel(id);
    await agents.rested(id);
    await agents.rested(other.id);
  });

  it("can be answered by a process that does not run the turn", async () => {
    const agents = await openAgents();
    const { id, question } = await openQuestion(agents);
    const beside = await openAgents({ beside: agents, start: false });
    await beside.container.agents.decide(id, question.id, { decision: "accept", by: "Bo" });
    expect(await agents.rested(id)).toMatchObject({ status: "completed", approvals: [{ status: "accepted", decidedBy: "Bo" }] });
  });
});
