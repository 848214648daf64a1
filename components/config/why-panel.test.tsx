import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { createFakeServer, FakeConsole } from "@/components/trpc/fake-console";
import type { RouteExplanation } from "@/server/runs/config-view.schema";
import type { DocumentChoice } from "./document-choice";
import type { ConfigAnswers } from "./testing-page";
import { WhyPanel } from "./why-panel";

afterEach(() => cleanup());

const WHY: RouteExplanation = {
  scene: "extract",
  revision: null,
  mappedBy: "extract",
  inherited: false,
  requires: ["reasoning"],
  strategy: "best_score",
  candidates: [
    {
      reference: "a/one",
      provider: "a",
      model: "one",
      verdict: "rejected",
      reason: "The key env:A is missing.",
      checks: [
        { check: "provider", ok: true, message: "It is built." },
        { check: "key", ok: false, message: "The key env:A is missing." },
      ],
      score: 0.9,
    },
    {
      reference: "b/two",
      provider: "b",
      model: "two",
      verdict: "chosen",
      reason: "The best score of those that can be used.",
      checks: [{ check: "key", ok: true, message: "The key env:B is set." }],
      score: 0.5,
    },
  ],
  chosen: "b/two",
  leastBad: false,
  problem: null,
};

function show(part: Partial<RouteExplanation>, choice: DocumentChoice = { text: "models: {}" }) {
  const why = vi.fn<NonNullable<ConfigAnswers["why"]>>(({ scene }) => ({ ...WHY, ...part, scene }));
  render(
    <FakeConsole server={createFakeServer({ config: { why } })}>
      <WhyPanel scene="extract" choice={choice} scenes={["extract", "planner"]} />
    </FakeConsole>,
  );
  return why;
}

it("says step by step why one model is chosen and another is not", async () => {
  const why = show({});
  const items = await screen.findAllByRole("listitem");
  const texts = items.map((item) => item.textContent);
  expect(texts[0]).toContain("Rejecteda/onescore 90%The key env:A is missing.");
  expect(texts[1]).toBe("Provider passed: It is built.");
  expect(texts[2]).toBe("Key not passed: The key env:A is missing.");
  expect(texts[3]).toContain("Chosenb/twoscore 50%");
  expect(screen.getByText("has its own entry, models.extract")).toBeTruthy();
  expect(screen.getByText("Best score")).toBeTruthy();
  expect(screen.getByText("needs reasoning")).toBeTruthy();
  expect(why).toHaveBeenCalledExactlyOnceWith({ scene: "extract", text: "models: {}" });
});

it("asks for another scene when it is typed, of a run's revision too", async () => {
  const why = show({ mappedBy: "default", inherited: true }, { revision: 7 });
  expect(await screen.findByText("As revision 7 says it.")).toBeTruthy();
  fireEvent.change(screen.getByLabelText("Scene"), { target: { value: "planner" } });
  await waitFor(() => expect(why).toHaveBeenLastCalledWith({ scene: "planner", revision: 7 }));
  expect(await screen.findByText("has no entry of its own and takes models.default")).toBeTruthy();
  fireEvent.change(screen.getByLabelText("Scene"), { target: { value: "no scene" } });
  expect(await screen.findByText(/^Letters, digits/)).toBeTruthy();
  expect(why).toHaveBeenCalledTimes(2);
});

it("says when the least bad one is tried, and when there is none", async () => {
  show({ leastBad: true });
  expect(await screen.findByText("None of them can be used as it is; the least bad one is tried.")).toBeTruthy();
  cleanup();
  show({ mappedBy: null, candidates: [], chosen: null, problem: "models.x: the scene has no model." });
  expect(await screen.findByText("models.x: the scene has no model.")).toBeTruthy();
});
