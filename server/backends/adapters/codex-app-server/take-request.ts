/** A request of the app-server for one thread: answered by the policy, or by a person, and told where it was refused. Nothing is left waiting. */
import type { ApprovalDecision, ApprovalQuestion } from "@/server/backends/agent-backend";
import type { JsonRpcRequest } from "@/server/backends/transport/json-rpc-peer";
import type { AppServer } from "./app-server";
import { type ApprovalMode, answerRequest, type RequestAnswer } from "./server-requests";
import type { TurnListener, TurnTranslator } from "./translate";

/** The turn under way, as far as requests matter to it. */
export interface AskedTurn {
  input: {
    approval: ApprovalMode;
    ask?(question: ApprovalQuestion, signal: AbortSignal): Promise<ApprovalDecision>;
    listener: TurnListener;
  };
  translator: TurnTranslator | null;
  /** People being asked: aborted when nobody needs their answer any more. */
  waiting: Set<AbortController>;
  /** Set when the policy stops the turn. */
  blockedReason: string | null;
  /** A person stopped it by an answer. */
  stoppedByPerson: boolean;
  /** People and process are both signs of life. */
  heard(): void;
}

interface Place {
  server: Pick<AppServer, "respond" | "respondError">;
  threadId: string;
  redact(text: string): string;
}

/** Without a turn nothing can be allowed, and nobody be asked. */
export function takeRequest(request: JsonRpcRequest, turn: AskedTurn | null, place: Place): void {
  const filesOf = (itemId: string) => turn?.translator?.proposed(itemId) ?? [];
  const answer = answerRequest(request, turn?.input.approval ?? "never", filesOf);
  if (answer.kind === "ask" && turn?.input.ask) {
    void askPerson(turn, turn.input.ask, request, answer, place.server);
    return;
  }
  const told =
    answer.kind === "ask"
      ? { kind: "result" as const, result: answer.resultOf("decline"), note: "nobody can be asked", stopped: false }
      : answer;
  if (told.kind === "error") place.server.respondError(request, told.code, told.message);
  else place.server.respond(request, told.result);
  if (!turn) return;
  if (told.kind === "result" && told.stopped) turn.blockedReason ??= told.note;
  turn.input.listener.event({
    type: "error",
    payload: {
      failureKind: "backend-protocol-error",
      message: place.redact(told.note),
      willRetry: false,
      method: request.method.slice(0, 80),
      threadId: place.threadId,
      answered: told.kind === "error" ? "unsupported" : told.stopped ? "cancelled by policy" : "refused",
    },
  });
}

async function askPerson(
  turn: AskedTurn,
  ask: NonNullable<AskedTurn["input"]["ask"]>,
  request: JsonRpcRequest,
  { question, resultOf }: Extract<RequestAnswer, { kind: "ask" }>,
  server: Place["server"],
): Promise<void> {
  const asking = new AbortController();
  turn.waiting.add(asking);
  const decision = await ask(question, asking.signal).catch(() => "decline" as const);
  turn.waiting.delete(asking);
  if (decision === "cancel") turn.stoppedByPerson = true;
  turn.heard();
  server.respond(request, resultOf(decision));
}
