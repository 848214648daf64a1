import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { LinkTabs } from "./tabs";
import { stubBrowser } from "./testing-browser";

const STRIP_PX = 300;
const TAB_PX = 100;

beforeEach(() => {
  // jsdom lays nothing out: five tabs of a hundred pixels stand in a strip of three hundred.
  stubBrowser();
  vi.spyOn(Element.prototype, "clientWidth", "get").mockReturnValue(STRIP_PX);
  vi.spyOn(Element.prototype, "scrollWidth", "get").mockReturnValue(5 * TAB_PX);
  vi.spyOn(HTMLElement.prototype, "offsetWidth", "get").mockReturnValue(TAB_PX);
  vi.spyOn(HTMLElement.prototype, "offsetLeft", "get").mockImplementation(function (this: HTMLElement) {
    return [...(this.parentElement?.children ?? [])].indexOf(this) * TAB_PX;
  });
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

function tabs(current: string) {
  return ["a", "b", "c", "d", "e"].map((name) => ({ href: `/${name}`, label: name, current: name === current }));
}

const moreAt = () => [...document.querySelectorAll("[data-more]")].map((edge) => edge.getAttribute("data-more"));

it("brings the current tab into view, and says at which edge there are more", () => {
  const { rerender } = render(<LinkTabs label="Parts" tabs={tabs("a")} />);
  const strip = screen.getByRole("navigation", { name: "Parts" });
  expect([strip.scrollLeft, moreAt()]).toEqual([0, ["after"]]);
  rerender(<LinkTabs label="Parts" tabs={tabs("c")} />);
  // With a glimpse of the next one: 300 + 32 - 300.
  expect([strip.scrollLeft, moreAt()]).toEqual([32, ["before", "after"]]);
  rerender(<LinkTabs label="Parts" tabs={tabs("a")} />);
  act(() => {
    strip.scrollLeft = 200;
    fireEvent.scroll(strip);
  });
  expect(moreAt()).toEqual(["before"]);
});
