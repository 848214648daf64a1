import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { FakeApiError } from "@/components/trpc/fake-console";
import { stubBrowser } from "@/components/ui/testing-browser";
import { ProvidersPage } from "./providers-page";
import { buildProviderRow } from "./testing-evaluation";
import { showConfig } from "./testing-page";

vi.mock("next/navigation", () => ({ useRouter: () => ({ push: vi.fn() }), usePathname: () => "/config/providers" }));

const PASTED = "sk-canary-9f8e7d6c5b4a39281706f5e4d3c2b1a0";

beforeEach(() => {
  localStorage.clear();
  stubBrowser();
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const LOCAL = {
  kind: "openai-chat",
  description: "Models on this machine.",
  baseUrl: "http://127.0.0.1:11434/v1",
  defaultModel: null,
  needsKey: false,
  needsBaseUrl: true,
} as const;

const provider = (name: string) => screen.findByRole("listitem", { name });
const openAdd = async () => {
  fireEvent.click(await screen.findByRole("button", { name: "Add a provider" }));
  return screen.findByRole("dialog", { name: "Add a provider" });
};
const keyField = () => screen.getByLabelText<HTMLInputElement>("Key reference");
const paste = (text: string) => fireEvent.paste(keyField(), { clipboardData: { getData: () => text } });

describe("the list", () => {
  it("says of each where it is, where its key is, and who uses it", async () => {
    showConfig(<ProvidersPage />);
    const item = await provider("openai");
    expect(item.textContent).toContain("https://api.openai.com/v1");
    expect(item.textContent).toContain("env:OPENAI_API_KEY");
    expect(item.textContent).toContain("Used bydefault");
    expect(item.textContent).toContain("request 2m 0s, pause 1m 0s, connection 10s");
  });

  it("has a word for every state of a key", async () => {
    const states = ["set", "missing", "empty", "unreadable", "stray_whitespace", "malformed", "outside"] as const;
    showConfig(<ProvidersPage />, {
      evaluation: { providers: states.map((keyState) => buildProviderRow({ name: keyState, keyState })) },
    });
    await provider("set");
    const words = [
      "Key set",
      "Key missing",
      "Key empty",
      "Key file unreadable",
      "Key set, with stray spaces",
      "Key malformed",
      "Key file outside the folder",
    ];
    for (const [index, word] of words.entries()) {
      expect(within(await provider(states[index] ?? "")).getByText(word)).toBeTruthy();
    }
  });

  it("offers the model servers of this machine that nobody uses yet, and adds one by a press", async () => {
    const { edit } = showConfig(<ProvidersPage />, {
      evaluation: {
        profiles: ["ollama", "vllm"].map((name) => ({ ...LOCAL, name })),
        providers: [buildProviderRow({ name: "mine", profile: "vllm", baseUrl: "http://127.0.0.1:8000/v1" })],
      },
      answers: {
        localServers: () => ({
          items: [
            { profile: "ollama", baseUrl: "http://127.0.0.1:11434/v1", models: ["a", "b", "c", "d"], modelCount: 60 },
            { profile: "vllm", baseUrl: "http://127.0.0.1:8000/v1", models: ["x"], modelCount: 1 },
          ],
        }),
      },
    });
    const found = within(await screen.findByRole("list", { name: "Found on this machine" }));
    expect(found.getAllByRole("listitem").map(({ textContent }) => textContent)).toEqual([
      "ollama http://127.0.0.1:11434/v160 models: a, b, c and 57 moreAdd ollama",
    ]);
    fireEvent.click(found.getByRole("button", { name: "Add ollama" }));
    await waitFor(() => expect(edit.mock.calls[0]?.[0].edits).toEqual([{ path: ["providers", "ollama"], value: {} }]));
  });

  it("says nothing of this machine's servers where there are none", async () => {
    showConfig(<ProvidersPage />);
    await provider("openai");
    expect(screen.queryByText("Found on this machine")).toBeNull();
  });

  it("says which scenes break before one is removed", async () => {
    const { edit } = showConfig(<ProvidersPage />);
    fireEvent.click(within(await provider("openai")).getByRole("button", { name: "Remove openai" }));
    const question = await screen.findByRole("alertdialog", { name: "Remove openai from the draft?" });
    expect(question.textContent).toContain("This scene names it and breaks: default. Give it another model before you save.");
    fireEvent.click(within(question).getByRole("button", { name: "Remove" }));
    await waitFor(() => expect(edit.mock.calls[0]?.[0].edits).toEqual([{ path: ["providers", "openai"] }]));
  });
});

describe("a pasted key", () => {
  it("is refused at once, and is nowhere", async () => {
    const { edit } = showConfig(<ProvidersPage />);
    const dialog = await openAdd();
    fireEvent.change(keyField(), { target: { value: "" } });
    paste(PASTED);
    expect(keyField().value).toBe("");
    expect(keyField().getAttribute("aria-invalid")).toBe("true");
    expect(
      within(dialog).getByText(/^That is not a reference, so it was not taken over: a key itself does not belong here\./),
    ).toBeTruthy();
    fireEvent.change(keyField(), { target: { value: PASTED } });
    expect(keyField().value).toBe("");
    expect(document.body.innerHTML).not.toContain(PASTED);
    expect(JSON.stringify(Object.entries(localStorage))).not.toContain(PASTED);
    expect(edit).not.toHaveBeenCalled();
  });

  it("is something else than a pasted reference", async () => {
    showConfig(<ProvidersPage />);
    await openAdd();
    fireEvent.change(keyField(), { target: { value: "" } });
    paste(" file:/run/secrets/llm\n");
    expect(keyField().value).toBe("file:/run/secrets/llm");
    expect(keyField().getAttribute("aria-invalid")).toBeNull();
  });
});

describe("a provider", () => {
  it("is added as its profile suggests", async () => {
    const { edit } = showConfig(<ProvidersPage />);
    const dialog = await openAdd();
    expect(within(dialog).getByLabelText<HTMLInputElement>("Name").value).toBe("openai-2");
    expect(keyField().value).toBe("env:OPENAI_2_API_KEY");
    fireEvent.change(within(dialog).getByLabelText("Name"), { target: { value: "spare" } });
    fireEvent.click(within(dialog).getByRole("button", { name: "Add to the draft" }));
    await waitFor(() =>
      expect(edit.mock.calls[0]?.[0].edits).toEqual([
        { path: ["providers", "spare"], value: { profile: "openai", apiKey: "env:OPENAI_2_API_KEY" } },
      ]),
    );
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  });

  it("is warned of an endpoint in its address, with the address to write, and can be kept so", async () => {
    const { edit } = showConfig(<ProvidersPage />);
    const dialog = await openAdd();
    const address = within(dialog).getByLabelText<HTMLInputElement>("Base URL");
    fireEvent.change(address, { target: { value: "https://host.test/v1/chat/completions" } });
    const warning = within(dialog).getByText("Every request adds /chat/completions by itself; write https://host.test/v1");
    expect(address.getAttribute("aria-describedby")?.split(" ")).toContain(warning.id);
    expect(address.getAttribute("aria-invalid")).toBeNull();
    fireEvent.click(within(dialog).getByRole("button", { name: "Add to the draft" }));
    await waitFor(() => expect(edit).toHaveBeenCalledTimes(1));
  });

  it("is changed only where a field was touched", async () => {
    const { edit } = showConfig(<ProvidersPage />);
    fireEvent.click(within(await provider("openai")).getByRole("button", { name: "Edit openai" }));
    const dialog = await screen.findByRole("dialog", { name: "Edit openai" });
    fireEvent.change(within(dialog).getByLabelText("Requests at once"), { target: { value: "9999" } });
    fireEvent.click(within(dialog).getByRole("button", { name: "Change the draft" }));
    expect(within(dialog).getByText("A whole number from 1 to 1,024")).toBeTruthy();
    fireEvent.change(within(dialog).getByLabelText("Requests at once"), { target: { value: "8" } });
    fireEvent.click(within(dialog).getByRole("button", { name: "Change the draft" }));
    await waitFor(() =>
      expect(edit.mock.calls[0]?.[0].edits).toEqual([{ path: ["providers", "openai", "concurrency"], value: 8 }]),
    );
  });

  it("can be renamed, but not to the name of another", async () => {
    const { edit } = showConfig(<ProvidersPage />, {
      evaluation: { providers: [buildProviderRow(), buildProviderRow({ name: "spare" })] },
    });
    fireEvent.click(within(await provider("openai")).getByRole("button", { name: "Edit openai" }));
    const dialog = await screen.findByRole("dialog", { name: "Edit openai" });
    const name = within(dialog).getByLabelText("Name");
    fireEvent.change(name, { target: { value: "spare" } });
    fireEvent.click(within(dialog).getByRole("button", { name: "Change the draft" }));
    expect(name.getAttribute("aria-invalid")).toBe("true");
    fireEvent.change(name, { target: { value: "main" } });
    fireEvent.click(within(dialog).getByRole("button", { name: "Change the draft" }));
    await waitFor(() => expect(edit.mock.calls[0]?.[0].edits).toEqual([{ renameProvider: { from: "openai", to: "main" } }]));
  });

  it("keeps its dialog open when the change could not be made", async () => {
    showConfig(<ProvidersPage />, {
      answers: {
        edit: () => {
          throw new FakeApiError("invalid_input", "The text cannot be read as YAML.");
        },
      },
    });
    const dialog = await openAdd();
    fireEvent.click(within(dialog).getByRole("button", { name: "Add to the draft" }));
    await waitFor(() =>
      expect(within(dialog).getByRole("button", { name: "Add to the draft" }).getAttribute("aria-busy")).toBeNull(),
    );
    expect(screen.getByRole("dialog", { name: "Add a provider" })).toBeTruthy();
  });
});
