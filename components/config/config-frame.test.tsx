import { act, cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { FakeApiError } from "@/components/trpc/fake-console";
import { stubBrowser } from "@/components/ui/testing-browser";
import { DRAFT_KEY } from "./draft-storage";
import { MergePage } from "./merge-page";
import { buildRevision, DOCUMENT_TEXT } from "./testing-evaluation";
import { type ConfigAnswers, showConfig } from "./testing-page";

const push = vi.fn();
vi.mock("next/navigation", () => ({ useRouter: () => ({ push }), usePathname: () => "/config" }));
// Loaded when it is shown; here it would come too late or not at all.
vi.mock("next/dynamic", async () => {
  const { SaveDialog } = await import("./save-dialog");
  return { default: (load: () => Promise<unknown>) => (load.toString().includes("save-dialog") ? SaveDialog : () => null) };
});

const MINE = DOCUMENT_TEXT.replace("mock/mock-1", "openai/mine");
const THEIRS = DOCUMENT_TEXT.replace("default: openai/gpt-4o-mini", "default: openai/theirs");

function keepDraft(text: string, baseRevision: number): void {
  localStorage.setItem(DRAFT_KEY, JSON.stringify({ text, baseRevision, startedAt: "2026-11-30T09:00:00.000Z" }));
}

const keptDraft = () => JSON.parse(localStorage.getItem(DRAFT_KEY) ?? "null");

beforeEach(() => {
  push.mockReset();
  localStorage.clear();
  stubBrowser();
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const saveButton = () => screen.findByRole("button", { name: "Save…" });
const reasonOf = (button: HTMLElement) => document.getElementById(button.getAttribute("aria-describedby") ?? "")?.textContent;

describe("the draft", () => {
  it("is found again, with its time and its base, and evaluated", async () => {
    keepDraft(MINE, 8);
    const { evaluate } = showConfig(null);
    expect(
      await screen.findByText("You have an unsaved draft from 30 Nov 2026, 09:00:00 UTC, based on revision 8."),
    ).toBeTruthy();
    await waitFor(() => expect(evaluate).toHaveBeenCalledWith({ text: MINE }));
  });

  it("is there after an error of the server", async () => {
    keepDraft(MINE, 8);
    showConfig(null, {
      answers: {
        evaluate: () => {
          throw new FakeApiError("internal", "Broken.");
        },
      },
    });
    expect((await screen.findByRole("alert")).textContent).toBe(
      "The server could not look at the textSomething broke on the server; its log says what. Your draft is kept.Try again",
    );
    expect(keptDraft()).toMatchObject({ text: MINE });
  });

  it("goes when it is discarded, after a question", async () => {
    keepDraft(MINE, 8);
    const { evaluate } = showConfig(null);
    fireEvent.click(await screen.findByRole("button", { name: "Discard" }));
    fireEvent.click(within(await screen.findByRole("alertdialog")).getByRole("button", { name: "Discard" }));
    expect(screen.queryByText(/You have an unsaved draft/)).toBeNull();
    expect(keptDraft()).toBeNull();
    await waitFor(() => expect(evaluate.mock.calls.at(-1)?.[0]).toEqual({ revision: 8 }));
    expect(reasonOf(await saveButton())).toBe("Nothing was changed");
  });

  it("is another's revision away from being stale, and says whose", async () => {
    keepDraft(MINE, 7);
    showConfig(null);
    expect((await screen.findByText(/^Revision 8 by Ann was saved meanwhile/)).textContent).toBe(
      "Revision 8 by Ann was saved meanwhile, 30 Nov 2026, 10:00:00 UTC.",
    );
    fireEvent.click(await saveButton());
    expect(push).toHaveBeenCalledWith("/config/merge");
  });

  it("is not saved while it has errors", async () => {
    keepDraft(MINE, 8);
    showConfig(null, {
      evaluation: {
        usable: false,
        problems: [
          { severity: "error", code: "unknown_provider", path: "models.x", line: 3, column: 1, message: "No.", details: {} },
        ],
      },
    });
    await screen.findByText("1 error");
    await waitFor(async () => expect(reasonOf(await saveButton())).toBe("Mend the error first"));
  });
});

describe("saving", () => {
  const fill = async (author: string, comment: string) => {
    const dialog = await screen.findByRole("dialog", { name: "Save a new revision" });
    fireEvent.change(within(dialog).getByLabelText("Your name"), { target: { value: author } });
    fireEvent.change(within(dialog).getByLabelText("What and why"), { target: { value: comment } });
    return dialog;
  };
  const open = async () => {
    await waitFor(async () => expect((await saveButton()).getAttribute("aria-disabled")).toBeNull());
    fireEvent.click(await saveButton());
  };

  it("asks who and why, shows what changes and what that means, and keeps the name", async () => {
    keepDraft(MINE, 8);
    const save = vi.fn<NonNullable<ConfigAnswers["save"]>>((input) =>
      buildRevision({ number: 9, text: input.text, author: input.author }),
    );
    const current = vi
      .fn<NonNullable<ConfigAnswers["current"]>>(() => ({ ...buildRevision({ number: 9, text: MINE }), file: null }))
      .mockImplementationOnce(() => ({ ...buildRevision(), file: null }));
    showConfig(null, {
      answers: {
        save,
        current,
        impact: () => ({
          scenes: [{ scene: "extract", before: "mock/mock-1", after: "openai/mine" }],
          providers: [{ name: "openai", change: "changed" }],
          prices: [{ reference: "openai/*", change: "added" }],
          limits: [
            { path: "maxRounds", before: 20, after: 30 },
            { path: "agents.backends", before: null, after: ["codex", "mock"] },
            { path: "agents.network", before: false, after: true },
            { path: "agents.workspaces", before: ["/srv/a"], after: [] },
            { path: "agents.timeoutMs", before: 3_600_000, after: 60_000 },
          ],
          runs: [{ id: "run_a", name: "Day one", status: "running", scene: "extract", revision: 7 }],
          runCount: 12,
        }),
      },
    });
    await open();
    const dialog = await fill("", "");
    fireEvent.click(within(dialog).getByRole("button", { name: "Save" }));
    expect(within(dialog).getByText("Others will want to know whose change this is.")).toBeTruthy();
    expect((await within(dialog).findByRole("list", { name: "Scenes that get another model" })).textContent).toBe(
      "extractmock/mock-1becomesopenai/mine",
    );
    expect(within(dialog).getByText("openai is changed")).toBeTruthy();
    expect(within(dialog).getByRole("list", { name: "Prices that change, for earlier runs too" }).textContent).toBe(
      "The price of openai/* is added",
    );
    const limits = within(dialog).getByRole("list", { name: "For runs that are ordered from now on" });
    expect(
      within(limits)
        .getAllByRole("listitem")
        .map((item) => item.textContent),
    ).toEqual([
      "maxRounds20becomes30",
      "agents.backendsallbecomescodex, mock",
      "agents.networkoffbecomeson",
      "agents.workspaces/srv/abecomes—",
      "agents.timeoutMs1h 0mbecomes1m 0s",
    ]);
    expect(within(dialog).getByText("12 runs that are not over keep the revision they started with:")).toBeTruthy();
    expect(within(dialog).getByText("and 11 more")).toBeTruthy();
    const difference = within(dialog).getByRole("region", { name: "What changes in the text" }).textContent;
    expect(difference).toContain("removed:  extract: mock/mock-1");
    expect(difference).toContain("added:  extract: openai/mine");
    await fill(" Ben ", "The mock is over");
    fireEvent.click(within(dialog).getByRole("button", { name: "Save" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(save).toHaveBeenCalledExactlyOnceWith({ text: MINE, baseRevision: 8, author: "Ben", comment: "The mock is over" });
    expect(keptDraft()).toBeNull();
    expect(localStorage.getItem("switchyard-author")).toBe("Ben");
    expect(
      await screen.findByText("Revision 9 by Ben", { exact: false }).catch(() => screen.findByText(/^Revision 9/)),
    ).toBeTruthy();
  });

  it("leads to the three-way view when somebody was faster, with the draft as it was", async () => {
    keepDraft(MINE, 8);
    const current = vi
      .fn<NonNullable<ConfigAnswers["current"]>>(() => ({
        ...buildRevision({ number: 9, text: THEIRS, author: "Cay" }),
        file: null,
      }))
      .mockImplementationOnce(() => ({ ...buildRevision(), file: null }));
    showConfig(null, {
      answers: {
        current,
        save: () => {
          throw new FakeApiError("conflict", "Revision 9 was saved meanwhile.", { current: 9 });
        },
      },
    });
    await open();
    const dialog = await fill("Ben", "");
    fireEvent.click(within(dialog).getByRole("button", { name: "Save" }));
    await waitFor(() => expect(push).toHaveBeenCalledWith("/config/merge"));
    expect(await screen.findByText(/^Revision 9 by Cay was saved meanwhile/)).toBeTruthy();
    expect(keptDraft()).toMatchObject({ text: MINE, baseRevision: 8 });
  });
});

describe("the three-way view", () => {
  const show = () => {
    keepDraft(MINE, 8);
    return showConfig(<MergePage />, {
      revision: { number: 9, text: THEIRS, author: "Cay" },
      answers: { revision: ({ number }) => buildRevision({ number }) },
    });
  };

  it("shows what each side changed since the common base", async () => {
    show();
    const theirs = await screen.findByRole("region", { name: "What they changed" });
    await waitFor(() => expect(theirs.textContent).toContain("added:  default: openai/theirs"));
    const mine = screen.getAllByRole("region", { name: "What you changed" })[0];
    expect(mine?.textContent).toContain("added:  extract: openai/mine");
    expect(mine?.textContent).not.toContain("openai/theirs");
  });

  it("puts my changes on top of theirs", async () => {
    show();
    const keep = () => screen.getByRole("button", { name: "Keep mine, on top of theirs" });
    await waitFor(() => expect(keep().getAttribute("aria-disabled")).toBeNull());
    fireEvent.click(keep());
    expect(keptDraft()).toMatchObject({
      baseRevision: 9,
      text: THEIRS.replace("mock/mock-1", "openai/mine"),
    });
    expect(push).toHaveBeenCalledWith("/config/yaml");
  });

  it("takes theirs only after a question, for the draft is lost then", async () => {
    show();
    fireEvent.click(await screen.findByRole("button", { name: "Take theirs" }));
    expect(keptDraft()).not.toBeNull();
    fireEvent.click(within(await screen.findByRole("alertdialog")).getByRole("button", { name: "Take theirs" }));
    expect(keptDraft()).toBeNull();
  });

  it("has nothing to do for a draft on the newest revision", async () => {
    keepDraft(MINE, 8);
    showConfig(<MergePage />);
    expect(await screen.findByText("Your draft is based on the newest revision.")).toBeTruthy();
  });
});

const EDITED_AFTER = "The document was edited here after /etc/s.yaml was imported; the file is as it was.";

describe("the file beside the document", () => {
  it("in conflict, is shown as a difference and can become the draft", async () => {
    showConfig(null, {
      answers: {
        current: () => ({
          ...buildRevision(),
          file: { path: "/etc/switchyard.yaml", state: "conflict", importedRevision: 3, message: "Both changed.", text: THEIRS },
        }),
      },
    });
    const banner = await screen.findByRole("region", { name: "The configuration file and the document differ" });
    expect(banner.textContent).toContain("The file /etc/switchyard.yaml was changed, and so was the document (revision 8).");
    expect(banner.textContent).toContain("added:  default: openai/theirs");
    fireEvent.click(within(banner).getByRole("button", { name: "Take the file" }));
    expect(keptDraft()).toMatchObject({ text: THEIRS, baseRevision: 8 });
  });

  it("in conflict, can be left as it is: the document counts then", async () => {
    const file = { path: "/etc/s.yaml", state: "conflict", importedRevision: 3, message: "", text: THEIRS } as const;
    const current = vi
      .fn<NonNullable<ConfigAnswers["current"]>>(() => ({
        ...buildRevision(),
        file: { ...file, state: "superseded", message: EDITED_AFTER, text: null },
      }))
      .mockImplementationOnce(() => ({ ...buildRevision(), file }));
    const keepDocument = vi.fn<NonNullable<ConfigAnswers["keepDocument"]>>(() => null);
    showConfig(null, { answers: { current, keepDocument } });
    fireEvent.click(await screen.findByRole("button", { name: "Keep ours" }));
    expect(await screen.findByText(EDITED_AFTER)).toBeTruthy();
    expect(keepDocument).toHaveBeenCalledTimes(1);
    expect(keptDraft()).toBeNull();
  });

  it("that cannot be used is named", async () => {
    showConfig(null, {
      answers: {
        current: () => ({
          ...buildRevision(),
          file: { path: "/etc/s.yaml", state: "broken", importedRevision: 3, message: "Line 2 is not YAML.", text: null },
        }),
      },
    });
    expect(await screen.findByText("The file /etc/s.yaml cannot be used, so revision 3 of it still counts.")).toBeTruthy();
    expect(screen.getByText("Line 2 is not YAML.")).toBeTruthy();
  });
});

it("takes over a draft that another tab changed", async () => {
  const { evaluate } = showConfig(null);
  await saveButton();
  keepDraft(MINE, 8);
  act(() => {
    window.dispatchEvent(new StorageEvent("storage", { key: DRAFT_KEY, newValue: localStorage.getItem(DRAFT_KEY) }));
  });
  expect(await screen.findByText(/You have an unsaved draft/)).toBeTruthy();
  await waitFor(() => expect(evaluate).toHaveBeenCalledWith({ text: MINE }));
});
