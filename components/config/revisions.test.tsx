import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { FakeApiError } from "@/components/trpc/fake-console";
import { stubBrowser } from "@/components/ui/testing-browser";
import { DRAFT_KEY } from "./draft-storage";
import { RevisionPage } from "./revision-page";
import { RevisionsPage } from "./revisions-page";
import { buildRevision, DOCUMENT_TEXT } from "./testing-evaluation";
import { type ConfigAnswers, showConfig } from "./testing-page";

const push = vi.fn();
let address = new URLSearchParams();
vi.mock("next/navigation", () => ({
  useRouter: () => ({ push }),
  usePathname: () => "/config/revisions",
  useSearchParams: () => address,
}));
vi.mock("next/dynamic", async () => {
  const { RevisionDialog } = await import("./revision-dialog");
  return {
    default: (load: () => Promise<unknown>) => (load.toString().includes("revision-dialog") ? RevisionDialog : () => null),
  };
});

const OLD_TEXT = DOCUMENT_TEXT.replace("mock/mock-1", "openai/older");

beforeEach(() => {
  push.mockReset();
  address = new URLSearchParams();
  localStorage.clear();
  stubBrowser();
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function summary(number: number) {
  const { text: _text, ...rest } = buildRevision({ number, comment: `change ${number}` });
  return rest;
}

describe("the list of revisions", () => {
  it("shows the newest first and older ones on demand", async () => {
    const revisions = vi.fn<NonNullable<ConfigAnswers["revisions"]>>(({ cursor }) =>
      cursor ? { items: [summary(6)], nextBefore: null } : { items: [summary(8), summary(7)], nextBefore: 7 },
    );
    showConfig(<RevisionsPage />, { answers: { revisions } });
    const list = await screen.findByRole("list", { name: "Revisions" });
    await waitFor(() => expect(within(list).getAllByRole("listitem")).toHaveLength(2));
    const [first] = within(list).getAllByRole("listitem");
    expect(first?.textContent).toContain("Revision 8change 8NewestAnnconsole120 B");
    fireEvent.click(screen.getByRole("button", { name: "Show older ones" }));
    await waitFor(() => expect(within(list).getAllByRole("listitem")).toHaveLength(3));
    expect(revisions.mock.calls[1]?.[0]).toMatchObject({ cursor: 7 });
    expect(within(list).getByRole("link", { name: "Revision 6 by Ann" }).getAttribute("href")).toBe("/config/revisions/6");
  });
});

describe("a revision", () => {
  const revision: ConfigAnswers["revision"] = ({ number }) =>
    buildRevision({ number, text: number < 7 ? OLD_TEXT : DOCUMENT_TEXT });

  it("shows what it changed", async () => {
    showConfig(<RevisionPage number="7" />, { answers: { revision } });
    expect((await screen.findByRole("region", { name: "What it changed" })).textContent).toContain(
      "added:  extract: mock/mock-1",
    );
  });

  it("shows how it differs from the newest, and its text", async () => {
    address = new URLSearchParams("show=current");
    showConfig(<RevisionPage number="6" />, { answers: { revision } });
    expect((await screen.findByRole("region", { name: "Difference to the newest" })).textContent).toContain(
      "removed:  extract: openai/older",
    );
    cleanup();
    address = new URLSearchParams("show=text");
    showConfig(<RevisionPage number="6" />, { answers: { revision } });
    expect((await screen.findByRole("region", { name: "Configuration as YAML" })).textContent).toBe(OLD_TEXT);
  });

  it("that does not exist is not asked for", async () => {
    const asked = vi.fn(revision);
    for (const number of ["99", "0", "two"]) {
      showConfig(<RevisionPage number={number} />, { answers: { revision: asked } });
      expect(await screen.findByRole("heading", { name: `There is no revision ${number}` })).toBeTruthy();
      cleanup();
    }
    expect(asked).not.toHaveBeenCalled();
  });

  it("is rolled back to with a name and a reason, on top of the newest", async () => {
    const rollback = vi.fn<NonNullable<ConfigAnswers["rollback"]>>(() => buildRevision({ number: 9, text: OLD_TEXT }));
    const { impact } = showConfig(<RevisionPage number="6" />, { answers: { revision, rollback } });
    fireEvent.click(await screen.findByRole("button", { name: "Roll back" }));
    const dialog = await screen.findByRole("dialog", { name: "Roll back to revision 6?" });
    await waitFor(() => expect(impact).toHaveBeenCalledWith({ text: OLD_TEXT }));
    fireEvent.change(within(dialog).getByLabelText("Your name"), { target: { value: "Ben" } });
    fireEvent.change(within(dialog).getByLabelText("What and why"), { target: { value: "It was better" } });
    fireEvent.click(within(dialog).getByRole("button", { name: "Roll back" }));
    await waitFor(() => expect(push).toHaveBeenCalledWith("/config/revisions"));
    expect(rollback).toHaveBeenCalledExactlyOnceWith({ to: 6, baseRevision: 8, author: "Ben", comment: "It was better" });
  });

  it("is not rolled back to when somebody saved meanwhile: that is looked at first", async () => {
    const { current } = showConfig(<RevisionPage number="6" />, {
      answers: {
        revision,
        rollback: () => {
          throw new FakeApiError("conflict", "Revision 9 was saved meanwhile.", { current: 9 });
        },
      },
    });
    fireEvent.click(await screen.findByRole("button", { name: "Roll back" }));
    const dialog = await screen.findByRole("dialog", { name: "Roll back to revision 6?" });
    fireEvent.change(within(dialog).getByLabelText("Your name"), { target: { value: "Ben" } });
    fireEvent.click(within(dialog).getByRole("button", { name: "Roll back" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(current.mock.calls.length).toBeGreaterThan(1);
    expect(push).not.toHaveBeenCalled();
  });

  it("can be edited as a draft on the newest", async () => {
    showConfig(<RevisionPage number="6" />, { answers: { revision } });
    fireEvent.click(await screen.findByRole("button", { name: "Edit as a draft" }));
    expect(JSON.parse(localStorage.getItem(DRAFT_KEY) ?? "{}")).toMatchObject({ text: OLD_TEXT, baseRevision: 8 });
    expect(push).toHaveBeenCalledWith("/config/yaml");
  });
});
