import { describe, expect, it, onTestFinished, vi } from "vitest";
import { startPatientTimer } from "./patient-timer";

describe("a patient timer", () => {
  it("calls once, after its time", async () => {
    const startedAt = performance.now();
    const passed = await new Promise<number>((resolve) => {
      startPatientTimer(20, () => resolve(performance.now() - startedAt));
    });
    expect(passed).toBeGreaterThanOrEqual(19);
  });

  it("calls nothing when it is cleared in the last moment", () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    let calls = 0;
    const timer = startPatientTimer(1, () => calls++);
    // The limit itself, and two of the three turns after it.
    for (let step = 0; step < 3; step++) vi.advanceTimersToNextTimer();
    expect(vi.getTimerCount()).toBe(1);
    timer.clear();
    expect([vi.getTimerCount(), calls]).toEqual([0, 0]);
    startPatientTimer(1, () => calls++);
    for (let step = 0; step < 4; step++) vi.advanceTimersToNextTimer();
    expect(calls).toBe(1);
  });

  it("begins again when it is refreshed in the last moment", async () => {
    const called = new Promise<string>((resolve) => {
      const timer = startPatientTimer(1, () => resolve("called"));
      setTimeout(() => timer.refresh(), 1);
    });
    expect(await called).toBe("called");
  });
});
