import { describe, expect, it } from "vitest";
import {
  actionRefusal,
  isResting,
  RUN_ACTIONS,
  RUN_STATUSES,
  RUN_TRANSITIONS,
  type RunAction,
  type RunStatus,
} from "./run-state.rules";

const counts = { total: 2, queued: 0, running: 0, succeeded: 1, failed: 1, cancelled: 0 };
/** Where an action leads. */
const TARGETS: Record<RunAction, RunStatus> = {
  pause: "paused",
  resume: "running",
  cancel: "cancelled",
  retry: "running",
  finish: "completed",
};

describe("run states", () => {
  it("lets every action only take a transition of the table", () => {
    for (const [action, { from }] of Object.entries(RUN_ACTIONS)) {
      const target = TARGETS[action as RunAction];
      for (const status of from) {
        // A paused run stays paused and a running one running when chunks are retried.
        const stays = action === "retry" && (status === "running" || status === "paused");
        expect(stays || (RUN_TRANSITIONS[status] as readonly RunStatus[]).includes(target), `${action} from ${status}`).toBe(
          true,
        );
      }
    }
  });

  it("never leaves cancelled and blocked", () => {
    expect([RUN_TRANSITIONS.cancelled, RUN_TRANSITIONS.blocked]).toEqual([[], []]);
    expect(RUN_STATUSES.filter((status) => !isResting(status))).toEqual(["queued", "running"]);
  });

  it("says why an action is not possible", () => {
    expect(actionRefusal("pause", { status: "completed", counts })).toBe("wrong_status");
    expect(actionRefusal("retry", { status: "incomplete", counts: { ...counts, failed: 0 } })).toBe("nothing_failed");
    expect(actionRefusal("retry", { status: "failed", counts: { ...counts, failed: 0 } })).toBeNull();
    expect(actionRefusal("retry", { status: "cancelled", counts })).toBe("wrong_status");
    expect(actionRefusal("finish", { status: "incomplete", counts })).toBeNull();
  });
});
