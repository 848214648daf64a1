import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { useState } from "react";
import { afterEach, describe, expect, it } from "vitest";
import { english } from "@/components/i18n/english/dictionary";
import { I18nProvider } from "@/components/i18n/i18n-provider";
import { buildAttempt } from "@/server/testing/build-chunk";
import { AttemptTabs } from "./attempt-tabs";

afterEach(cleanup);

const attemptOf = (number: number, status: "failed" | "succeeded", repairOf: number | null = null) =>
  buildAttempt(number, null, { status, repairOf });

const ATTEMPTS = [attemptOf(1, "failed"), attemptOf(2, "failed"), attemptOf(3, "succeeded")];

function Tabs({ attempts = ATTEMPTS }: { attempts?: typeof ATTEMPTS }) {
  const [shown, setShown] = useState(3);
  return (
    <I18nProvider initialLocale="en" initialDictionary={english} initialZone="utc">
      <AttemptTabs attempts={attempts} accepted={3} shown={shown} onShow={setShown} />
    </I18nProvider>
  );
}

const selected = () => screen.getByRole("tab", { selected: true }).textContent;

describe("the attempts of a chunk", () => {
  it("say how each ended, and which is the accepted one", () => {
    render(<Tabs />);
    expect(screen.getAllByRole("tab").map((tab) => tab.textContent)).toEqual([
      "Attempt 1Failed",
      "Attempt 2Failed",
      "Attempt 3accepted",
    ]);
  });

  it("name the repair round among them, whatever came of it", () => {
    render(<Tabs attempts={[attemptOf(1, "failed"), attemptOf(2, "failed", 1), attemptOf(3, "succeeded", 2)]} />);
    expect(screen.getAllByRole("tab").map((tab) => tab.textContent)).toEqual([
      "Attempt 1Failed",
      "Attempt 2Repair round ·Failed",
      "Attempt 3Repair round ·accepted",
    ]);
  });

  it("are chosen by a click", () => {
    render(<Tabs />);
    fireEvent.click(screen.getByRole("tab", { name: /Attempt 1/ }));
    expect(selected()).toBe("Attempt 1Failed");
  });

  it("are walked through by the arrow keys, one stop for the tab key, the focus going along", () => {
    render(<Tabs />);
    fireEvent.keyDown(screen.getByRole("tab", { selected: true }), { key: "ArrowLeft" });
    expect(selected()).toBe("Attempt 2Failed");
    expect(document.activeElement?.textContent).toBe("Attempt 2Failed");
    expect(screen.getAllByRole("tab").map((tab) => tab.tabIndex)).toEqual([-1, 0, -1]);
    fireEvent.keyDown(screen.getByRole("tab", { selected: true }), { key: "ArrowRight" });
    fireEvent.keyDown(screen.getByRole("tab", { selected: true }), { key: "ArrowRight" });
    expect(selected()).toBe("Attempt 3accepted");
  });
});
