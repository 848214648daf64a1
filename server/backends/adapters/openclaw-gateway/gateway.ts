/** The one connection of a provider: made when it is needed, shared by its turns, made again when it is over or its address or token changed. */
import { createHash } from "node:crypto";
import { GatewayConnection, type GatewayOrder } from "./gateway-connection";
import type { RunPlace } from "./request";

export interface Gateway {
  /** The connection to use now. Rejects as `GatewayConnection.open` does, or with the signal's reason; others may wait for the same one. */
  connection(order: GatewayOrder, signal: AbortSignal): Promise<GatewayConnection>;
  /** The connection of that run is lost, and the gateway goes on with it: it is called off as soon as there is a connection again. */
  lostRun(run: LostRun): void;
  /** Closes every connection and refuses further ones. */
  close(): Promise<void>;
}

export type LostRun = Pick<RunPlace, "runId" | "sessionKey">;

/** Runs that wait to be called off; older ones have ended by their own limit of time. */
const MOST_LOST_RUNS = 256;

interface Kept {
  id: string;
  opening: Promise<GatewayConnection>;
  /** Once it is open. */
  connection: GatewayConnection | null;
}

export function createGateway(): Gateway {
  const closing = new AbortController();
  const open = new Set<GatewayConnection>();
  let kept: Kept | null = null;
  let lost: LostRun[] = [];

  function callOffLost(connection: GatewayConnection): void {
    const runs = lost;
    lost = [];
    for (const { runId, sessionKey } of runs)
      connection.call("chat.abort", { sessionKey, runId }, { answer: () => true, lost: () => undefined });
  }

  function keep(id: string, order: GatewayOrder): Kept {
    const mine: Kept = {
      id,
      connection: null,
      opening: GatewayConnection.open(order, closing.signal, () => {
        if (kept === mine) kept = null;
      }).then((connection) => {
        open.add(connection);
        mine.connection = connection;
        callOffLost(connection);
        return connection;
      }),
    };
    // Everybody may have been called off meanwhile.
    mine.opening.catch(() => {
      if (kept === mine) kept = null;
    });
    return mine;
  }

  return {
    async connection(order, signal) {
      signal.throwIfAborted();
      closing.signal.throwIfAborted();
      const id = idOf(order);
      for (const each of open) if (each.isOver) open.delete(each);
      if (kept?.id !== id || kept.connection?.isUsable === false) {
        // Turns under way keep the old one, which ends by itself when it has rested.
        kept = keep(id, order);
      }
      return await orAborted(kept.opening, signal);
    },
    lostRun(run) {
      lost = [...lost, run].slice(-MOST_LOST_RUNS);
    },
    async close() {
      closing.abort(new Error("closed"));
      const { opening } = kept ?? {};
      kept = null;
      await opening?.catch(() => undefined);
      await Promise.all([...open].map((connection) => connection.close()));
      open.clear();
    },
  };
}

/** Two orders with the same one share a connection. The token is hashed: ids are compared and may be looked at. */
function idOf({ baseUrl, token }: GatewayOrder): string {
  return `${baseUrl}\n${createHash("sha256").update(token).digest("base64")}`;
}

async function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let onAbort: () => void = () => undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    onAbort = () => reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
