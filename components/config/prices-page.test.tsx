import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { stubBrowser } from "@/components/ui/testing-browser";
import type { PriceRow } from "@/server/runs/config-view.schema";
import { PricesPage } from "./prices-page";
import { showConfig } from "./testing-page";

vi.mock("next/navigation", () => ({ useRouter: () => ({ push: vi.fn() }), usePathname: () => "/config/prices" }));

beforeEach(() => {
  localStorage.clear();
  stubBrowser();
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const ROUTER: PriceRow = {
  reference: "router/*",
  input: 0.3,
  cachedInput: 0.0375,
  cacheWrite: null,
  output: 2.5,
  reasoning: null,
  currency: "USD",
  models: ["router/a"],
};
const FREE: PriceRow = { ...ROUTER, reference: "ollama/*", input: 0, cachedInput: null, output: 0, models: [] };

it("shows what is known, what a part is billed as, and which models have no price", async () => {
  showConfig(<PricesPage />, { evaluation: { prices: [ROUTER, FREE], unpriced: ["openai/gpt-x"] } });
  const cells = async (name: RegExp) =>
    within(await screen.findByRole("row", { name }))
      .getAllByRole("cell")
      .slice(0, 5)
      .map((cell) => cell.textContent);
  expect(await cells(/router/)).toEqual(["US$0.30", "US$0.0375", "as input", "US$2.50", "as output"]);
  expect(await cells(/ollama/)).toEqual(["US$0.00", "as input", "as input", "US$0.00", "as output"]);
  expect(screen.getByRole("button", { name: "Add a price of openai/gpt-x" })).toBeTruthy();
});

it("adds the price of a model that has none, and refuses one that says too little", async () => {
  const { edit } = showConfig(<PricesPage />, { evaluation: { prices: [], unpriced: ["openai/gpt-x"] } });
  fireEvent.click(await screen.findByRole("button", { name: "Add a price of openai/gpt-x" }));
  const dialog = await screen.findByRole("dialog", { name: "Add a price" });
  const enter = (label: string, value: string) => fireEvent.change(within(dialog).getByLabelText(label), { target: { value } });
  const take = () => fireEvent.click(within(dialog).getByRole("button", { name: "Take over" }));
  enter("Input", "0");
  take();
  expect(within(dialog).getByText("Write an amount, or 0 when nothing is paid.")).toBeTruthy();
  expect(edit).not.toHaveBeenCalled();
  enter("Output", "8");
  enter("Currency", "cny");
  take();
  await waitFor(() =>
    expect(edit.mock.calls[0]?.[0].edits).toEqual([
      { path: ["prices", "openai/gpt-x"], value: { input: 0, output: 8, currency: "CNY" } },
    ]),
  );
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});

it("changes only what is different, and removes an entry when asked twice", async () => {
  const { edit } = showConfig(<PricesPage />, { evaluation: { prices: [ROUTER] } });
  fireEvent.click(await screen.findByRole("button", { name: "Change the price of router/*" }));
  const dialog = await screen.findByRole("dialog", { name: "Change the price of router/*" });
  fireEvent.change(within(dialog).getByLabelText("Output"), { target: { value: "3" } });
  fireEvent.click(within(dialog).getByRole("button", { name: "Take over" }));
  await waitFor(() => expect(edit.mock.calls[0]?.[0].edits).toEqual([{ path: ["prices", "router/*", "output"], value: 3 }]));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  fireEvent.click(screen.getByRole("button", { name: "Remove the price of router/*" }));
  fireEvent.click(await screen.findByRole("button", { name: "Remove" }));
  await waitFor(() => expect(edit.mock.calls[1]?.[0].edits).toEqual([{ path: ["prices", "router/*"] }]));
});
