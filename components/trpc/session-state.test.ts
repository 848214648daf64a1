import { afterEach, describe, expect, it, vi } from "vitest";
import { announceSignOut, isSignedOut, noteSignedIn, noteSignedOut, subscribeSession } from "./session-state";
import { createConsoleClient } from "./trpc-client";

/** Another tab of the browser. */
const other = new BroadcastChannel("switchyard-session");
const heard: string[] = [];
// Node's channel keeps the process; a browser's has no such thing.
(other as BroadcastChannel & { unref(): void }).unref();
other.onmessage = (event: MessageEvent<string>) => heard.push(event.data);

const leave: (() => void)[] = [];
afterEach(async () => {
  noteSignedIn();
  for (const stop of leave.splice(0)) stop();
  // What is still under way comes before this.
  const last = new BroadcastChannel("switchyard-session");
  last.postMessage("the test is over");
  await vi.waitFor(() => expect(heard.at(-1)).toBe("the test is over"));
  last.close();
  heard.length = 0;
  vi.unstubAllGlobals();
});

function watch() {
  const watcher = vi.fn();
  leave.push(subscribeSession(watcher));
  return watcher;
}

describe("the session of a tab", () => {
  it("ends and begins once, and the other tabs hear of it", async () => {
    const watcher = watch();
    noteSignedOut();
    noteSignedOut();
    expect([isSignedOut(), watcher.mock.calls.length]).toEqual([true, 1]);
    await vi.waitFor(() => expect(heard).toEqual(["signed-out"]));
    noteSignedIn();
    expect([isSignedOut(), watcher.mock.calls.length]).toEqual([false, 2]);
    await vi.waitFor(() => expect(heard).toEqual(["signed-out", "signed-in"]));
  });

  it("follows the other tabs", async () => {
    const watcher = watch();
    other.postMessage("signed-out");
    await vi.waitFor(() => expect(isSignedOut()).toBe(true));
    other.postMessage("signed-in");
    await vi.waitFor(() => expect(isSignedOut()).toBe(false));
    expect(watcher).toHaveBeenCalledTimes(2);
  });

  it("that signs out leaves this page as it is and tells the others", async () => {
    const watcher = watch();
    announceSignOut();
    await vi.waitFor(() => expect(heard).toEqual(["signed-out"]));
    expect([isSignedOut(), watcher.mock.calls.length]).toEqual([false, 0]);
  });
});

describe("a refused call", () => {
  const answer = (status: number, code: string) =>
    vi.stubGlobal("fetch", () =>
      Promise.resolve(
        Response.json(
          { error: { json: { message: "No.", code: -32001, data: { code, httpStatus: status, appCode: code.toLowerCase() } } } },
          { status },
        ),
      ),
    );

  it("for want of a session ends it", async () => {
    watch();
    answer(401, "UNAUTHORIZED");
    await expect(createConsoleClient().runs.list.query({ limit: 1 })).rejects.toThrow("No.");
    expect(isSignedOut()).toBe(true);
  });

  it("for anything else does not", async () => {
    watch();
    answer(404, "NOT_FOUND");
    await expect(createConsoleClient().runs.list.query({ limit: 1 })).rejects.toThrow("No.");
    expect(isSignedOut()).toBe(false);
  });
});
