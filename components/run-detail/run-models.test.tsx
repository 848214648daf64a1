import { cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { createFakeServer, type FakeAnswers, FakeConsole } from "@/components/trpc/fake-console";
import type { RouteExplanation } from "@/server/runs/config-view.schema";
import type { RunConfig, RunDetail } from "@/server/runs/run.schema";
import { buildRunDetail } from "@/server/testing/build-run-detail";
import { RunModels } from "./run-models";

afterEach(() => cleanup());

const candidate = (provider: string, model: string, profile = "openai-chat") => ({
  reference: `${provider}/${model}`,
  provider,
  model,
  profile,
  kind: "openai-chat",
  baseUrl: `http://${provider}.test/v1`,
});

const OWN = {
  scene: "extract",
  mappedBy: "default",
  revision: 2,
  requires: ["reasoning", "general"],
  strategy: "best_score",
  candidates: [candidate("loop", "fast"), candidate("deep", "slow", "deepseek-api")],
} satisfies RunConfig["routes"][number];

const BY_PROVIDER = {
  scene: null,
  mappedBy: null,
  revision: 5,
  requires: [],
  strategy: "fallback_chain",
  candidates: [candidate("other", "one")],
} satisfies RunConfig["routes"][number];

function show(config: Partial<RunConfig>, answers: NonNullable<FakeAnswers["config"]> = {}, asked?: RunDetail["asked"]) {
  const base = { newestRevision: 2, changedSince: false, today: ["loop/fast", "deep/slow"], problem: null, routes: [OWN] };
  render(
    <FakeConsole server={createFakeServer({ config: answers })}>
      <RunModels run={buildRunDetail({ config: { ...base, ...config }, ...(asked && { asked }) })} />
    </FakeConsole>,
  );
}

const panel = () => screen.getByRole("region", { name: "Models" });

it("says the scene, the revision, how one is picked, and every model with its profile", () => {
  show({});
  expect(
    within(panel())
      .getAllByRole("definition")
      .map((fact) => fact.textContent),
  ).toEqual(["extract (by the entry default)", "revision 2", "the best score", "reasoning and general"]);
  expect(
    within(panel())
      .getAllByRole("listitem")
      .map((item) => item.textContent),
  ).toEqual([
    "1loop/fastopenai-chat · http://loop.test/v1",
    "2deep/slowdeepseek-api · http://deep.test/v1",
    "mock/mock-1asked 4 times, 1 answer",
  ]);
  expect(screen.getByRole("link", { name: "deepseek-api" }).getAttribute("href")).toBe("/backends/deepseek-api");
  expect(screen.getByRole("link", { name: "revision 2" }).getAttribute("href")).toBe("/config/revisions/2");
  expect(screen.queryByText(/has changed since/)).toBeNull();
});

it("says what has answered in place of the model that was asked, and how often", () => {
  show({}, {}, [
    {
      reference: "loop/fast",
      attempts: 1_203,
      succeeded: 1_200,
      served: [
        { model: "fast-2026-11", provider: "upstream", attempts: 1_202 },
        { model: "fast-mini", provider: null, attempts: 1 },
      ],
    },
    { reference: "deep/slow", attempts: 2, succeeded: 1, served: [] },
  ]);
  const asked = screen.getByText("Asked so far").nextElementSibling;
  expect(Array.from(asked?.children ?? [], (item) => Array.from(item.children, (part) => part.textContent))).toEqual([
    [
      "loop/fast",
      "asked 1,203 times, 1,200 answers",
      "answered by fast-2026-11 · upstream (1,202 times)",
      "answered by fast-mini (1 time)",
    ],
    ["deep/slow", "asked 2 times, 1 answer"],
  ]);
});

it("says when an order would be given other models today", () => {
  show({ newestRevision: 7, changedSince: true, today: ["mock/mock-1"] });
  expect(screen.getByText("The configuration has changed since: now revision 7, this run keeps 2.")).toBeTruthy();
  expect(screen.getByText("Today it would get mock/mock-1.")).toBeTruthy();
  expect(screen.getByRole("link", { name: "All revisions" }).getAttribute("href")).toBe("/config/revisions");
});

it("says when an order would be given none", () => {
  show({ newestRevision: 7, changedSince: true, today: null, problem: "There is no provider loop." });
  expect(screen.getByText("Today it would get no model: There is no provider loop.")).toBeTruthy();
});

it("shows what retries were sent to, and explains no choice where a provider was named", () => {
  show({ routes: [BY_PROVIDER, { ...OWN, revision: 6 }] });
  expect(screen.getByText("none: a provider was named")).toBeTruthy();
  expect(screen.getByText("Choice 1 of a retry")).toBeTruthy();
  expect(screen.getAllByRole("button", { name: "Why this model?" })).toHaveLength(1);
});

it("explains the choice of the run's own revision, anew each time", async () => {
  const explanation: RouteExplanation = {
    scene: "extract",
    revision: 2,
    mappedBy: "default",
    inherited: true,
    requires: [],
    strategy: "best_score",
    candidates: [
      {
        ...candidate("loop", "fast"),
        verdict: "rejected",
        reason: "It cools down for 12 s more: Too many requests.",
        checks: [
          { check: "key", ok: true, message: "env:LOOP_KEY is set." },
          { check: "cooldown", ok: false, message: "It cools down for 12 s more: Too many requests." },
        ],
        score: 0.6,
      },
      {
        ...candidate("deep", "slow"),
        verdict: "chosen",
        reason: "It has the best score for what is required.",
        checks: [],
        score: 0.8,
      },
    ],
    chosen: "deep/slow",
    leastBad: false,
    problem: null,
  };
  const why = vi.fn((_input: { scene: string; revision?: number | undefined }) => explanation);
  show({}, { why });
  const button = screen.getByRole("button", { name: "Why this model?" });
  fireEvent.click(button);
  const view = within(await screen.findByRole("region", { name: "Why this model?" }));
  expect(view.getAllByRole("heading").map((heading) => heading.textContent)).toEqual([
    "What the run has used",
    "What would be chosen now",
  ]);
  expect(view.getByText("mock/mock-1", { selector: "code" }).closest("li")?.textContent).toBe(
    "mock/mock-1asked 4 times, 1 answer",
  );
  const now = within(view.getByRole("list", { name: "What would be chosen now" }));
  expect(now.getAllByRole("listitem").map((item) => item.textContent)).toEqual([
    "Rejectedloop/fastIt cools down for 12 s more: Too many requests.Key: passed. env:LOOP_KEY is set.Cooldown: not passed. It cools down for 12 s more: Too many requests.",
    "Key: passed. env:LOOP_KEY is set.",
    "Cooldown: not passed. It cools down for 12 s more: Too many requests.",
    "Chosendeep/slowIt has the best score for what is required.",
  ]);
  fireEvent.click(button);
  expect(screen.queryByRole("region", { name: "Why this model?" })).toBeNull();
  fireEvent.click(button);
  await waitFor(() => expect(why).toHaveBeenCalledTimes(2));
  expect(why.mock.calls).toEqual([[{ scene: "extract", revision: 2 }], [{ scene: "extract", revision: 2 }]]);
});
