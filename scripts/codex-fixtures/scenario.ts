/** What a scenario is, and the steps that scenarios are made of. */
import type { Script } from "@/server/testing/loopback-upstream";
import type { ResponsesUpstream } from "@/server/testing/responses-upstream";
import type { ProfileHome, ProfileOptions } from "./profile-home";
import type { Frame, ServerAnswer, Session } from "./session";

export interface Scenario {
  /** Of the recording; a scenario with several processes gives the others a suffix. */
  name: string;
  profile?: Partial<ProfileOptions> | (() => Promise<Partial<ProfileOptions>>);
  /** What the upstream says, request by request. */
  answers?: readonly Script[];
  run(recording: Recording): Promise<void>;
  /** For what depends on who is faster: whether this recording shows what the scenario is about. It is made again until it does. */
  shows?: (session: Session) => boolean;
}

export interface Recording {
  upstream: ResponsesUpstream;
  home: ProfileHome;
  /** A process of the CLI, recorded as the scenario's name with `-suffix` when there is one. */
  start(options?: { suffix?: string; environment?: Readonly<Record<string, string>>; answerServer?: AnswerServer }): Session;
}

export type AnswerServer = (method: string, params: unknown) => ServerAnswer;

/** As the product answers what it does not know. */
export const unsupported: AnswerServer = (method) => ({
  error: { code: -32_601, message: `unsupported server request: ${method}` },
});

export const decide =
  (decision: string): AnswerServer =>
  () => ({ result: { decision } });

/** The handshake. */
export async function introduce(session: Session): Promise<void> {
  await session.request("initialize", {
    clientInfo: { name: "switchyard", title: "Switchyard", version: "0.1.0" },
    capabilities: { experimentalApi: true },
  });
  session.notify("initialized");
}

/** A new thread's id. */
export async function startThread(session: Session, home: ProfileHome, more: Frame = {}): Promise<string> {
  const params = { cwd: home.workspace, approvalPolicy: "never", sandbox: "read-only", ...more };
  return idIn(await session.request("thread/start", params), "thread");
}

/** The id of a turn that has begun. */
export async function startTurn(session: Session, threadId: string, text: string, more: Frame = {}): Promise<string> {
  const params = { threadId, input: [{ type: "text", text, text_elements: [] }], ...more };
  return idIn(await session.request("turn/start", params), "turn");
}

export function turnEnded(session: Session, turnId: string): Promise<Frame> {
  return session.heard(
    "turn/completed",
    ({ method, params }) => method === "turn/completed" && at(params, "turn", "id") === turnId,
  );
}

/** The first notification of this method, of this item type when one is given. */
export function heard(session: Session, method: string, itemType?: string): Promise<Frame> {
  return session.heard(
    `${method} ${itemType ?? ""}`,
    (frame) => frame.method === method && (itemType === undefined || at(frame.params, "item", "type") === itemType),
  );
}

export interface OneTurn {
  thread?: Frame;
  turn?: Frame;
  answerServer?: AnswerServer;
  /** Done between the start of the turn and the wait for its end. */
  meanwhile?: (session: Session, ids: { threadId: string; turnId: string }, recording: Recording) => Promise<void>;
  /** Done after the turn has ended. */
  afterwards?: (session: Session, ids: { threadId: string; turnId: string }, recording: Recording) => Promise<void>;
}

/** One process, one thread, one turn to its end, and the process leaves. */
export function oneTurn({ thread, turn, answerServer = unsupported, meanwhile, afterwards }: OneTurn = {}): Scenario["run"] {
  return async (recording) => {
    const session = recording.start({ answerServer });
    await introduce(session);
    const threadId = await startThread(session, recording.home, thread);
    const turnId = await startTurn(session, threadId, "Do as the test says.", turn);
    await meanwhile?.(session, { threadId, turnId }, recording);
    await turnEnded(session, turnId);
    await afterwards?.(session, { threadId, turnId }, recording);
    await session.end();
  };
}

function idIn(response: Frame, what: string): string {
  const id = at(response.result, what, "id");
  if (typeof id !== "string") throw new Error(`no ${what} was started: ${JSON.stringify(response)}`);
  return id;
}

/** The member of a member, when there is one. */
export function at(value: unknown, ...keys: readonly string[]): unknown {
  let found = value;
  for (const key of keys) {
    if (typeof found !== "object" || found === null) return undefined;
    found = (found as Frame)[key]; // an object has members by name
  }
  return found;
}
