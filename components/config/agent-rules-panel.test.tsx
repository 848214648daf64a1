import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { stubBrowser } from "@/components/ui/testing-browser";
import type { ConfigEvaluation } from "@/server/runs/config-view.schema";
import { LimitsPage } from "./limits-page";
import { buildProviderRow } from "./testing-evaluation";
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

const AGENTS = { backends: null, workspaces: [], sandbox: "workspace-write", network: false, timeoutMs: 86_400_000 } as const;

async function show(part: Partial<ConfigEvaluation["agents"]> = {}) {
  const codex = { kind: "codex-app-server-stdio" } as const;
  const { edit } = showConfig(<LimitsPage />, {
    evaluation: {
      agents: { ...AGENTS, workspaces: [], ...part },
      providers: [
        buildProviderRow(),
        buildProviderRow({ name: "codex", ...codex }),
        buildProviderRow({ name: "deepseek", ...codex }),
      ],
    },
  });
  await screen.findByText("Agent runs");
  return async (act: () => void) => {
    const before = edit.mock.calls.length;
    act();
    await waitFor(() => expect(edit.mock.calls.length).toBe(before + 1));
    return edit.mock.calls.at(-1)?.[0].edits;
  };
}

const folder = () => screen.getByLabelText<HTMLInputElement>("Folder that agents may work in");
const add = (text: string) => {
  fireEvent.change(folder(), { target: { value: text } });
  fireEvent.click(screen.getByRole("button", { name: "Add" }));
};

describe("folders", () => {
  it("the first one makes the list, the next one goes behind it", async () => {
    const editOf = await show();
    expect(await editOf(() => add(" /srv/one "))).toEqual([{ path: ["agents", "workspaces"], value: ["/srv/one"] }]);
    expect(folder().value).toBe("");
    cleanup();
    localStorage.clear();
    const next = await show({ workspaces: ["/srv/one"] });
    expect(await next(() => add("/srv/two"))).toEqual([{ path: ["agents", "workspaces", 1], value: "/srv/two" }]);
  });

  it("one of several goes by its place, the last one with its list", async () => {
    const editOf = await show({ workspaces: ["/srv/one", "/srv/two"] });
    const remove = (name: string) => fireEvent.click(screen.getByRole("button", { name: `Remove ${name}` }));
    expect(await editOf(() => remove("/srv/two"))).toEqual([{ path: ["agents", "workspaces", 1] }]);
    cleanup();
    localStorage.clear();
    const last = await show({ workspaces: ["/srv/one"] });
    expect(await last(() => remove("/srv/one"))).toEqual([{ path: ["agents", "workspaces"] }]);
  });

  it.each([
    ["srv/one", "An absolute path, which begins with a slash"],
    ["/srv/one", "This folder is in the list already"],
  ])("%s is not added, and why is said", async (text, sentence) => {
    await show({ workspaces: ["/srv/one"] });
    add(text);
    expect(screen.getByText(sentence)).toBeTruthy();
    expect(folder().value).toBe(text);
  });
});

describe("providers", () => {
  it("are all that work as agents; leaving one out lists the others, and all of them is the usual again", async () => {
    const editOf = await show();
    const names = screen.getAllByRole<HTMLInputElement>("checkbox").flatMap(({ labels, checked }) => {
      const label = labels?.[0]?.textContent ?? "";
      return /codex|deepseek|openai/.test(label) ? [[label, checked]] : [];
    });
    expect(names).toEqual([
      ["codex", true],
      ["deepseek", true],
    ]);
    expect(await editOf(() => fireEvent.click(screen.getByLabelText("codex")))).toEqual([
      { path: ["agents", "backends"], value: ["deepseek"] },
    ]);
    cleanup();
    localStorage.clear();
    const back = await show({ backends: ["deepseek"] });
    expect(screen.getByText("These and no others, later ones included.")).toBeTruthy();
    expect(await back(() => fireEvent.click(screen.getByLabelText("codex")))).toEqual([{ path: ["agents", "backends"] }]);
  });

  it("that are none can be taken out of the list", async () => {
    const editOf = await show({ backends: ["codex", "gone"] });
    const gone = screen.getByLabelText("gone (no agent by that name)");
    expect(await editOf(() => fireEvent.click(gone))).toEqual([{ path: ["agents", "backends"], value: ["codex"] }]);
  });
});

it("network is a switch; the time of a turn is written in milliseconds, and emptied is the usual", async () => {
  const editOf = await show({ timeoutMs: 600_000 });
  expect(await editOf(() => fireEvent.click(screen.getByLabelText("Runs may reach the network")))).toEqual([
    { path: ["agents", "network"], value: true },
  ]);
  const time = screen.getByLabelText<HTMLInputElement>("Longest turn, in seconds");
  expect(time.value).toBe("600");
  const enter = (value: string) => {
    fireEvent.change(time, { target: { value } });
    fireEvent.blur(time);
  };
  expect(await editOf(() => enter("90"))).toEqual([{ path: ["agents", "timeoutMs"], value: 90_000 }]);
  expect(await editOf(() => enter(""))).toEqual([{ path: ["agents", "timeoutMs"] }]);
  enter("86401");
  expect(screen.getByText("A whole number from 1 to 86,400")).toBeTruthy();
});
