import { act, cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { NuqsTestingAdapter, type OnUrlUpdateFunction } from "nuqs/adapters/testing";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createFakeServer, type FakeAnswers, FakeApiError, FakeConsole } from "@/components/trpc/fake-console";
import { stubBrowser } from "@/components/ui/testing-browser";
import type { RunSummary } from "@/server/runs/run.schema";
import { buildConfig } from "@/server/testing/build-config";
import { buildRunSummary } from "@/server/testing/build-run-detail";
import { RunsPage } from "./runs-page";

const push = vi.fn();
vi.mock("next/navigation", () => ({ useRouter: () => ({ push }) }));

const MANY_PIXELS = 800;

beforeEach(() => {
  push.mockReset();
  // jsdom lays nothing out: the list is told how tall its rows are, and that the screen is wide.
  stubBrowser();
  vi.spyOn(HTMLElement.prototype, "offsetHeight", "get").mockReturnValue(56);
  vi.spyOn(window, "innerHeight", "get").mockReturnValue(MANY_PIXELS);
  vi.spyOn(window, "scrollTo").mockReturnValue(undefined);
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function buildRun(part: Partial<RunSummary> = {}): RunSummary {
  return buildRunSummary({
    id: "run_b",
    status: "running",
    counts: { total: 10, queued: 5, running: 1, succeeded: 4, failed: 0, cancelled: 0 },
    updatedAt: "2026-11-30T10:00:02.000Z",
    ...part,
  });
}

function show(runs: RunSummary[], options: { search?: string; answers?: NonNullable<FakeAnswers["runs"]> } = {}) {
  const list = vi.fn<NonNullable<NonNullable<FakeAnswers["runs"]>["list"]>>(() => ({ items: [...runs], nextCursor: null }));
  const onUrlUpdate = vi.fn<OnUrlUpdateFunction>();
  const server = createFakeServer({ runs: { list, ...options.answers }, config: { overview: () => buildConfig() } });
  render(
    <NuqsTestingAdapter hasMemory searchParams={options.search ?? ""} onUrlUpdate={onUrlUpdate}>
      <FakeConsole server={server}>
        <RunsPage />
      </FakeConsole>
    </NuqsTestingAdapter>,
  );
  return { list, onUrlUpdate, stream: server.stream };
}

const openMenu = async (name: string) => {
  fireEvent.click(await screen.findByRole("button", { name: `Actions for ${name}` }));
  return screen.findByRole("menu");
};

it("says how many models beside the first one a run may ask, and names them all", async () => {
  show([buildRun({ candidates: ["mock/mock-1", "loop/fast", "deep/slow"] }), buildRun({ id: "run_a", name: "Day two" })]);
  await screen.findByRole("link", { name: "Day one" });
  const [, several, one] = screen.getAllByRole("row");
  if (!several || !one) throw new Error("two runs make two rows");
  const named = within(several).getByTitle("mock/mock-1, loop/fast and deep/slow");
  expect(named.textContent).toBe("mock-1+2and 2 more models");
  expect(within(one).getByTitle("mock/mock-1").textContent).toBe("mock-1");
});

describe("filters and the address", () => {
  it("are read from the address and sent to the server", async () => {
    const { list } = show([buildRun()], { search: "?status=failed,running&backend=mock&q=day" });
    await screen.findByRole("link", { name: "Day one" });
    expect(list.mock.calls[0]?.[0]).toMatchObject({ status: ["failed", "running"], backend: "mock", search: "day" });
    expect(screen.getByRole("button", { name: "Failed" }).getAttribute("aria-pressed")).toBe("true");
    expect(screen.getByRole("button", { name: "Paused" }).getAttribute("aria-pressed")).toBe("false");
    expect(screen.getByLabelText<HTMLSelectElement>("Backend").value).toBe("mock");
    expect(screen.getByLabelText<HTMLInputElement>("Search runs by name or id").value).toBe("day");
  });

  it("go into the address when they change, and out of it when they are cleared", async () => {
    const { list, onUrlUpdate } = show([buildRun()]);
    await screen.findByRole("link", { name: "Day one" });
    fireEvent.click(screen.getByRole("button", { name: "Failed" }));
    fireEvent.click(screen.getByRole("button", { name: "Paused" }));
    await waitFor(() => expect(onUrlUpdate.mock.lastCall?.[0].queryString).toBe("?status=failed,paused"));
    await waitFor(() => expect(list.mock.lastCall?.[0]).toMatchObject({ status: ["failed", "paused"] }));
    fireEvent.click(screen.getByRole("button", { name: "Clear filters" }));
    await waitFor(() => expect(onUrlUpdate.mock.lastCall?.[0].queryString).toBe(""));
  });

  it("ignore what is no status", async () => {
    const { list } = show([buildRun()], { search: "?status=nonsense" });
    await screen.findByRole("link", { name: "Day one" });
    expect(list.mock.calls[0]?.[0]).not.toHaveProperty("status");
  });
});

describe("an empty list", () => {
  it("says what this is when there is no run yet, with both ways to begin", async () => {
    show([]);
    expect(await screen.findByRole("heading", { name: "No run yet" })).toBeTruthy();
    expect(screen.getByRole("link", { name: "New run" }).getAttribute("href")).toBe("/runs/new");
    expect(screen.getByRole("button", { name: "Run the sample" })).toBeTruthy();
  });

  it("offers to clear the filters when none matches", async () => {
    show([], { search: "?q=zzz" });
    expect(await screen.findByText("No run matches the filters")).toBeTruthy();
    expect(screen.queryByText("No run yet")).toBeNull();
  });
});

describe("a list that cannot be loaded", () => {
  it("says why, and loads when asked again", async () => {
    let fails = true;
    show([], {
      answers: {
        list: () => {
          if (fails) throw new FakeApiError("store_unavailable", "The disk is full.");
          return { items: [buildRun()], nextCursor: null };
        },
      },
    });
    expect((await screen.findByRole("alert")).textContent).toContain(
      "The store cannot be written at the moment. The disk is full.",
    );
    fails = false;
    fireEvent.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByRole("link", { name: "Day one" })).toBeTruthy();
  });
});

describe("live changes", () => {
  it("replace a run in place, and older news changes nothing", async () => {
    const { stream } = show([buildRun({ id: "run_c", name: "Newer" }), buildRun()]);
    await screen.findByRole("link", { name: "Day one" });
    act(() => {
      stream.send({ id: "9", data: buildRun({ status: "incomplete", lastSeq: 9 }) });
    });
    act(() => {
      stream.send({ id: "9", data: buildRun({ status: "queued", lastSeq: 3 }) });
    });
    const rows = screen.getAllByRole("row").slice(1);
    await waitFor(() => expect(within(rows[1] ?? document.body).getByText("Incomplete")).toBeTruthy());
    expect(rows.map((row) => within(row).getByRole("link").textContent)).toEqual(["Newer", "Day one"]);
  });

  it("count new runs instead of moving the rows, until the operator asks", async () => {
    const runs = [buildRun()];
    const { stream } = show(runs);
    await screen.findByRole("link", { name: "Day one" });
    const fresh = buildRun({ id: "run_d", name: "Fresh" });
    act(() => {
      stream.send({ id: "10", data: fresh });
    });
    act(() => {
      stream.send({ id: "11", data: { ...fresh, lastSeq: 6 } });
    });
    const button = await screen.findByRole("button", { name: "1 new run · Show" });
    expect(screen.queryByRole("link", { name: "Fresh" })).toBeNull();
    runs.unshift(fresh);
    fireEvent.click(button);
    expect(await screen.findByRole("link", { name: "Fresh" })).toBeTruthy();
    expect(screen.queryByRole("button", { name: /new run ·/ })).toBeNull();
  });
});

describe("an agent run", () => {
  it("is marked, counts turns instead of chunks, and says that it waits for a person", async () => {
    show([
      buildRun({ id: "run_c", name: "Mend it", kind: "thread", turns: 2, waitingFor: "approval", scene: null }),
      buildRun({ waitingFor: null }),
    ]);
    const cells = async (name: string) => {
      const row = (await screen.findByRole("link", { name })).closest("tr");
      return [...(row?.querySelectorAll("td") ?? [])].map((cell) => cell.textContent);
    };
    const [status, name, , progress, failed, retries] = await cells("Mend it");
    expect([status, progress, failed, retries]).toEqual(["RunningWaits for you", "2 turns", "—", "—"]);
    expect(name).toMatch(/^Mend itAgent run/);
    const [plainStatus, plainName] = await cells("Day one");
    expect(plainStatus).toBe("Running");
    expect(plainName).not.toContain("Agent run");
  });
});

describe("actions of a row", () => {
  it("say why they are not possible", async () => {
    show([buildRun()]);
    const menu = await openMenu("Day one");
    const item = (name: string) => within(menu).getByRole("menuitem", { name: new RegExp(`^${name}`) });
    expect(item("Resume").getAttribute("aria-disabled")).toBe("true");
    expect(item("Resume").textContent).toBe("ResumeNot possible while the run is: Running");
    expect(item("Retry failed chunks").textContent).toBe("Retry failed chunksNo chunk has failed");
    expect(item("Pause").getAttribute("aria-disabled")).toBeNull();
  });

  it("are confirmed with their effect, and carry the reason", async () => {
    const cancel = vi.fn(() => buildRun({ status: "cancelled", lastSeq: 9 }));
    show([buildRun()], { answers: { cancel } });
    const menu = await openMenu("Day one");
    fireEvent.click(within(menu).getByRole("menuitem", { name: /^Cancel run/ }));
    const dialog = await screen.findByRole("alertdialog", { name: "Cancel this run?" });
    expect(dialog.textContent).toContain("6 chunks that are not done are given up");
    fireEvent.change(within(dialog).getByLabelText("Reason (optional)"), { target: { value: " wrong file " } });
    fireEvent.click(within(dialog).getByRole("button", { name: "Cancel the run" }));
    await waitFor(() => expect(cancel).toHaveBeenCalledWith({ id: "run_b", reason: "wrong file" }));
    await waitFor(() => expect(screen.queryByRole("alertdialog")).toBeNull());
    expect(within(screen.getByRole("table")).getByText("Cancelled")).toBeTruthy();
  });

  it("offer an agent run only what it has", async () => {
    show([buildRun({ kind: "thread", turns: 2, waitingFor: "approval", scene: null })]);
    const menu = await openMenu("Day one");
    expect(
      within(menu)
        .getAllByRole("menuitem")
        .map((item) => item.textContent),
    ).toEqual(["Cancel run"]);
  });

  it("open the run when the row is pressed beside its controls", async () => {
    show([buildRun()]);
    await screen.findByRole("link", { name: "Day one" });
    fireEvent.click(screen.getByText("mock-1"));
    expect(push).toHaveBeenCalledWith("/runs/run_b");
  });
});
