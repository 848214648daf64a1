import { cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createFakeServer, type FakeAnswers, FakeApiError, FakeConsole } from "@/components/trpc/fake-console";
import type { CheckOutcome } from "@/server/backends/capability.rules";
import type { BackendProvider, BackendRow } from "@/server/runs/backend-view.schema";
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

const checked = { outcome: "works", reason: "", at: at(-60_000), model: "nine" } as const;
const seen = { outcome: "works", at: at(-5_000), runId: "run_a", chunk: 3, model: "nine" } as const;

const PROVIDER = buildBackendProvider({
  name: "loop",
  models: ["nine"],
  health: { state: "healthy", reason: "", model: "nine", latencyMs: 35, checkedAt: at(-60_000), by: "operator" },
  lastSeen: { at: at(-5_000), runId: "run_a", chunk: 3, model: "nine", servedModel: "other-9", ok: true, failureKind: null },
  evidence: {
    streaming: { declared: true, checked, lastSeen: seen },
    usage: { declared: true, checked, lastSeen: { ...seen, outcome: "failed" } },
    structuredOutput: { declared: false, checked, lastSeen: null },
    cancel: { declared: true, checked: null, lastSeen: null },
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
    ["model", "nine", "nine1 min ago", "nine → other-95 sec ago", "does not agree"],
    ["streaming", "yes", "works1 min ago · nine", "seen5 sec ago", "agrees"],
    ["usage", "yes", "works1 min ago · nine", "not in the answers5 sec ago", "does not agree"],
    ["structured output", "no", "works1 min ago · nine", "an answer cannot tell", "by the prompt alone"],
    ["cancel", "yes", "–", "an answer cannot tell", "never checked"],
  ]);
  expect(provider.getByRole("link", { name: "seen" }).getAttribute("href")).toBe("/runs/run_a/chunks/3");
  expect(await provider.findByRole("link", { name: "Day one" })).toBeTruthy();
  expect(provider.getByRole("link", { name: "3 failed chunks" }).getAttribute("href")).toBe("/runs/run_a/chunks?status=failed");
  expect(list).toHaveBeenCalledWith({ backend: "loop", limit: 5 });
  expect(screen.getByText("No model is cooling down.")).toBeTruthy();
});

describe("the capability check", () => {
  const finding = (outcome: CheckOutcome, reason: string) => ({ outcome, reason });
  const works = finding("works", "");

  function showLoop(
    more: Partial<BackendProvider>,
    row: Partial<BackendRow> = {},
    answers: Partial<FakeAnswers["backends"]> = {},
  ) {
    const provider = buildBackendProvider({ name: "loop", models: ["nine"], ...more });
    const get = vi.fn(() =>
      buildBackendRow({ profile: "openai-chat", transport: "http", defaultModel: null, providers: [provider], ...row }),
    );
    show({ backends: { get, ...answers }, runs: { list: () => ({ items: [], nextCursor: null }) } });
    return { get };
  }

  const cells = async (name: string) =>
    [...(await screen.findByRole("row", { name: new RegExp(`^${name}`) })).children].slice(1).map((cell) => cell.textContent);

  it("says what it costs and asks first, for the model that is chosen, and tells what came of it", async () => {
    const check = vi.fn((_input: { provider: string; model?: string; capabilities?: boolean }) => ({
      state: "healthy" as const,
      reason: "",
      model: "ten",
      latencyMs: 35,
      checkedAt: at(0),
      by: "operator" as const,
      capabilities: { streaming: works, usage: works, structuredOutput: finding("failed", "No JSON."), cancel: works },
    }));
    const { get } = showLoop({ models: ["nine", "ten"] }, {}, { check });
    fireEvent.click(await screen.findByRole("button", { name: "Check the capabilities of loop" }));
    const dialog = within(await screen.findByRole("alertdialog", { name: "Check what loop/nine can do?" }));
    expect(dialog.getByText(/two small requests/).textContent).toBe(
      "It gets two small requests: one that it answers, and one that is called off as soon as its answer begins. They cost what its provider takes for them: about 150 tokens of questions each, and at most 1,280 tokens of answers are asked for in all.",
    );
    expect(check).not.toHaveBeenCalled();
    fireEvent.change(dialog.getByRole("combobox", { name: "Model" }), { target: { value: "ten" } });
    expect(screen.getByRole("alertdialog", { name: "Check what loop/ten can do?" })).toBeTruthy();
    const before = get.mock.calls.length;
    fireEvent.click(dialog.getByRole("button", { name: "Check capabilities" }));
    await waitFor(() => expect(screen.queryByRole("alertdialog")).toBeNull());
    await waitFor(() => expect(check.mock.calls).toEqual([[{ provider: "loop", model: "ten", capabilities: true }]]));
    expect(await screen.findByText("loop/ten: 3 of 4 capabilities work.")).toBeTruthy();
    expect(get.mock.calls.length).toBe(before + 1);
  });

  it("costs nothing where no one is asked outside", async () => {
    showLoop({ models: [] }, { transport: "in-process", defaultModel: "mock-1" });
    fireEvent.click(await screen.findByRole("button", { name: "Check the capabilities of loop" }));
    const dialog = within(await screen.findByRole("alertdialog", { name: "Check what loop/mock-1 can do?" }));
    expect(dialog.getByText(/two small requests.*They stay inside this server and cost nothing\.$/)).toBeTruthy();
    expect(dialog.queryByRole("combobox")).toBeNull();
    fireEvent.click(dialog.getByRole("button", { name: "Cancel" }));
    await waitFor(() => expect(screen.queryByRole("alertdialog")).toBeNull());
  });

  it("cannot be asked for where no model is named", async () => {
    showLoop({ models: [] });
    const button = await screen.findByRole("button", { name: "Check the capabilities of loop" });
    expect(button.getAttribute("aria-disabled")).toBe("true");
    fireEvent.click(button);
    expect(screen.queryByRole("alertdialog")).toBeNull();
    expect(button.textContent).toContain("No scene names a model of loop and its profile has none");
  });

  it("gives the reason of each finding, but one that stands above only there", async () => {
    const refused = "loop answered 401: wrong key";
    const { evidence } = buildBackendProvider();
    showLoop({
      health: { state: "unavailable", reason: refused, model: "nine", latencyMs: 3, checkedAt: at(-1_000), by: "operator" },
      evidence: {
        ...evidence,
        usage: {
          declared: true,
          checked: { ...checked, ...finding("failed", "The reply came without token counts.") },
          lastSeen: null,
        },
        cancel: { declared: true, checked: { ...checked, ...finding("not_checked", refused) }, lastSeen: null },
      },
    });
    expect(await cells("usage")).toEqual([
      "yes",
      "failsThe reply came without token counts.1 min ago · nine",
      "–",
      "does not agree",
    ]);
    expect(await cells("cancel")).toEqual(["yes", "not checked1 min ago · nine", "an answer cannot tell", "not seen yet"]);
  });

  it("shows the models beside each other when there are several", async () => {
    const findings = { streaming: works, usage: works, structuredOutput: works, cancel: works };
    showLoop({
      capabilityChecks: [
        { model: "ten", at: at(-1_000), findings: { ...findings, usage: finding("failed", "x") } },
        { model: "nine", at: at(-60_000), findings },
      ],
    });
    const table = within(await screen.findByRole("region", { name: "Checked models of loop" }));
    expect(table.getAllByRole("row").map((row) => [...row.children].map(({ textContent }) => textContent))).toEqual([
      ["Model", "streaming", "usage", "structured output", "cancel"],
      ["ten1 sec ago", "works", "fails", "works", "works"],
      ["nine1 min ago", "works", "works", "works", "works"],
    ]);
    expect(table.getAllByLabelText("does not agree").map((mark) => mark.closest("td")?.textContent)).toEqual(["fails"]);
  });
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
