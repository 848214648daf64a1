import { describe, expect, it } from "vitest";
import type { ApprovalDecision } from "@/server/backends/agent-backend";
import { fixtureNames, framesFromCli } from "@/server/testing/read-fixture";
import { type ApprovalMode, answerRequest, type RequestAnswer } from "./server-requests";

const MODES: ApprovalMode[] = ["never", "ask"];
const DECISIONS: ApprovalDecision[] = ["accept", "decline", "cancel"];

const ask = (method: string, params: unknown, mode: ApprovalMode = "ask") => answerRequest({ id: 7, method, params }, mode);

/** What each decision of a person becomes. */
function results(answer: RequestAnswer): unknown[] {
  if (answer.kind !== "ask") throw new Error(`nobody is asked: ${answer.kind}`);
  return DECISIONS.map((decision) => answer.resultOf(decision));
}

const COMMAND = { threadId: "t", turnId: "u", itemId: "call_1", command: "/bin/bash -c 'rm x'", cwd: "/w", reason: "must be" };
const NEW_WORDS = [{ decision: "accept" }, { decision: "decline" }, { decision: "cancel" }];
const OLD_WORDS = [{ decision: "approved" }, { decision: "denied" }, { decision: "abort" }];

describe("approvals are asked of a person, where the policy says so", () => {
  it.each<[string, object, object, object[]]>([
    [
      "item/commandExecution/requestApproval",
      COMMAND,
      { kind: "command", itemId: "call_1", subject: "/bin/bash -c 'rm x'", cwd: "/w", reason: "must be" },
      NEW_WORDS,
    ],
    [
      "item/fileChange/requestApproval",
      { threadId: "t", turnId: "u", itemId: "call_2", reason: null, grantRoot: "/w/deep" },
      { kind: "file-change", itemId: "call_2", subject: "/w/deep", cwd: null, reason: null },
      NEW_WORDS,
    ],
    [
      "execCommandApproval",
      { conversationId: "t", callId: "call_3", command: ["git", "push"], cwd: "/w", reason: null },
      { kind: "command", itemId: "call_3", subject: "git push", cwd: "/w", reason: null },
      OLD_WORDS,
    ],
    [
      "applyPatchApproval",
      { conversationId: "t", callId: "call_4", fileChanges: { "/w/a": {}, "/w/b": {} }, reason: "two", grantRoot: null },
      { kind: "file-change", itemId: "call_4", subject: "/w/a, /w/b", cwd: null, reason: "two" },
      OLD_WORDS,
    ],
  ])("%s", (method, params, question, answers) => {
    const answer = ask(method, params);
    expect(answer).toMatchObject({ kind: "ask", question });
    expect(results(answer)).toEqual(answers);
  });

  it("with the files of the announced change, which the request does not name", () => {
    const filesOf = (itemId: string) => (itemId === "call_2" ? ["/w/a", "/w/b"] : []);
    const request = (itemId: string) => ({ id: 1, method: "item/fileChange/requestApproval", params: { itemId } });
    expect(answerRequest(request("call_2"), "ask", filesOf)).toMatchObject({ question: { subject: "/w/a, /w/b" } });
    expect(answerRequest(request("call_3"), "ask", filesOf)).toMatchObject({ question: { subject: "" } });
    expect(answerRequest(request("call_2"), "never", filesOf)).toMatchObject({
      note: "a change of files (/w/a, /w/b) needs an approval, which the policy never gives",
    });
  });

  it("whatever is missing in them", () => {
    const answer = ask("item/commandExecution/requestApproval", "nothing of the kind");
    expect(answer).toMatchObject({ question: { kind: "command", itemId: "", subject: "", cwd: null, reason: null } });
    expect(ask("execCommandApproval", { command: [1, 2], cwd: 7, callId: {} })).toMatchObject({
      question: { itemId: "", subject: "", cwd: null },
    });
  });

  it("whole, or not at all: nobody accepts what was not shown", () => {
    const long = `echo safe # ${"z".repeat(32_700)}`;
    const answer = ask("item/commandExecution/requestApproval", { ...COMMAND, command: long });
    expect(answer.kind === "ask" && answer.question.subject).toBe(long);
    expect(ask("item/commandExecution/requestApproval", { ...COMMAND, command: `${long}${"z".repeat(100)}` })).toEqual({
      kind: "result",
      result: { decision: "decline" },
      note: `the command ${long.slice(0, 1_000)} … needs an approval; with 32812 characters it is too long to be judged, so it was declined`,
      stopped: false,
    });
  });
});

describe("approvals stop the turn, where nobody may give them", () => {
  it.each<[string, object, object, string]>([
    [
      "item/commandExecution/requestApproval",
      COMMAND,
      { decision: "cancel" },
      "the command /bin/bash -c 'rm x' needs an approval, which the policy never gives",
    ],
    [
      "item/fileChange/requestApproval",
      { itemId: "call_2", reason: null, grantRoot: null },
      { decision: "cancel" },
      "a change of files needs an approval, which the policy never gives",
    ],
    [
      "execCommandApproval",
      { command: ["git", "push"] },
      { decision: "abort" },
      "the command git push needs an approval, which the policy never gives",
    ],
    [
      "applyPatchApproval",
      { fileChanges: { "/w/a": {} } },
      { decision: "abort" },
      "a change of files (/w/a) needs an approval, which the policy never gives",
    ],
  ])("%s", (method, params, result, note) => {
    expect(ask(method, params, "never")).toEqual({ kind: "result", result, note, stopped: true });
  });
});

describe.each(MODES)("in the mode %s the answer is always the same to", (mode) => {
  it.each<[string, unknown, string]>([
    [
      "item/permissions/requestApproval",
      { permissions: {}, scope: "turn" },
      "more permissions were asked for; the policy of the run is not widened",
    ],
    ["item/tool/requestUserInput", { answers: {} }, "an answer of the user was asked for; nobody is there to give one"],
    [
      "mcpServer/elicitation/request",
      { action: "decline", content: null, _meta: null },
      "an MCP server asked for an answer; it was declined",
    ],
    ["item/tool/call", { contentItems: [], success: false }, "a tool of the client was called; it has none"],
  ])("%s, a refusal that the turn goes on with", (method, result, note) => {
    expect(ask(method, { threadId: "t", permissions: { network: { enabled: true } } }, mode)).toEqual({
      kind: "result",
      result,
      note,
      stopped: false,
    });
  });

  it.each<[string, string]>([
    ["account/chatgptAuthTokens/refresh", "a sign-in of another kind was asked for; profiles sign in with their key alone"],
    ["attestation/generate", "an attestation was asked for; there is none"],
    ["something/new", "an unknown request came (something/new); it was refused"],
  ])("%s, which is not supported", (method, note) => {
    expect(ask(method, { deep: [1] }, mode)).toEqual({
      kind: "error",
      code: -32_601,
      message: `${method} is not supported`,
      note,
    });
  });

  it("an unknown request with a long name, in few words", () => {
    const answer = ask("x".repeat(1_000), null, mode);
    expect(answer).toMatchObject({ kind: "error", message: `${"x".repeat(80)} is not supported` });
    expect(JSON.stringify(answer).length).toBeLessThan(400);
  });
});

it("no answer to anything ever accepts by itself, nor for longer than the one question", () => {
  const methods = [
    "item/commandExecution/requestApproval",
    "item/fileChange/requestApproval",
    "item/permissions/requestApproval",
    "item/tool/requestUserInput",
    "mcpServer/elicitation/request",
    "item/tool/call",
    "account/chatgptAuthTokens/refresh",
    "attestation/generate",
    "execCommandApproval",
    "applyPatchApproval",
    "something/new",
  ];
  for (const method of methods) {
    expect(JSON.stringify(ask(method, COMMAND, "never"))).not.toMatch(/accept|approved|success":true|enabled":true/);
    const asked = ask(method, COMMAND, "ask");
    if (asked.kind === "ask") expect(JSON.stringify(results(asked))).not.toMatch(/ForSession|Amendment|for_session/i);
  }
});

describe("what the real CLI asked in a recording", () => {
  const asked = fixtureNames().flatMap((name) =>
    framesFromCli(name).flatMap(({ id, method, params }) =>
      typeof id === "number" && typeof method === "string" ? [{ name, request: { id, method, params } }] : [],
    ),
  );

  it("is one of the known ones", () => {
    expect([...new Set(asked.map(({ request }) => request.method))].sort()).toEqual([
      "item/commandExecution/requestApproval",
      "item/fileChange/requestApproval",
      "item/permissions/requestApproval",
      "item/tool/call",
      "item/tool/requestUserInput",
    ]);
  });

  it.each(asked.filter(({ request }) => request.method.endsWith("requestApproval") && !request.method.includes("permissions")))(
    "makes a question with a subject or a reason: $name",
    ({ request }) => {
      const answer = answerRequest(request, "ask");
      if (answer.kind !== "ask") throw new Error("nobody is asked");
      const { kind, itemId, subject, cwd, reason } = answer.question;
      expect(itemId).toBe("call_1");
      if (kind === "command")
        expect([subject, cwd, reason]).toEqual(["/bin/bash -c 'echo outside'", "<workspace>", "the command needs it"]);
      else expect(subject).toBe("");
    },
  );
});
