import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { stubBrowser } from "@/components/ui/testing-browser";
import { LimitsPage } from "./limits-page";
import { showConfig } from "./testing-page";

vi.mock("next/navigation", () => ({ useRouter: () => ({ push: vi.fn() }), usePathname: () => "/config/limits" }));

beforeEach(() => {
  localStorage.clear();
  stubBrowser();
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it("changes a limit when its field is left, and an emptied one goes back to the usual", async () => {
  const { edit } = showConfig(<LimitsPage />);
  const rounds = await screen.findByLabelText("Rounds of a workflow");
  fireEvent.change(rounds, { target: { value: "50" } });
  expect(edit).not.toHaveBeenCalled();
  fireEvent.blur(rounds);
  await waitFor(() => expect(edit.mock.calls[0]?.[0].edits).toEqual([{ path: ["maxRounds"], value: 50 }]));
  const interval = screen.getByLabelText("Rounds between two looks");
  fireEvent.change(interval, { target: { value: "" } });
  fireEvent.keyDown(interval, { key: "Enter" });
  await waitFor(() => expect(edit.mock.calls[1]?.[0].edits).toEqual([{ path: ["supervisor", "interval"] }]));
});

it("does not write what is out of range, and says the range", async () => {
  const { edit } = showConfig(<LimitsPage />);
  const depth = await screen.findByLabelText("Depth of a workflow");
  fireEvent.change(depth, { target: { value: "17" } });
  fireEvent.blur(depth);
  expect(screen.getByText("A whole number from 0 to 16")).toBeTruthy();
  expect(edit).not.toHaveBeenCalled();
});

it("switches the supervisor, and names the workflows", async () => {
  const { edit } = showConfig(<LimitsPage />);
  fireEvent.click(await screen.findByLabelText("Supervise workflows"));
  await waitFor(() => expect(edit.mock.calls[0]?.[0].edits).toEqual([{ path: ["supervisor", "enabled"], value: false }]));
  expect(screen.getByText("review")).toBeTruthy();
});
