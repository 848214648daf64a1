import { cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createFakeServer, type FakeAnswers, FakeApiError, FakeConsole } from "@/components/trpc/fake-console";
import { buildBackendProvider, buildBackendRow } from "@/server/testing/build-backend";
import { buildRunSummary } from "@/server/testing/build-run-detail";
import { BackendPage } from "./backend-page";

const NOW = Date.parse("2026-11-30T10:00:00.000Z");
const at = (milliseconds: number) => new Date(NOW + milliseconds).toISOString();

beforeEach(() => {
  vi.spyOn(Date, "now").mockReturnValue(NOW);
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

const PROVIDER = buildBackendProvider({
  name: "loop",
  models: ["nine"],
  health: { state: "healthy", reason: "", model: "m", latencyMs: 35, checkedAt: at(-60_000), by: "operator" },
  lastSeen: { at: at(-5_000), runId: "run_a", chunk: 3, model: "nine", servedModel: "other-9", ok: true, failureKind: null },
  evidence: {
    streaming: { declared: true, observed: true, observedAt: at(-5_000) },
    usage: { declared: true, observed: false, observedAt: at(-5_000) },
    structuredOutput: { declared: false, observed: null, observedAt: null },
    cancel: { declared: true, observed: null, observedAt: null },
  },
});

function show(answers: FakeAnswers) {
  render(
    <FakeConsole server={createFakeServer(answers)}>
      <BackendPage profile="openai-chat" />
    </FakeConsole>,
  );
}

it("holds what is declared, checked and seen against each other, and flags what does not agree", async () => {
  const list = vi.fn(() => ({
    items: [
      buildRunSummary({
        id: "run_a",
        name: "Day one",
        counts: { total: 4, queued: 0, running: 0, succeeded: 1, failed: 3, cancelled: 0 },
      }),
    ],
    nextCursor: null,
  }));
  show({
    backends: { get: () => buildBackendRow({ profile: "openai-chat", status: "healthy", reason: "", providers: [PROVIDER] }) },
    runs: { list },
  });
  const provider = within(await screen.findByRole("region", { name: "Provider loop" }));
  expect(provider.getByText("2 mismatches")).toBeTruthy();
  const rows = within(provider.getByRole("region", { name: "Evidence for loop" }))
    .getAllByRole("row")
    // What stands in the first cell besides its name is the verdict for narrow screens.
    .map((row) => [...row.children].map((cell, at) => (at === 0 ? cell.firstChild : cell)?.textContent));
  expect(rows).toEqual([
    ["What", "Declared", "Last check", "Last observed", "Verdict"],
    ["answers", "–", "Healthy1 min ago", "answered5 sec ago", "agrees"],
    ["model", "nine", "–", "nine → other-95 sec ago", "does not agree"],
    ["streaming", "yes", "–", "yes5 sec ago", "agrees"],
    ["usage", "yes", "–", "no5 sec ago", "does not agree"],
    ["structured output", "no", "–", "–", "an answer cannot tell"],
    ["cancel", "yes", "–", "–", "an answer cannot tell"],
  ]);
  expect(await provider.findByRole("link", { name: "Day one" })).toBeTruthy();
  expect(provider.getByRole("link", { name: "3 failed chunks" }).getAttribute("href")).toBe("/runs/run_a/chunks?status=failed");
  expect(list).toHaveBeenCalledWith({ backend: "loop", limit: 5 });
  expect(screen.getByText("No model is cooling down.")).toBeTruthy();
});

it("has a board of all that cools down", async () => {
  const cooldown = (model: string) => ({
    provider: "loop",
    model,
    failureKind: "backend-timeout" as const,
    reason: "No answer.",
    failures: 3,
    since: at(-1_000),
    until: at(30_000),
  });
  const clearCooldown = vi.fn((_input: { provider: string; model: string }) => false);
  show({
    backends: {
      get: () =>
        buildBackendRow({
          profile: "openai-chat",
          status: "degraded",
          providers: [buildBackendProvider({ name: "loop", cooldowns: [cooldown("a"), cooldown("b")] })],
        }),
      clearCooldown,
    },
  });
  const board = within(await screen.findByRole("region", { name: "Cooling down" }));
  expect(board.getAllByRole("listitem").map((item) => item.querySelector("p")?.textContent)).toEqual([
    "loop/a cools down30s left",
    "loop/b cools down30s left",
  ]);
  fireEvent.click(board.getByRole("button", { name: "Clear the cooldown of loop/b" }));
  await waitFor(() => expect(clearCooldown.mock.calls).toEqual([[{ provider: "loop", model: "b" }]]));
});

it("is not found when the profile went with the configuration", async () => {
  show({
    backends: {
      get: () => {
        throw new FakeApiError("not_found", 'There is no profile "openai-chat".');
      },
    },
  });
  expect(await screen.findByRole("heading", { name: "There is no backend profile of this name." })).toBeTruthy();
  expect(screen.getByRole("link", { name: "All backends" }).getAttribute("href")).toBe("/backends");
});
