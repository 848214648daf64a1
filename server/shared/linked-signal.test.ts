import { getEventListeners } from "node:events";
import { describe, expect, it, vi } from "vitest";
import { linkSignals } from "./linked-signal";

describe("linkSignals", () => {
  it("aborts with the reason of the first that aborts", () => {
    const [first, second] = [new AbortController(), new AbortController()];
    const { signal } = linkSignals(first.signal, second.signal);
    expect(signal.aborted).toBe(false);
    second.abort("second");
    first.abort("first");
    expect(signal.reason).toBe("second");
  });

  it("is aborted from the start when one of them is", () => {
    expect(linkSignals(new AbortController().signal, AbortSignal.abort("before")).signal.reason).toBe("before");
  });

  it("may be linked very often without a warning", () => {
    const warnings: string[] = [];
    vi.spyOn(process, "emitWarning").mockImplementation((warning) => warnings.push(String(warning)));
    const { signal } = new AbortController();
    const links = Array.from({ length: 50 }, () => linkSignals(signal));
    expect(getEventListeners(signal, "abort")).toHaveLength(50);
    for (const link of links) link.unlink();
    expect(warnings).toEqual([]);
  });

  it("leaves nothing at its signals", () => {
    const { signal } = new AbortController();
    const link = linkSignals(signal);
    expect(getEventListeners(signal, "abort")).toHaveLength(1);
    link.unlink();
    expect(getEventListeners(signal, "abort")).toHaveLength(0);
  });
});
