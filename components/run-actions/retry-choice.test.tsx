import { cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { toast } from "sonner";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createFakeServer, type FakeAnswers, FakeApiError, FakeConsole } from "@/components/trpc/fake-console";
import { buildConfig, buildProviderRow, buildSceneRow } from "@/server/testing/build-config";
import { buildRunSummary } from "@/server/testing/build-run-detail";
import { RetryWithDialog } from "./retry-with-dialog";
import { RunActionDialog } from "./run-action-dialog";

beforeEach(() => {
  vi.spyOn(toast, "success");
  vi.spyOn(toast, "error");
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

const CONFIG = buildConfig({
  scenes: [
    buildSceneRow({ scene: "extract", candidates: ["loop/fast", "mock/mock-1"] }),
    buildSceneRow({
      scene: "planner",
      candidates: [],
      problem: "The scene planner has no model, and there is no models.default to fall back to.",
    }),
  ],
  providers: [
    buildProviderRow({ name: "loop", profile: "openai-chat", apiKey: "env:LOOP_KEY", keyState: "missing", defaultModel: null }),
    buildProviderRow({ name: "mock" }),
    buildProviderRow({ name: "bare", defaultModel: null }),
  ],
});

type Availability = NonNullable<NonNullable<FakeAnswers["config"]>["availability"]>;
type Retry = NonNullable<NonNullable<FakeAnswers["runs"]>["retry"]>;

const NOW = Date.parse("2026-11-30T10:00:00.000Z");
const UNTIL = "2026-11-30T10:00:12.000Z";

/** The dialog of a run with three failed chunks. */
function showRun(answer: Retry = () => ({ requeued: 3, skipped: [] }), failed = 3, availability: Availability = () => []) {
  const retry = vi.fn<Retry>(answer);
  const counts = { total: 4, queued: 0, running: 0, succeeded: 4 - failed, failed, cancelled: 0 };
  const run = buildRunSummary({ counts, ...(failed === 0 ? { status: "failed" } : {}) });
  const onOpenChange = vi.fn();
  render(
    <FakeConsole
      server={createFakeServer({
        runs: { retry, list: () => ({ items: [], nextCursor: null }) },
        config: { overview: () => CONFIG, availability },
      })}
    >
      <RunActionDialog action="retry" run={run} open onOpenChange={onOpenChange} />
    </FakeConsole>,
  );
  const dialog = screen.getByRole("alertdialog");
  return { retry, onOpenChange, dialog, confirm: () => within(dialog).getByRole("button", { name: /^Retry failed chunks/ }) };
}

/** What the dialog says would be asked. */
const asked = () => screen.getAllByRole("listitem").map((item) => item.querySelector("code")?.textContent);

describe("the retry of a run", () => {
  it("asks as before unless something else is chosen", async () => {
    const { retry, confirm, onOpenChange } = showRun();
    expect(screen.getByRole<HTMLInputElement>("radio", { name: /^As before/ }).checked).toBe(true);
    fireEvent.click(confirm());
    await waitFor(() => expect(onOpenChange).toHaveBeenCalledWith(false));
    expect(retry.mock.calls).toEqual([[{ id: "run_a" }]]);
  });

  it("goes to a scene, and shows the models that are asked, with the key that is missing", async () => {
    const { retry, confirm, onOpenChange } = showRun();
    fireEvent.click(screen.getByRole("radio", { name: /^A scene/ }));
    await screen.findByRole("combobox", { name: "Scene" });
    expect(asked()).toEqual(["loop/fast", "mock/mock-1"]);
    expect(screen.getByText("Asks the first of these that can be used")).toBeTruthy();
    expect(screen.getByText("Key env:LOOP_KEY: missing")).toBeTruthy();
    expect(screen.getByText("Requests to loop will fail until its key is set on the server.")).toBeTruthy();
    fireEvent.click(confirm());
    await waitFor(() => expect(onOpenChange).toHaveBeenCalledWith(false));
    expect(retry.mock.calls).toEqual([[{ id: "run_a", with: { scene: "extract" } }]]);
  });

  it("goes to a provider with a model that is named", async () => {
    const { retry, confirm, onOpenChange } = showRun();
    fireEvent.click(screen.getByRole("radio", { name: /^A scene/ }));
    await screen.findByRole("combobox", { name: "Scene" });
    fireEvent.click(screen.getByRole("radio", { name: /^A provider/ }));
    const providers = await screen.findByRole("combobox", { name: "Provider" });
    expect(
      within(providers)
        .getAllByRole("option")
        .map((option) => option.textContent),
    ).toEqual(["loop · openai-chat", "mock", "bare · mock"]);
    fireEvent.change(providers, { target: { value: "mock" } });
    expect(asked()).toEqual(["mock/mock-1"]);
    fireEvent.change(screen.getByRole("combobox", { name: "Model" }), { target: { value: " mock-2 " } });
    expect(asked()).toEqual(["mock/mock-2"]);
    fireEvent.click(confirm());
    await waitFor(() => expect(onOpenChange).toHaveBeenCalledWith(false));
    expect(retry.mock.calls).toEqual([[{ id: "run_a", with: { backend: "mock", model: "mock-2" } }]]);
  });

  it("says how each model stands, but for one without its key", async () => {
    const availability = vi.fn<Availability>(({ references }) =>
      references.map((reference) =>
        reference === "mock/mock-1"
          ? { reference, state: "cooling" as const, reason: "It is unavailable: Too many requests.", coolsUntil: UNTIL }
          : { reference, state: "unavailable" as const, reason: "env:LOOP_KEY (apiKey) is missing.", coolsUntil: null },
      ),
    );
    vi.spyOn(Date, "now").mockReturnValue(NOW);
    showRun(undefined, undefined, availability);
    fireEvent.click(screen.getByRole("radio", { name: /^A scene/ }));
    const badge = await screen.findByText("Cooling down");
    expect(availability.mock.calls).toEqual([[{ references: ["loop/fast", "mock/mock-1"] }]]);
    expect(badge.closest("li")?.textContent).toBe(
      "mock/mock-1Needs no keyCooling downasked again in 12sAnswers from a script.It is unavailable: Too many requests.",
    );
    expect(screen.queryByText("Unavailable")).toBeNull();
  });

  it("asks how another model stands when one is named", async () => {
    const availability = vi.fn<Availability>(({ references }) =>
      references.map((reference) => ({ reference, state: "healthy" as const, reason: "", coolsUntil: null })),
    );
    showRun(undefined, undefined, availability);
    fireEvent.click(screen.getByRole("radio", { name: /^A scene/ }));
    fireEvent.change(await screen.findByRole("combobox", { name: "Model" }), { target: { value: "other" } });
    await waitFor(() => expect(availability).toHaveBeenLastCalledWith({ references: ["loop/other"] }));
    expect(asked()).toEqual(["loop/other"]);
  });

  it("cannot be sent to nothing, and says why", async () => {
    const { retry, confirm } = showRun();
    fireEvent.click(screen.getByRole("radio", { name: /^A scene/ }));
    fireEvent.change(await screen.findByRole("combobox", { name: "Scene" }), { target: { value: "planner" } });
    expect(confirm().getAttribute("aria-disabled")).toBe("true");
    expect(document.getElementById(confirm().getAttribute("aria-describedby") ?? "")?.textContent).toBe(
      "The scene planner has no model, and there is no models.default to fall back to.",
    );
    fireEvent.click(screen.getByRole("radio", { name: /^A provider/ }));
    fireEvent.change(await screen.findByRole("combobox", { name: "Provider" }), { target: { value: "bare" } });
    expect(document.getElementById(confirm().getAttribute("aria-describedby") ?? "")?.textContent).toBe(
      "bare has no usual model: name one.",
    );
    fireEvent.submit(confirm());
    expect(retry).not.toHaveBeenCalled();
    fireEvent.change(screen.getByRole("combobox", { name: "Model" }), { target: { value: "one" } });
    expect(confirm().getAttribute("aria-disabled")).toBeNull();
  });

  it("stays open when it is refused", async () => {
    const { confirm, onOpenChange } = showRun(() => {
      throw new FakeApiError("unknown_backend", 'There is no backend "loop".');
    });
    fireEvent.click(confirm());
    await waitFor(() => expect(toast.error).toHaveBeenCalledOnce());
    expect(onOpenChange).not.toHaveBeenCalled();
  });

  it("asks for no model where only the last step is tried again", () => {
    showRun(() => ({ requeued: 0, skipped: [] }), 0);
    expect(screen.queryByRole("radio")).toBeNull();
  });
});

it("a chunk that was cut begins as before, with room for a longer answer", async () => {
  const onConfirm = vi.fn();
  render(
    <FakeConsole server={createFakeServer({ config: { overview: () => CONFIG } })}>
      <RetryWithDialog open onOpenChange={() => {}} count={1} pending={false} cutAt={4096} onConfirm={onConfirm} />
    </FakeConsole>,
  );
  const field = screen.getByRole("textbox", { name: "Longest answer, in tokens" });
  expect(screen.getByText("The last answer was cut after 4,096 tokens. Empty means as before.")).toBeTruthy();
  // A refused button is another one.
  const confirm = () => screen.getByRole("button", { name: /^Retry/ });
  fireEvent.change(field, { target: { value: "many" } });
  expect(screen.getByText("A whole number from 1 to 1,000,000.")).toBeTruthy();
  fireEvent.click(confirm());
  fireEvent.change(field, { target: { value: "9000" } });
  fireEvent.click(confirm());
  expect(onConfirm.mock.calls).toEqual([[{ maxTokens: 9000 }]]);
});

it("the choice for single chunks begins with the usual scene and hands over what was chosen", async () => {
  const onConfirm = vi.fn();
  render(
    <FakeConsole server={createFakeServer({ config: { overview: () => CONFIG } })}>
      <RetryWithDialog open onOpenChange={() => {}} count={2} pending={false} onConfirm={onConfirm} />
    </FakeConsole>,
  );
  expect(screen.getByText(/^2 chunks are sent again/)).toBeTruthy();
  await screen.findByText("loop/fast");
  const confirm = screen.getByRole("button", { name: "Retry" });
  fireEvent.click(confirm);
  fireEvent.click(screen.getByRole("radio", { name: /^As before/ }));
  fireEvent.click(confirm);
  expect(onConfirm.mock.calls).toEqual([[{ scene: "extract" }], [undefined]]);
});
