import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createFakeServer, type FakeAnswers, FakeApiError, FakeConsole } from "@/components/trpc/fake-console";
import type { ConfigEvaluation } from "@/server/runs/config-view.schema";
import { buildAgentRun } from "@/server/testing/build-agent-run";
import { buildConfig, buildProviderRow } from "@/server/testing/build-config";
import { NewAgentRunPage } from "./new-agent-run-page";

const push = vi.fn();
vi.mock("next/navigation", () => ({ useRouter: () => ({ push }) }));

beforeEach(() => {
  push.mockReset();
  sessionStorage.clear();
  vi.stubGlobal(
    "ResizeObserver",
    class {
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  );
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

type Create = NonNullable<NonNullable<FakeAnswers["agents"]>["create"]>;

const CODEX = buildProviderRow({
  name: "codex",
  profile: "codex",
  kind: "codex-app-server-stdio",
  defaultModel: "gpt-6.2-sol",
  apiKey: "env:OPENAI_API_KEY",
  keyState: "missing",
  needsKey: true,
});
const DEEPSEEK = buildProviderRow({
  ...CODEX,
  name: "deepseek",
  profile: "deepseek",
  defaultModel: "deepseek-flash",
  keyState: "set",
});
const RULES: ConfigEvaluation["agents"] = {
  backends: null,
  workspaces: ["/srv/repos"],
  sandbox: "workspace-write",
  network: false,
  timeoutMs: 3_600_000,
};

function show(part: Partial<ConfigEvaluation> = {}, create: Create = () => buildAgentRun({ id: "run_new" })) {
  const started = vi.fn(create);
  const config = buildConfig({ providers: [buildProviderRow(), CODEX, DEEPSEEK], agents: RULES, ...part });
  const server = createFakeServer({
    agents: { create: started },
    config: { overview: () => config },
    runs: { list: () => ({ items: [], nextCursor: null }) },
  });
  render(
    <FakeConsole server={server}>
      <NewAgentRunPage />
    </FakeConsole>,
  );
  return { started };
}

const task = () => screen.findByLabelText<HTMLTextAreaElement>("What should it do?");
const startButton = () => screen.getByRole("button", { name: "Start" });

describe("the form of an agent run", () => {
  it("starts the narrowest run from a prompt alone, once, and opens it", async () => {
    const { started } = show();
    fireEvent.change(await task(), { target: { value: "Mend the tests" } });
    fireEvent.click(startButton());
    fireEvent.click(startButton());
    await waitFor(() => expect(push.mock.calls).toEqual([["/runs/run_new"]]));
    expect(started.mock.calls).toEqual([
      [
        {
          kind: "thread",
          workflow: "agent",
          backend: "codex",
          prompt: "Mend the tests",
          executionPolicy: { sandbox: "read-only", network: false, approval: "never", timeoutMs: 1_800_000, approvalMs: 600_000 },
        },
      ],
    ]);
    expect(sessionStorage.getItem("switchyard-new-agent-run")).toBeNull();
  });

  it("offers the providers that work as agents, and says which key is missing", async () => {
    show({ agents: { ...RULES, backends: ["codex"] } });
    await task();
    const provider = screen.getByLabelText<HTMLSelectElement>("Provider");
    expect([...provider.options].map(({ text, disabled }) => [text, disabled])).toEqual([
      ["codex", false],
      ["deepseek · not listed in agents.backends", true],
    ]);
    expect(screen.getByText("Key env:OPENAI_API_KEY: missing")).toBeTruthy();
    expect(screen.getByText("Requests to codex will fail until its key is set on the server.")).toBeTruthy();
    expect(screen.getByText("Empty means gpt-6.2-sol.")).toBeTruthy();
  });

  it("says why what the configuration forbids cannot be chosen", async () => {
    show();
    await task();
    const full = screen.getByRole<HTMLInputElement>("radio", { name: "No sandbox" });
    expect(full.getAttribute("aria-disabled")).toBe("true");
    fireEvent.click(full);
    expect(full.checked).toBe(false);
    expect(screen.getByText("agents.sandbox of the configuration allows no more than “Writes in its workspace”.")).toBeTruthy();
    const network = screen.getByRole<HTMLInputElement>("checkbox", { name: "Commands may use the network" });
    fireEvent.click(network);
    expect(network.checked).toBe(false);
    expect(screen.getByText("agents.network of the configuration does not allow it.")).toBeTruthy();
    expect(screen.getByText(/Allowed: \/srv\/repos$/)).toBeTruthy();
    expect(screen.getByText("More than 0, at most 60")).toBeTruthy();
    const writes = screen.getByRole<HTMLInputElement>("radio", { name: "Writes in its workspace" });
    fireEvent.click(writes);
    expect(writes.checked).toBe(true);
  });

  it("asks for the time of an answer only where somebody is asked", async () => {
    show();
    await task();
    expect(screen.queryByLabelText("Time for an answer (minutes)")).toBeNull();
    fireEvent.change(screen.getByLabelText("Questions"), { target: { value: "on-request" } });
    expect(screen.getByLabelText("Time for an answer (minutes)")).toBeTruthy();
    expect(screen.getByText("A person decides when it wants to do more than the sandbox allows.")).toBeTruthy();
  });

  it("shows a refusal of the server whole, and lets one try again", async () => {
    const refusal =
      "The workspace /etc lies in none of the folders that agents.workspaces allows (/srv/repos). Network access is not allowed: set agents.network to true in the configuration first.";
    const { started } = show({}, () => {
      throw new FakeApiError("policy_refused", refusal);
    });
    fireEvent.change(await task(), { target: { value: "Look around" } });
    fireEvent.change(screen.getByLabelText("Workspace"), { target: { value: "/etc" } });
    fireEvent.click(startButton());
    expect((await screen.findByRole("alert")).textContent).toBe(
      `The start did not workThe policy asks for more than this server allows. ${refusal}`,
    );
    fireEvent.click(startButton());
    await waitFor(() => expect(started).toHaveBeenCalledTimes(2));
  });

  it("keeps the draft over a reload", async () => {
    show();
    fireEvent.change(await task(), { target: { value: "half a thought" } });
    cleanup();
    show();
    expect((await task()).value).toBe("half a thought");
  });

  it("explains what to add where no provider works as an agent", async () => {
    show({ providers: [buildProviderRow()] });
    expect(await screen.findByRole("heading", { name: "No provider works as an agent yet" })).toBeTruthy();
    expect(screen.getByRole("region", { name: "What to add, as YAML" }).textContent).toContain("minimax-m3:\n    apiKey: env:");
    expect(screen.getByRole("link", { name: "Open the configuration as YAML" }).getAttribute("href")).toBe("/config/yaml");
  });

  it("says so where the configuration lets none of them", async () => {
    show({ agents: { ...RULES, backends: ["other"] } });
    expect(
      await screen.findByText(
        "There are providers that work as agents (codex and deepseek), but agents.backends of the configuration lists none of them.",
      ),
    ).toBeTruthy();
  });
});
