import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { stubBrowser } from "@/components/ui/testing-browser";
import type { ModelTest } from "@/server/runs/config-view.schema";
import { DRAFT_KEY } from "./draft-storage";
import { ModelsPage } from "./models-page";
import { buildEvaluation, buildProviderRow, buildSceneRow, DOCUMENT_TEXT } from "./testing-evaluation";
import { type ConfigAnswers, showConfig } from "./testing-page";

vi.mock("next/navigation", () => ({ useRouter: () => ({ push: vi.fn() }), usePathname: () => "/config" }));

beforeEach(() => {
  localStorage.clear();
  stubBrowser();
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const scene = (name: string) => screen.findByRole("listitem", { name });

describe("the matrix", () => {
  it("shows a model a scene, and says what is inherited", async () => {
    showConfig(<ModelsPage />);
    expect((await scene("extract")).textContent).toContain("mock/mock-1");
    const planner = await scene("planner");
    expect(planner.textContent).toContain("Inherited from default: openai/gpt-4o-mini");
    expect(within(planner).queryByRole("button", { name: "Reset to inherited" })).toBeNull();
  });

  it("changes a mapping through the server, and keeps the answer as the draft", async () => {
    const { edit, evaluate } = showConfig(<ModelsPage />);
    fireEvent.click(within(await scene("extract")).getByRole("button", { name: "Change the model of extract, mock/mock-1" }));
    const dialog = await screen.findByRole("dialog", { name: "Model for extract" });
    fireEvent.click(within(dialog).getByRole("button", { name: /^openai/ }));
    fireEvent.click(within(dialog).getByRole("button", { name: "gpt-4o-mini" }));
    await waitFor(() =>
      expect(edit).toHaveBeenCalledWith({
        text: DOCUMENT_TEXT,
        edits: [{ path: ["models", "extract"], value: "openai/gpt-4o-mini" }],
      }),
    );
    expect(await screen.findByText(/You have an unsaved draft from .*, based on revision 8\./)).toBeTruthy();
    const kept = JSON.parse(localStorage.getItem(DRAFT_KEY) ?? "{}");
    expect(kept).toMatchObject({ baseRevision: 8, text: `${DOCUMENT_TEXT}# ${JSON.stringify(edit.mock.calls[0]?.[0].edits)}\n` });
    await waitFor(() => expect(evaluate.mock.calls.at(-1)?.[0]).toEqual({ text: kept.text }));
  });

  it("takes a model that no list has, by its name", async () => {
    const { edit } = showConfig(<ModelsPage />);
    fireEvent.click(within(await scene("planner")).getByRole("button", { name: "Set its own" }));
    fireEvent.change(await screen.findByLabelText("Model"), { target: { value: "a/b:free" } });
    fireEvent.click(screen.getByRole("button", { name: "Use openai/a/b:free" }));
    await waitFor(() =>
      expect(edit.mock.calls[0]?.[0].edits).toEqual([{ path: ["models", "planner"], value: "openai/a/b:free" }]),
    );
  });

  it("goes back to what is inherited", async () => {
    const { edit } = showConfig(<ModelsPage />);
    fireEvent.click(within(await scene("extract")).getByRole("button", { name: "Reset to inherited" }));
    await waitFor(() => expect(edit.mock.calls[0]?.[0].edits).toEqual([{ path: ["models", "extract"] }]));
  });

  it("makes edits one after the other, each on what the one before it made", async () => {
    const own = (scene: string) => buildSceneRow({ scene, own: "mock/mock-1" });
    const { edit } = showConfig(<ModelsPage />, { evaluation: { scenes: [own("extract"), own("planner")] } });
    fireEvent.click(within(await scene("extract")).getByRole("button", { name: "Reset to inherited" }));
    fireEvent.click(within(await scene("planner")).getByRole("button", { name: "Reset to inherited" }));
    await waitFor(() => expect(edit).toHaveBeenCalledTimes(2));
    expect(edit.mock.calls[1]?.[0]).toEqual({
      text: `${DOCUMENT_TEXT}# ${JSON.stringify([{ path: ["models", "extract"] }])}\n`,
      edits: [{ path: ["models", "planner"] }],
    });
  });

  it("moves a candidate, and takes no second order by place before the list is the new one", async () => {
    const { edit } = showConfig(<ModelsPage />, { evaluation: routed() });
    const row = await scene("extract");
    fireEvent.click(within(row).getByRole("button", { name: "Move b/2 up" }));
    fireEvent.click(within(row).getByRole("button", { name: "Remove a/1" }));
    await screen.findByText(/You have an unsaved draft/);
    expect(edit.mock.calls.map(([{ edits }]) => edits)).toEqual([
      [
        { path: ["models", "extract", "candidates", 1], value: "a/1" },
        { path: ["models", "extract", "candidates", 0], value: "b/2" },
      ],
    ]);
  });

  it("lets strategy and capabilities be chosen where there are several", async () => {
    const { edit } = showConfig(<ModelsPage />, { evaluation: routed() });
    fireEvent.change(await screen.findByLabelText("How a model of extract is picked"), { target: { value: "least_busy" } });
    await waitFor(() =>
      expect(edit.mock.calls[0]?.[0].edits).toEqual([{ path: ["models", "extract", "strategy"], value: "least_busy" }]),
    );
    const wanted = screen.getByRole("button", { name: "coding" });
    expect(wanted.getAttribute("aria-pressed")).toBe("false");
    fireEvent.click(wanted);
    await waitFor(() =>
      expect(edit.mock.calls[1]?.[0].edits).toEqual([{ path: ["models", "extract", "requires"], value: ["coding"] }]),
    );
  });

  it("adds a scene of one's own, with a name that is free", async () => {
    const { edit } = showConfig(<ModelsPage />);
    fireEvent.click(await screen.findByRole("button", { name: "Add a scene" }));
    const name = await screen.findByLabelText("Name");
    fireEvent.change(name, { target: { value: "extract" } });
    fireEvent.click(screen.getByRole("button", { name: "Choose its model" }));
    expect(screen.getByText("extract exists already.")).toBeTruthy();
    fireEvent.change(name, { target: { value: "titles" } });
    fireEvent.click(screen.getByRole("button", { name: "Choose its model" }));
    fireEvent.click(await screen.findByRole("button", { name: "gpt-4o-mini" }));
    await waitFor(() =>
      expect(edit.mock.calls[0]?.[0].edits).toEqual([{ path: ["models", "titles"], value: "openai/gpt-4o-mini" }]),
    );
  });

  it("offers providers that can be used first, and asks one for its models when it is told to", async () => {
    const offeredModels = vi.fn<NonNullable<ConfigAnswers["offeredModels"]>>(() => ({
      offered: true,
      models: ["gpt-4o-mini", "gpt-new"],
      message: "",
    }));
    const { edit } = showConfig(<ModelsPage />, {
      answers: { offeredModels },
      evaluation: {
        providers: [buildProviderRow({ name: "keyless", keyState: "missing" }), ...buildEvaluation().providers],
      },
    });
    fireEvent.click(within(await scene("planner")).getByRole("button", { name: "Set its own" }));
    const dialog = await screen.findByRole("dialog");
    const choices = within(within(dialog).getByRole("group", { name: "Provider" })).getAllByRole("button");
    expect(choices.map((choice) => choice.textContent)).toEqual(["openaiKey set", "mockNo key needed", "keylessKey missing"]);
    expect(offeredModels).not.toHaveBeenCalled();
    fireEvent.click(within(dialog).getByRole("button", { name: "Ask the provider for its models" }));
    fireEvent.click(await within(dialog).findByRole("button", { name: "gpt-new" }));
    expect(offeredModels).toHaveBeenCalledWith({ provider: "openai", revision: 8 });
    await waitFor(() =>
      expect(edit.mock.calls[0]?.[0].edits).toEqual([{ path: ["models", "planner"], value: "openai/gpt-new" }]),
    );
  });

  it("says where to mend a text that cannot be read", async () => {
    showConfig(<ModelsPage />, {
      evaluation: {
        scenes: [],
        providers: [],
        usable: false,
        problems: [
          { severity: "error", code: "not_yaml", path: "", line: 4, column: 2, message: "A tab stands here.", details: {} },
        ],
      },
    });
    const link = await screen.findByRole("link", { name: "Go to line 4" });
    expect(link.getAttribute("href")).toBe("/config/yaml?line=4&column=2");
  });
});

describe("a test of a scene", () => {
  const answer: ModelTest = {
    reference: "mock/mock-1",
    ok: true,
    latencyMs: 420,
    firstTokenMs: 120,
    usage: { promptTokens: 9, completionTokens: 2 },
    servedModel: "mock-1-2026",
    text: "Hello",
    failureKind: null,
    message: "",
  };

  it("says how the call went", async () => {
    const test = vi.fn<NonNullable<ConfigAnswers["test"]>>(() => answer);
    showConfig(<ModelsPage />, { answers: { test } });
    const row = await scene("extract");
    fireEvent.click(within(row).getByRole("button", { name: "Test extract with one tiny call" }));
    const result = await within(row).findByText("It answered.");
    expect(result.parentElement?.textContent).toBe(
      "It answered. mock/mock-1 420ms in all · first token after 120ms · 9 tokens in, 2 out",
    );
    expect(within(row).getByText("Served by mock-1-2026")).toBeTruthy();
    expect(within(row).getByText("“Hello”")).toBeTruthy();
    expect(test).toHaveBeenCalledWith({ scene: "extract", revision: 8 });
  });

  it("says in one sentence why there was no answer", async () => {
    showConfig(<ModelsPage />, {
      answers: {
        test: () => ({
          ...answer,
          ok: false,
          failureKind: "provider-auth-failed",
          message: "The provider said: bad key.",
          text: "",
        }),
      },
    });
    const row = await scene("extract");
    fireEvent.click(within(row).getByRole("button", { name: "Test extract with one tiny call" }));
    expect(await within(row).findByText("The provider refused the key")).toBeTruthy();
    expect(within(row).getByText("The provider said: bad key.")).toBeTruthy();
  });
});

it("stays quick with many scenes and providers", async () => {
  const scenes = Array.from({ length: 60 }, (_, index) =>
    buildSceneRow({ scene: index === 0 ? "default" : `scene-${index}`, builtIn: index === 0 }),
  );
  const providers = Array.from({ length: 40 }, (_, index) => buildProviderRow({ name: `provider-${index}` }));
  showConfig(<ModelsPage />, { evaluation: { scenes, providers } });
  await scene("scene-59");
  fireEvent.change(screen.getByLabelText("Scene or model"), { target: { value: "scene-5" } });
  const shown = within(screen.getByRole("list", { name: "Which model does which job" })).getAllByRole("listitem");
  expect(shown.map((row) => row.getAttribute("aria-label"))).toHaveLength(11);
});

function routed() {
  const scenes = buildEvaluation().scenes.map((row) =>
    row.scene === "extract"
      ? buildSceneRow({
          scene: "extract",
          own: { candidates: ["a/1", "b/2"] },
          candidates: [
            { reference: "a/1", provider: "a", model: "1", problem: null },
            { reference: "b/2", provider: "b", model: "2", problem: null },
          ],
        })
      : row,
  );
  return { scenes };
}
