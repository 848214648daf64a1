/** What the app-server asks of us, and the answer that the run's policy gives. All ten requests of the schema, and whatever comes later. Pure. */
import { z } from "zod";
import type { ApprovalDecision, ApprovalQuestion } from "@/server/backends/agent-backend";
import type { JsonRpcRequest } from "@/server/backends/transport/json-rpc-peer";

/** Who decides what the sandbox would not allow by itself. */
export type ApprovalMode = "never" | "ask";

export type RequestAnswer =
  /** Answered at once. `note` says what was asked and refused. */
  | { kind: "result"; result: unknown; note: string; stopped: boolean }
  | { kind: "error"; code: number; message: string; note: string }
  /** Waits for `resultOf` of a person's decision. */
  | { kind: "ask"; question: ApprovalQuestion; resultOf(decision: ApprovalDecision): unknown };

const METHOD_NOT_FOUND = -32601;
/** UTF-16 units of a question. Nobody can judge what is not shown: a longer one is refused, and never asked in part. */
const LONGEST_SUBJECT = 32_768;
/** So much of it stands in a note. */
const LONGEST_NOTED = 1_000;

const approvalSchema = z.looseObject({
  itemId: z.string().catch(""),
  callId: z.string().optional().catch(undefined),
  command: z
    .union([z.string(), z.array(z.string())])
    .nullish()
    .catch(null),
  cwd: z.string().nullish().catch(null),
  reason: z.string().nullish().catch(null),
  grantRoot: z.string().nullish().catch(null),
  fileChanges: z.record(z.string(), z.unknown()).nullish().catch(null),
});

/** Legacy requests use other words for the same decisions. */
const LEGACY_DECISIONS: Readonly<Record<ApprovalDecision, string>> = {
  accept: "approved",
  decline: "denied",
  cancel: "abort",
};

/** `filesOf` gives the paths that an announced item would change: the request for it does not name them. */
export function answerRequest(
  { method, params }: JsonRpcRequest,
  mode: ApprovalMode,
  filesOf: (itemId: string) => readonly string[] = () => [],
): RequestAnswer {
  const approval = (kind: ApprovalQuestion["kind"], resultOf: (decision: ApprovalDecision) => unknown) =>
    answerApproval(kind, params, mode, filesOf, resultOf);
  switch (method) {
    case "item/commandExecution/requestApproval":
      return approval("command", (decision) => ({ decision }));
    case "item/fileChange/requestApproval":
      return approval("file-change", (decision) => ({ decision }));
    case "execCommandApproval":
      return approval("command", (decision) => ({ decision: LEGACY_DECISIONS[decision] }));
    case "applyPatchApproval":
      return approval("file-change", (decision) => ({ decision: LEGACY_DECISIONS[decision] }));
    case "item/permissions/requestApproval":
      // A policy is never widened while a run is under way, not by a person either.
      return refused({ permissions: {}, scope: "turn" }, "more permissions were asked for; the policy of the run is not widened");
    case "item/tool/requestUserInput":
      return refused({ answers: {} }, "an answer of the user was asked for; nobody is there to give one");
    case "mcpServer/elicitation/request":
      return refused({ action: "decline", content: null, _meta: null }, "an MCP server asked for an answer; it was declined");
    case "item/tool/call":
      return refused({ contentItems: [], success: false }, "a tool of the client was called; it has none");
    case "account/chatgptAuthTokens/refresh":
      return unsupported(method, "a sign-in of another kind was asked for; profiles sign in with their key alone");
    case "attestation/generate":
      return unsupported(method, "an attestation was asked for; there is none");
    default:
      return unsupported(method, `an unknown request came (${method.slice(0, 80)}); it was refused`);
  }
}

function refused(result: unknown, note: string): RequestAnswer {
  return { kind: "result", result, note, stopped: false };
}

function unsupported(method: string, note: string): RequestAnswer {
  return { kind: "error", code: METHOD_NOT_FOUND, message: `${method.slice(0, 80)} is not supported`, note };
}

function answerApproval(
  kind: ApprovalQuestion["kind"],
  params: unknown,
  mode: ApprovalMode,
  filesOf: (itemId: string) => readonly string[],
  resultOf: (decision: ApprovalDecision) => unknown,
): RequestAnswer {
  const asked = approvalSchema.catch({ itemId: "" }).parse(params);
  const itemId = asked.itemId === "" ? (asked.callId ?? "") : asked.itemId;
  const command = Array.isArray(asked.command) ? asked.command.join(" ") : asked.command;
  const named = Object.keys(asked.fileChanges ?? {});
  const files = (named.length > 0 ? named : kind === "file-change" ? filesOf(itemId) : []).join(", ");
  const subject = command ?? (files === "" ? (asked.grantRoot ?? "") : files);
  const noted = subject.length > LONGEST_NOTED ? `${subject.slice(0, LONGEST_NOTED)} …` : subject;
  const what = kind === "command" ? `the command ${noted}` : `a change of files${noted === "" ? "" : ` (${noted})`}`;
  if (mode === "never") {
    return {
      kind: "result",
      result: resultOf("cancel"),
      note: `${what} needs an approval, which the policy never gives`,
      stopped: true,
    };
  }
  if (subject.length > LONGEST_SUBJECT)
    return refused(
      resultOf("decline"),
      `${what} needs an approval; with ${subject.length} characters it is too long to be judged, so it was declined`,
    );
  return {
    kind: "ask",
    question: {
      kind,
      itemId,
      subject,
      cwd: asked.cwd ?? null,
      reason: asked.reason ?? null,
    },
    resultOf,
  };
}
