/** What a turn is sent as. Pure. */
import type { Turn } from "@/server/backends/backend";

/** Of this protocol only: what is read and written here was measured with it. */
export const PROTOCOL = 4;

/** The rights of a run: `admin` is what naming provider and model needs. */
export const SCOPES = ["operator.read", "operator.write", "operator.admin"] as const;

/** Without a device of its own, a client keeps these rights on loopback only as `gateway-client` in the mode `backend`. */
export function connectParams(token: string): Record<string, unknown> {
  return {
    minProtocol: PROTOCOL,
    maxProtocol: PROTOCOL,
    client: { id: "gateway-client", version: "0.1.0", platform: process.platform, mode: "backend" },
    role: "operator",
    scopes: SCOPES,
    caps: [],
    auth: { token },
  };
}

/** The model that means the gateway's own choice. */
const GATEWAY_DEFAULT = "default";

/** `provider/model` as OpenClaw names them, split at the first slash; nothing for the gateway's own choice. */
export function modelParams(model: string): { provider?: string; model?: string } {
  if (model === GATEWAY_DEFAULT) return {};
  const slash = model.indexOf("/");
  return slash <= 0 ? { model } : { provider: model.slice(0, slash), model: model.slice(slash + 1) };
}

/**
 * Both texts in one message, for the gateway ignores a system text of the caller in this mode. It never begins with a slash: the
 * gateway takes "/new" and its like for commands and answers them by itself.
 */
export function messageOf({ system, user }: Pick<Turn, "system" | "user">): string {
  return `${system === "" ? "" : `Instructions:\n${system}\n\n`}Input:\n${user}`;
}

/** A session nobody else uses, of one run. */
export interface RunPlace {
  agentId: string;
  sessionId: string;
  sessionKey: string;
  /** The gateway takes it for the run's id and never runs the same one twice. */
  runId: string;
}

export function runPlace(runId: string, agentId: string, unique: string): RunPlace {
  const sessionId = `model-run-${unique}`;
  return { agentId, sessionId, sessionKey: `agent:${agentId}:explicit:${sessionId}`, runId };
}

/** How much earlier than we the gateway gives a run up, and which part of the whole that is at most. */
const EARLIER_MS = 10_000;
const EARLIER_PART = 0.1;

/**
 * Seconds after which the gateway ends the run by itself: a little before we do, because its own end brings what the model had said, and an
 * end that we ask for does not. It also ends a run whose connection was lost.
 */
function gatewaySeconds(timeoutMs: number): number {
  return Math.max(1, Math.floor((timeoutMs - Math.min(EARLIER_MS, timeoutMs * EARLIER_PART)) / 1000));
}

/** One model run: no tools, no prompt of the gateway's own, nothing of it in a session that others see. Limits of tokens and sampling cannot be passed on. */
export function agentParams(turn: Turn, place: RunPlace): Record<string, unknown> {
  const { agentId, sessionId, sessionKey, runId } = place;
  return {
    agentId,
    sessionId,
    sessionKey,
    message: messageOf(turn),
    ...modelParams(turn.model),
    modelRun: true,
    promptMode: "none",
    timeout: gatewaySeconds(turn.timeoutMs),
    cleanupBundleMcpOnRunEnd: true,
    suppressPromptPersistence: true,
    idempotencyKey: runId,
  };
}
