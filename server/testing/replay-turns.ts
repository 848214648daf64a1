/** Recordings of the Codex CLI, replayed through the translator of turns as a thread would: each turn from its start to its last late item. */
import { createTurnTranslator, type NativeEnd, type TurnTranslator } from "@/server/backends/adapters/codex-app-server/translate";
import type { NewEvent } from "@/server/events/event.schema";
import { readFixture } from "./read-fixture";

export interface ReplayedTurn {
  threadId: string;
  turnId: string;
  /** Null when the recording has no end of it. */
  end: NativeEnd | null;
  events: NewEvent[];
  /** How many of the events came before the end was told. */
  eventsBeforeEnd: number;
  /** Characters told as progress, in order. */
  progress: number[];
  translator: TurnTranslator;
}

interface Params {
  threadId?: string;
  turnId?: string;
  turn?: { id?: string };
}

/** The turns of the recording in the order of their starts. Those without an end are finished with null after the last line. */
export function replayTurns(name: string): ReplayedTurn[] {
  const turns = new Map<string, ReplayedTurn>();
  const requests = new Map<unknown, { method: string; threadId: string }>();
  for (const line of readFixture(name)) {
    if (line.dir !== "in" && line.dir !== "out") continue;
    const { id, method, params, result } = line.frame;
    // What the recorder wrote: every member is looked at before it is used.
    const given = (params ?? {}) as Params;
    if (line.dir === "out") {
      if (typeof method === "string" && id !== undefined) requests.set(id, { method, threadId: given.threadId ?? "" });
      continue;
    }
    if (method === undefined) {
      const request = requests.get(id);
      const turnId = ((result ?? {}) as Params).turn?.id;
      if (request?.method === "turn/start" && turnId !== undefined && !turns.has(turnId))
        turns.set(turnId, startTurn(request.threadId, turnId));
      continue;
    }
    const turn = turns.get(given.turnId ?? given.turn?.id ?? "") ?? onlyOpen(turns, given.threadId);
    if (typeof method !== "string" || id !== undefined || !turn) continue;
    const end = turn.translator.take(method, params);
    if (end) finish(turn, end);
  }
  for (const turn of turns.values()) if (turn.end === null) finish(turn, null);
  return [...turns.values()];
}

/** The one turn of a recording that has one. */
export function replayTurn(name: string): ReplayedTurn {
  const [turn, ...more] = replayTurns(name);
  if (!turn || more.length > 0) throw new Error(`the recording ${name} has ${turn ? more.length + 1 : 0} turns`);
  return turn;
}

/** Notifications that name no turn belong to the one under way. */
function onlyOpen(turns: ReadonlyMap<string, ReplayedTurn>, threadId: string | undefined): ReplayedTurn | undefined {
  return [...turns.values()].find((turn) => turn.threadId === threadId && turn.end === null);
}

function startTurn(threadId: string, turnId: string): ReplayedTurn {
  const events: NewEvent[] = [];
  const progress: number[] = [];
  const translator = createTurnTranslator(
    { threadId, turnId },
    { event: (event) => events.push(event), progress: (characters) => progress.push(characters) },
  );
  return { threadId, turnId, end: null, events, eventsBeforeEnd: 0, progress, translator };
}

function finish(turn: ReplayedTurn, end: NativeEnd | null): void {
  turn.eventsBeforeEnd = turn.events.length;
  turn.end = end;
  turn.translator.finish(end);
}
