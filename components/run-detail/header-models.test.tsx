import { cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { createFakeServer, FakeConsole } from "@/components/trpc/fake-console";
import { buildRunDetail } from "@/server/testing/build-run-detail";
import { HeaderModels } from "./header-models";

afterEach(() => cleanup());

const CANDIDATES = ["loop/fast", "deep/slow", "mock/mock-1"];

function show(part: Record<string, unknown>) {
  const { container } = render(
    <FakeConsole server={createFakeServer({})}>
      <HeaderModels run={buildRunDetail(part)} />
    </FakeConsole>,
  );
  return container;
}

it("names the only model, and nothing else while it answers", () => {
  const shown = show({});
  expect(shown.textContent).toBe("scene extract → mock/mock-1");
  expect(screen.queryByRole("button")).toBeNull();
});

it("names no scene where a provider was named", () => {
  expect(show({ scene: null }).textContent).toBe("mock/mock-1");
});

it("counts the other models, and lists all of them with what came of them", async () => {
  const shown = show({ candidates: CANDIDATES, asked: [{ reference: "loop/fast", attempts: 1, succeeded: 0, served: [] }] });
  expect(shown.textContent).toBe("scene extract → loop/fast+2");
  fireEvent.click(screen.getByRole("button", { name: "All 3 models of this run" }));
  const list = within(await screen.findByRole("dialog", { name: "Models in their order" }));
  expect(list.getAllByRole("listitem").map((item) => item.textContent)).toEqual([
    "loop/fastasked once, no answer",
    "deep/slownot asked",
    "mock/mock-1not asked",
  ]);
});

it("says who has answered when it was not the first one alone", () => {
  const asked = [
    { reference: "deep/slow", attempts: 1_240, succeeded: 1_234, served: [] },
    { reference: "loop/fast", attempts: 9, succeeded: 2, served: [] },
    { reference: "mock/mock-1", attempts: 1, succeeded: 1, served: [] },
  ];
  expect(show({ candidates: CANDIDATES, asked }).textContent).toBe(
    "scene extract → loop/fast+2answered by deep/slow (1,234), loop/fast (2) and 1 other",
  );
});

it("names the one that answers in place of the first one", () => {
  const asked = [
    { reference: "deep/slow", attempts: 6, succeeded: 6, served: [] },
    { reference: "loop/fast", attempts: 3, succeeded: 0, served: [] },
  ];
  expect(show({ candidates: CANDIDATES, asked }).textContent).toBe("scene extract → loop/fast+2answered by deep/slow (6)");
});
