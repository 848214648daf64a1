import { describe, expect, it } from "vitest";
import { startPatientTimer } from "./patient-timer";

const TURN = () => new Promise<void>((resolve) => setImmediate(resolve));

describe("a patient timer", () => {
  it("calls once, after its time", async () => {
    const startedAt = performance.now();
    const passed = await new Promise<number>((resolve) => {
      startPatientTimer(20, () => resolve(performance.now() - startedAt));
    });
    expect(passed).toBeGreaterThanOrEqual(19);
  });

  it("calls nothing when it is cleared in the last moment", async () => {
    let calls = 0;
    const timer = startPatientTimer(1, () => calls++);
    // A timer of the same length made later fires right after it: its verdict is due three turns from here.
    await new Promise((resolve) => setTimeout(resolve, 1));
    timer.clear();
    for (let turn = 0; turn < 6; turn++) await TURN();
    expect(calls).toBe(0);
  });

  it("begins again when it is refreshed in the last moment", async () => {
    const called = new Promise<string>((resolve) => {
      const timer = startPatientTimer(1, () => resolve("called"));
      setTimeout(() => timer.refresh(), 1);
    });
    expect(await called).toBe("called");
  });
});
