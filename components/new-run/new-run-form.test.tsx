import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createFakeServer, type FakeAnswers, FakeApiError, FakeConsole } from "@/components/trpc/fake-console";
import type { Preview, RunSummary } from "@/server/runs/run.schema";
import { buildConfig, buildProviderRow, buildSceneRow } from "@/server/testing/build-config";
import { NewRunForm } from "./new-run-form";

/** The preview comes when typing rests; a busy machine may take its time. */
const PATIENT = { timeout: 10_000 };

const push = vi.fn();
vi.mock("next/navigation", () => ({ useRouter: () => ({ push }) }));

beforeEach(() => {
  push.mockReset();
  sessionStorage.clear();
});
afterEach(() => cleanup());

const CONFIG = buildConfig({
  providers: [
    buildProviderRow({ name: "mock", apiKey: "env:MOCK_KEY", keyState: "missing" }),
    buildProviderRow({ name: "loop", defaultModel: null }),
  ],
  scenes: [
    buildSceneRow({ scene: "extract", inherited: true, candidates: ["mock/mock-1"] }),
    buildSceneRow({ scene: "planner", candidates: ["mock/mock-1", "mock/mock-2"] }),
  ],
});

const PREVIEW: Preview = {
  runs: [
    {
      sourceDate: "2026-04-19",
      report: {
        documents: [],
        masked: [
          { kind: "api-key", count: 2 },
          { kind: "jwt", count: 1 },
        ],
        dropped: [{ reason: "heartbeat", lines: 3, characters: 30, samples: ["- heartbeat ok"] }],
        cleanedCharacters: 100,
        tokens: 1_234,
        tokenizer: "pieces",
        tokensEstimated: true,
        chunkTokens: 1_000,
        chunks: 2,
      },
    },
  ],
  scene: "extract",
  backend: "mock",
  model: "mock-1",
};

function show(answers: NonNullable<FakeAnswers["runs"]> = {}) {
  const preview = vi.fn<NonNullable<NonNullable<FakeAnswers["runs"]>["preview"]>>(() => PREVIEW);
  const server = createFakeServer({ runs: { preview, ...answers }, config: { overview: () => CONFIG } });
  render(
    <FakeConsole server={server}>
      <NewRunForm />
    </FakeConsole>,
  );
  return { preview };
}

const paste = (text: string) => fireEvent.change(screen.getByLabelText("Paste text"), { target: { value: text } });
const startButton = () => screen.getByRole("button", { name: /^Start/ });
const reasonOf = (button: HTMLElement) => document.getElementById(button.getAttribute("aria-describedby") ?? "")?.textContent;

describe("the start button", () => {
  it("says what is missing", () => {
    show();
    expect(reasonOf(startButton())).toBe("Add text or a file first");
    paste("some words");
    expect(startButton().getAttribute("aria-disabled")).toBeNull();
    fireEvent.change(screen.getByLabelText("Attempts per chunk"), { target: { value: "99" } });
    expect(reasonOf(startButton())).toBe("Mend first: Attempts per chunk");
    // Said on the page too, and in the preview instead of a skeleton that would never end.
    expect(screen.getAllByText("Mend first: Attempts per chunk").filter((element) => !element.hidden)).toHaveLength(1);
    expect(screen.getByText("Attempts per chunk: A whole number from 1 to 20")).toBeTruthy();
    expect(screen.getByLabelText("Attempts per chunk").getAttribute("aria-invalid")).toBe("true");
  });

  it("starts once, however often it is pressed, and goes to the run", async () => {
    const start = vi.fn(() => Promise.resolve([{ id: "run_a" } as RunSummary]));
    show({ start });
    paste("some words");
    fireEvent.click(startButton());
    fireEvent.click(startButton());
    await waitFor(() => expect(push).toHaveBeenCalledWith("/runs/run_a"));
    fireEvent.click(startButton());
    expect(start).toHaveBeenCalledTimes(1);
    expect(start).toHaveBeenCalledWith({ documents: [{ name: "pasted-text.md", text: "some words" }] });
    cleanup();
    expect(sessionStorage.length).toBe(0);
  });

  it("goes to the list when several runs started", async () => {
    show({ start: () => [{ id: "run_a" } as RunSummary, { id: "run_b" } as RunSummary] });
    paste("some words");
    fireEvent.click(startButton());
    await waitFor(() => expect(push).toHaveBeenCalledWith("/runs"));
  });

  it("can be pressed again after a start that failed, which says why", async () => {
    let fails = true;
    const start = vi.fn(() => {
      if (fails) throw new FakeApiError("unknown_backend", "No backend is called “x”.");
      return [{ id: "run_a" } as RunSummary];
    });
    show({ start });
    paste("some words");
    fireEvent.click(startButton());
    expect((await screen.findByRole("alert")).textContent).toBe(
      "The start did not workThere is no such backend. No backend is called “x”.",
    );
    fails = false;
    fireEvent.click(startButton());
    await waitFor(() => expect(push).toHaveBeenCalledWith("/runs/run_a"));
  });
});

describe("the repair round", () => {
  const field = () => screen.getByLabelText<HTMLInputElement>("Repair rounds for an invalid answer");

  it("is off, and not in the order, until it is asked for", async () => {
    const start = vi.fn(() => Promise.resolve([{ id: "run_a" } as RunSummary]));
    show({ start });
    expect([field().value, field().placeholder]).toEqual(["", "0"]);
    expect(document.getElementById(field().getAttribute("aria-describedby") ?? "")?.textContent).toBe(
      "0: off. 1: an invalid answer goes back to the model once, with what is wrong with it. That is one more request.",
    );
    paste("some words");
    // The usual value in words of its own is still the usual value.
    fireEvent.change(field(), { target: { value: "0" } });
    expect(screen.getByText("all as usual")).toBeTruthy();
    fireEvent.click(startButton());
    await waitFor(() => expect(start).toHaveBeenCalledTimes(1));
    expect(start).toHaveBeenCalledWith({ documents: [{ name: "pasted-text.md", text: "some words" }] });
  });

  it("is sent with the order when it is on", async () => {
    const start = vi.fn(() => Promise.resolve([{ id: "run_a" } as RunSummary]));
    show({ start });
    paste("some words");
    fireEvent.change(field(), { target: { value: "1" } });
    expect(screen.getByText("1 changed")).toBeTruthy();
    fireEvent.click(startButton());
    await waitFor(() => expect(push).toHaveBeenCalledWith("/runs/run_a"));
    expect(start).toHaveBeenCalledWith({
      documents: [{ name: "pasted-text.md", text: "some words" }],
      options: { repairRounds: 1 },
    });
  });

  it("is one at most", () => {
    show();
    paste("some words");
    fireEvent.change(field(), { target: { value: "2" } });
    expect(reasonOf(startButton())).toBe("Mend first: Repair rounds for an invalid answer");
    expect(screen.getByText("Repair rounds for an invalid answer: A whole number from 0 to 1")).toBeTruthy();
    fireEvent.click(screen.getByRole("button", { name: "Back to the usual values" }));
    expect([field().value, reasonOf(startButton())]).toEqual(["", undefined]);
  });
});

describe("the preview", () => {
  it("shows counts, masked secrets and dropped lines", async () => {
    const { preview } = show();
    paste("some words");
    expect(await screen.findByText("1 run, 2 chunks, ≈ 1,234 tokens", undefined, PATIENT)).toBeTruthy();
    expect(screen.getByText("3 secrets masked: 2 × API key and 1 × JWT")).toBeTruthy();
    expect(screen.getByText("Heartbeats: 3 lines")).toBeTruthy();
    expect(screen.getByText("- heartbeat ok")).toBeTruthy();
    expect(preview).toHaveBeenCalledTimes(1);
    expect(screen.getByRole("button", { name: "Start run" })).toBeTruthy();
  });

  it("asks once when typing rests, not at every key", async () => {
    const { preview } = show();
    for (const text of ["s", "so", "some", "some words"]) paste(text);
    await screen.findByText("1 run, 2 chunks, ≈ 1,234 tokens", undefined, PATIENT);
    expect(preview.mock.calls.map(([order]) => order.documents[0]?.text)).toEqual(["some words"]);
  });
});

describe("files", () => {
  it("that are not text stay out with a sentence, the others come in with their dates", async () => {
    show();
    const good = new File(["# Day"], "2026-04-19.md");
    const bad = new File([Uint8Array.from([0x63, 0xe9, 0x20])], "latin.txt");
    // jsdom's File has no arrayBuffer.
    for (const file of [good, bad]) file.arrayBuffer ??= () => new Response(file).arrayBuffer();
    fireEvent.change(screen.getByLabelText("Choose files"), { target: { files: [good, bad] } });
    expect((await screen.findByRole("alert")).textContent).toContain(
      "latin.txt is not UTF-8 text. Save it as UTF-8 and add it again.",
    );
    expect(screen.getByLabelText<HTMLInputElement>("Date of 2026-04-19.md").value).toBe("2026-04-19");
    expect(startButton().getAttribute("aria-disabled")).toBeNull();
    fireEvent.click(screen.getByRole("button", { name: "Remove 2026-04-19.md" }));
    expect(reasonOf(startButton())).toBe("Add text or a file first");
  });
});

describe("an empty file", () => {
  const choose = (...files: File[]) => {
    // jsdom's File has no arrayBuffer.
    for (const file of files) file.arrayBuffer ??= () => new Response(file).arrayBuffer();
    fireEvent.change(screen.getByLabelText("Choose files"), { target: { files } });
  };

  it("is listed with what it comes to, and can be started", async () => {
    const start = vi.fn(() => Promise.resolve([{ id: "run_a" } as RunSummary]));
    show({ start });
    choose(new File([], "2026-04-19.md"));
    expect(await screen.findByText("0 B · Empty: it will complete with 0 chunks")).toBeTruthy();
    fireEvent.click(startButton());
    await waitFor(() => expect(push).toHaveBeenCalledWith("/runs/run_a"));
    expect(start).toHaveBeenCalledWith({ documents: [{ name: "2026-04-19.md", text: "", sourceDate: "2026-04-19" }] });
  });

  it("beside text of the same day adds nothing to its run", async () => {
    show();
    choose(new File([], "2026-04-19.md"), new File(["# Day"], "2026-04-19 late.md"));
    expect(await screen.findByText("0 B · Empty: it adds no chunk to its run")).toBeTruthy();
  });

  it("with an impossible date in its name is told so", async () => {
    show();
    choose(new File(["# Day"], "2026-02-31.md"));
    expect(await screen.findByText("5 B · Impossible date in the name (2026-02-31): the run’s date counts")).toBeTruthy();
  });
});

it("keeps the draft over a reload", () => {
  show();
  paste("not lost");
  fireEvent.change(screen.getByLabelText("Name"), { target: { value: "Day one" } });
  window.dispatchEvent(new Event("pagehide"));
  cleanup();
  show();
  expect(screen.getByLabelText<HTMLTextAreaElement>("Paste text").value).toBe("not lost");
  expect(screen.getByLabelText<HTMLInputElement>("Name").value).toBe("Day one");
});

describe("who is asked", () => {
  it("is the usual scene, with its models and the key that is missing", async () => {
    show();
    expect(await screen.findByText("mock/mock-1")).toBeTruthy();
    expect(screen.getByText("Key env:MOCK_KEY: missing")).toBeTruthy();
    expect(screen.getByText("Requests to mock will fail until its key is set on the server.")).toBeTruthy();
  });

  it("is a scene that is chosen, with a model for once", async () => {
    const start = vi.fn(() => Promise.resolve([{ id: "run_a" } as RunSummary]));
    show({ start });
    paste("some words");
    fireEvent.change(await screen.findByRole("combobox", { name: "Scene" }), { target: { value: "planner" } });
    expect(screen.getByText("Asks the first of these that can be used")).toBeTruthy();
    fireEvent.change(screen.getByRole("combobox", { name: "Model" }), { target: { value: "mock-9" } });
    expect(screen.getByText("Asked alone: what else the scene lists is left out.")).toBeTruthy();
    fireEvent.click(startButton());
    await waitFor(() => expect(push).toHaveBeenCalledWith("/runs/run_a"));
    expect(start).toHaveBeenCalledWith({
      scene: "planner",
      model: "mock-9",
      documents: [{ name: "pasted-text.md", text: "some words" }],
    });
  });

  it("is a provider that is chosen, and is kept over a reload", async () => {
    const start = vi.fn(() => Promise.resolve([{ id: "run_a" } as RunSummary]));
    show({ start });
    paste("some words");
    await screen.findByRole("combobox", { name: "Scene" });
    fireEvent.click(screen.getByRole("radio", { name: /^A provider/ }));
    fireEvent.change(screen.getByRole("combobox", { name: "Provider" }), { target: { value: "loop" } });
    // It has no usual model, so it has to be named.
    expect(reasonOf(startButton())).toBe("loop has no usual model: name one.");
    fireEvent.change(screen.getByRole("combobox", { name: "Model" }), { target: { value: "fast" } });
    window.dispatchEvent(new Event("pagehide"));
    cleanup();
    show({ start });
    expect((await screen.findByRole<HTMLSelectElement>("combobox", { name: "Provider" })).value).toBe("loop");
    expect(screen.getByText("loop/fast")).toBeTruthy();
    fireEvent.click(startButton());
    await waitFor(() => expect(push).toHaveBeenCalledWith("/runs/run_a"));
    expect(start).toHaveBeenCalledWith({
      backend: "loop",
      model: "fast",
      documents: [{ name: "pasted-text.md", text: "some words" }],
    });
  });
});
