/** Whether the browser's session has ended while pages are open. All tabs share the session, so they tell each other. */

const CHANNEL_NAME = "switchyard-session";
type Turn = "signed-out" | "signed-in";

let signedOut = false;
let channel: BroadcastChannel | null = null;
const watchers = new Set<() => void>();

function apply(turn: Turn): void {
  if (signedOut === (turn === "signed-out")) return;
  signedOut = turn === "signed-out";
  for (const watcher of [...watchers]) watcher();
}

/** Not to this tab: a channel does not hear itself. */
function tellOthers(turn: Turn): void {
  const line = channel ?? new BroadcastChannel(CHANNEL_NAME);
  line.postMessage(turn);
  if (line !== channel) line.close();
}

/** The server took a request of this tab for a stranger's. */
export function noteSignedOut(): void {
  if (signedOut) return;
  apply("signed-out");
  tellOthers("signed-out");
}

export function noteSignedIn(): void {
  apply("signed-in");
  tellOthers("signed-in");
}

/** This tab is about to leave for the sign-in page; only the others need to know. */
export function announceSignOut(): void {
  tellOthers("signed-out");
}

export function isSignedOut(): boolean {
  return signedOut;
}

/** Calls `watcher` when a session has ended or begun, here or in another tab. */
export function subscribeSession(watcher: () => void): () => void {
  if (channel === null) {
    channel = new BroadcastChannel(CHANNEL_NAME);
    channel.onmessage = (event: MessageEvent<Turn>) => apply(event.data);
  }
  watchers.add(watcher);
  return () => {
    watchers.delete(watcher);
    if (watchers.size > 0) return;
    channel?.close();
    channel = null;
  };
}
