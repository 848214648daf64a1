import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { english } from "@/components/i18n/english/dictionary";
import { I18nProvider } from "@/components/i18n/i18n-provider";
import { NameList } from "./name-list";

afterEach(() => cleanup());

function show(count: number): () => string | null {
  const names = Array.from({ length: count }, (_, at) => `scene-${at}`);
  const { container } = render(
    <I18nProvider initialLocale="en" initialDictionary={english} initialZone="utc">
      <NameList names={names} />
    </I18nProvider>,
  );
  return () => container.textContent;
}

it("names all of a few, and one more than a few", () => {
  expect(show(2)()).toBe("scene-0 and scene-1");
  cleanup();
  expect(show(7)()).toBe("scene-0, scene-1, scene-2, scene-3, scene-4, scene-5 and scene-6");
  expect(screen.queryByRole("button")).toBeNull();
});

it("names the first of very many, and the others on a press", () => {
  const text = show(300);
  expect(text()).toBe("scene-0, scene-1, scene-2, scene-3, scene-4, scene-5+294 more");
  const button = screen.getByRole("button", { name: "+294 more" });
  expect([button.getAttribute("aria-expanded"), button.title.slice(0, 17)]).toEqual(["false", "scene-6, scene-7,"]);
  fireEvent.click(button);
  expect(text()).toMatch(/^scene-0, scene-1, .*scene-298 and scene-299show fewer$/);
  fireEvent.click(screen.getByRole("button", { name: "show fewer" }));
  expect(text()).toBe("scene-0, scene-1, scene-2, scene-3, scene-4, scene-5+294 more");
});
