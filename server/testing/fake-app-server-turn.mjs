// One turn of the fake app-server: a reply in the order of the recordings, or what its behaviours make of it.

import { requestParameters, turnFrames } from "./fake-app-server-frames.mjs";
import { leakingFrames, spellings } from "./fake-app-server-leaks.mjs";

const MEGABYTE = 1_000_000;
const DEFAULT_COUNT = 10_000;
const DEFAULT_PIECES = 20;
const PIECE_MS = 50;

/** These leave the turn as it is when it has begun. */
const HANGING = ["silent-turn", "ignores-interrupt", "interrupt-without-end", "running-command"];
const DEATHS = new Map([
  ["die-mid-turn-0", 0],
  ["die-mid-turn-3", 3],
  ["die-mid-turn-kill", "SIGKILL"],
]);
const GARBAGE = ["this is no JSON", '{"half":', "[]", "42", "null", ""];

/**
 * `process`: how this process writes, asks and dies (fake-app-server.mjs). `option(name)`: the text of `--name=`, or undefined.
 * The turn's `interrupt` ends it; `clean` ends what it left running.
 */
export function createTurn({ threadId, prompt, isSchemaAsked, behaviours, option, peer, freshId, onEnd }) {
  const frames = turnFrames(threadId, freshId(), freshId);
  const does = (behaviour) => behaviours.has(behaviour);
  const notify = async (...pairs) => {
    for (const [method, params] of pairs) await peer.notify(method, params);
  };
  const command = frames.command("running");
  let isOver = false;
  /** The id of a request that the client has not answered. */
  let unanswered = null;
  /** Ends the command that outlives the turn before its time. */
  let endLate = null;

  async function end(status, error = null) {
    if (isOver) return;
    isOver = true;
    onEnd();
    await notify(...frames.end(status, error));
  }

  async function run() {
    await notify(...frames.beginning(prompt));
    if (does("running-command")) await notify(command.started);
    if (HANGING.some(does)) return;
    await disturb();
    for (const [behaviour, how] of DEATHS) {
      if (!does(behaviour)) continue;
      await notify(...frames.unfinished("This will not be fini"));
      await peer.leave(how);
    }
    for (const behaviour of behaviours) {
      if (behaviour.startsWith("asks:") && !isOver) await ask(behaviour.slice("asks:".length));
    }
    if (does("slow-turn")) await speakSlowly();
    if (isOver) return;
    if (does("asks-upstream") && (await peer.upstreamStatus()) === 401) behaviours.add("fails:unauthorized");
    const variant = [...behaviours].find((behaviour) => behaviour.startsWith("fails:"))?.slice("fails:".length);
    if (does("failed-turn") || variant !== undefined) {
      const said = does("leaks-key") ? `the fake fails this turn with ${option("key")}` : "the fake fails this turn";
      const error = { message: said, codexErrorInfo: variant ?? option("error") ?? "other", additionalDetails: null };
      await notify(["error", { error, willRetry: false, threadId, turnId: frames.turnId }]);
      return end("failed", error);
    }
    if (does("leaks-everywhere")) await leak();
    await notify(...frames.message(does("empty-reply") ? "" : reply(), does("only-deltas")));
    if (does("end-without-status")) return notify(["turn/completed", { threadId, turn: { id: frames.turnId } }]);
    if (!does("late-item")) return end("completed");
    await notify(command.started);
    await end("completed");
    const hasEnded = await new Promise((resolve) => {
      const timer = setTimeout(resolve, Number(option("every") ?? 0), true);
      endLate = () => {
        clearTimeout(timer);
        resolve(false);
      };
    });
    endLate = null;
    await notify(hasEnded ? command.ended(0, "late\n") : command.ended(-1, null));
  }

  /** The key in every place that a runtime can write to, and what a person is asked. */
  async function leak() {
    const key = option("key") ?? "no key";
    peer.complain(spellings(key));
    await notify(...leakingFrames({ threadId, turnId: frames.turnId }, key));
    const question = {
      threadId,
      turnId: frames.turnId,
      itemId: "call_leak",
      command: spellings(key),
      cwd: `/${key}`,
      reason: key,
    };
    const { id, answered } = await peer.ask("item/commandExecution/requestApproval", question);
    await answered;
    await notify(["serverRequest/resolved", { threadId, requestId: id }]);
    await notify(...frames.message(spellings(key)));
  }

  function reply() {
    if (isSchemaAsked && !does("leaks-key")) return '{"insights":[]}';
    if (!does("leaks-key")) return `Reply to ${prompt}`;
    const key = option("key") ?? "no key";
    peer.complain(`the key is ${key}`);
    return `Reply to ${prompt} with ${key}`;
  }

  /** What a client has to get over before the reply comes. */
  async function disturb() {
    const bytes = Number(option("bytes") ?? 0);
    if (does("garbage-line")) for (const line of GARBAGE) await peer.writeBytes(Buffer.from(`${line}\n`));
    if (does("invalid-utf8")) await invalidText();
    if (does("huge-line")) await notify(frames.output("x".repeat(bytes || 5 * MEGABYTE)));
    if (does("endless-line")) {
      for (let sent = 0; sent < (bytes || 64 * MEGABYTE); sent += MEGABYTE) await peer.writeBytes(Buffer.alloc(MEGABYTE, "x"));
    }
    if (does("unknown-response-id")) for (const id of [9_999, "a text", null]) await peer.send({ id, result: {} });
    if (does("unknown-notification")) await notify(["something/new/happened", { deep: { value: [1, 2, 3] } }]);
    if (does("many-notifications")) {
      const count = Number(option("count") ?? DEFAULT_COUNT);
      for (let at = 0; at < count; at++) await notify(frames.delta(`${at} `));
    }
    if (does("floods-stderr")) peer.flood(bytes || 50 * MEGABYTE);
  }

  /** A piece of text with two bytes in it that begin no character. */
  async function invalidText() {
    const mark = "\\u0001";
    const [method, params] = frames.delta("A\u0001B");
    const line = Buffer.from(`${JSON.stringify({ method, params })}\n`);
    const at = line.indexOf(mark);
    await peer.writeBytes(Buffer.concat([line.subarray(0, at), Buffer.from([0xff, 0xfe]), line.subarray(at + mark.length)]));
  }

  /** Asks the client, does what it decides, and tells in a message what it said. */
  async function ask(method) {
    const asked = frames.command("asked");
    const isCommand = method === "item/commandExecution/requestApproval";
    const isAbout = { threadId, turnId: frames.turnId, itemId: asked.id };
    if (isCommand) await notify(asked.started);
    await notify(["thread/status/changed", { threadId, status: { type: "active", activeFlags: ["waitingOnApproval"] } }]);
    const { id, answered } = await peer.ask(method, requestParameters(method, isAbout));
    unanswered = id;
    const answer = await answered;
    if (does("never-resolved")) await new Promise(() => undefined);
    if (isOver) return;
    unanswered = null;
    await notify(["serverRequest/resolved", { threadId, requestId: id }]);
    await notify(["thread/status/changed", { threadId, status: { type: "active", activeFlags: [] } }]);
    const decision = answer.result?.decision;
    if (isCommand) await notify(decision === "accept" ? asked.ended(0, "done\n") : asked.declined);
    if (decision === "cancel") return end("interrupted");
    await notify(...frames.message(`Answer to ${method}: ${JSON.stringify(answer.error ?? answer.result)}`));
  }

  async function speakSlowly() {
    const count = Number(option("count") ?? DEFAULT_PIECES);
    for (let at = 0; at < count && !isOver; at++) {
      await notify(frames.delta(`${at} `));
      await new Promise((resolve) => setTimeout(resolve, Number(option("every") ?? PIECE_MS)));
    }
  }

  return {
    id: frames.turnId,
    started: () => frames.turn("inProgress"),
    run,
    /** Answers an interrupt as the behaviours say. */
    async interrupt(requestId) {
      if (does("ignores-interrupt")) return;
      await peer.send({ id: requestId, result: {} });
      if (does("interrupt-without-end")) return;
      await end("interrupted");
      if (unanswered !== null) await notify(["serverRequest/resolved", { threadId, requestId: unanswered }]);
    },
    async clean() {
      endLate?.();
      if (does("running-command")) await notify(command.ended(-1, null));
    },
  };
}
