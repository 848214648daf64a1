import { cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { NuqsTestingAdapter } from "nuqs/adapters/testing";
import { toast } from "sonner";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createFakeServer, type FakeAnswers, FakeApiError, FakeConsole } from "@/components/trpc/fake-console";
import { stubBrowser } from "@/components/ui/testing-browser";
import type { BackendRow, CheckAnswer, HealthCheck } from "@/server/runs/backend-view.schema";
import { buildBackendProvider, buildBackendRow } from "@/server/testing/build-backend";
import { BackendsPage } from "./backends-page";

const NOW = Date.parse("2026-11-30T10:00:00.000Z");
const at = (milliseconds: number) => new Date(NOW + milliseconds).toISOString();

beforeEach(() => {
  // The wide look: a table.
  stubBrowser();
  vi.spyOn(Date, "now").mockReturnValue(NOW);
  vi.spyOn(toast, "success");
  vi.spyOn(toast, "error");
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const HEALTHY: HealthCheck = { state: "healthy", reason: "", model: "m", latencyMs: 35, checkedAt: at(0), by: "operator" };

const COOLDOWN = {
  provider: "loop",
  model: "slow-2",
  failureKind: "provider-rate-limited",
  reason: "60 requests per minute.",
  failures: 3,
  since: at(-60_000),
  until: at(90_000),
} as const;

const COOLING = buildBackendRow({
  profile: "openai-chat",
  status: "degraded",
  reason: "loop: slow-2 cools down: 60 requests per minute.",
  providers: [buildBackendProvider({ name: "loop", health: HEALTHY, cooldowns: [COOLDOWN] })],
});
const NOT_CONFIGURED = buildBackendRow({
  profile: "ollama",
  status: "not_configured",
  reason: "No provider of the configuration uses this profile.",
  providers: [],
});

const CODEX = buildBackendRow({
  profile: "codex",
  backendKind: "codex-app-server-stdio",
  transport: "stdio",
  command: "codex app-server --listen stdio://",
  status: "not_configured",
  reason: "No provider of the configuration uses this profile.",
  requiredSecretKeys: ["apiKey"],
  providers: [],
});

type Answers = NonNullable<FakeAnswers["backends"]>;

function show(rows: () => BackendRow[], answers: Answers = {}, search = "") {
  const list = vi.fn(() => ({ items: rows(), generatedAt: at(0) }));
  const server = createFakeServer({ backends: { list, ...answers } });
  render(
    <NuqsTestingAdapter searchParams={search}>
      <FakeConsole server={server}>
        <BackendsPage />
      </FakeConsole>
    </NuqsTestingAdapter>,
  );
  return { list, server };
}

/** The row of the profile in a table. */
async function rowOf(profile: string): Promise<HTMLElement> {
  const link = await screen.findByRole("link", { name: profile });
  const row = link.closest("tbody");
  if (row === null) throw new Error(`${profile} stands in no table`);
  return row;
}

describe("the table", () => {
  it("shows what a profile is, can and needs, and never calls unchecked healthy", async () => {
    show(() => [
      buildBackendRow({
        profile: "deepseek-api",
        backendKind: "openai-chat",
        protocol: "openai-chat-completions-sse",
        transport: "http",
        requiredSecretKeys: ["apiKey"],
        tokenizer: { id: "o200k", estimate: true },
        reason: "deepseek was never checked.",
        providers: [buildBackendProvider({ name: "deepseek" })],
      }),
    ]);
    const row = within(await rowOf("deepseek-api"));
    expect(row.getAllByText("Unknown")).toHaveLength(2);
    expect(row.queryByText("Healthy")).toBeNull();
    expect(row.getByText("deepseek was never checked.")).toBeTruthy();
    expect(row.getByText("openai-chat-completions-sse")).toBeTruthy();
    expect(row.getByText("HTTP")).toBeTruthy();
    expect(row.getByText("Needs apiKey")).toBeTruthy();
    expect(row.getByText("Tokenizer o200k, an estimate")).toBeTruthy();
    const abilities = within(row.getByRole("list", { name: "Capabilities" })).getAllByRole("listitem");
    expect(abilities.map((item) => item.textContent)).toEqual(["streamingyes", "usageyes", "structured outputno", "cancelyes"]);
  });

  it("shows a provider's figures and leads to the chunk where it was seen last", async () => {
    show(() => [
      buildBackendRow({
        providers: [
          buildBackendProvider({
            name: "loop",
            baseUrl: "http://127.0.0.1:7401/v1",
            secrets: [{ name: "apiKey", reference: "env:LOOP_KEY", state: "set" }],
            scenes: ["extract", "default"],
            health: { ...HEALTHY, checkedAt: at(-120_000), by: "background" },
            inFlight: 3,
            limit: 64,
            latency: { p50: 1_200, p95: 9_500, firstTokenP50: 310, sample: 42 },
            outcomes: { succeeded: 42, failed: 7 },
            lastSeen: {
              at: at(-5_000),
              runId: "run_a",
              chunk: 12,
              model: "fast-1",
              servedModel: "fast-1-2026",
              ok: false,
              failureKind: "backend-timeout",
            },
          }),
        ],
      }),
    ]);
    const row = within(await rowOf("mock"));
    expect(row.getByText("http://127.0.0.1:7401/v1")).toBeTruthy();
    expect(row.getByText("Key env:LOOP_KEY: set")).toBeTruthy();
    expect(row.getByText(/^Scenes:/).textContent).toBe("Scenes: extract and default");
    const facts = row.getAllByRole("definition").map((fact) => fact.textContent);
    expect(facts.slice(-7)).toEqual([
      "3 / 64",
      "1.2s",
      "9.5s",
      "310ms",
      "42 succeeded · 7 failed",
      "5 sec agotimeout fast-1 → fast-1-2026",
      "2 min ago35ms, by the clock m",
    ]);
    expect(row.getByRole("link", { name: "Last seen in a run: open chunk 12" }).getAttribute("href")).toBe(
      "/runs/run_a/chunks/12",
    );
    expect(row.getByRole("link", { name: "Runs of loop" }).getAttribute("href")).toBe("/runs?backend=loop");
  });

  it("tells no time of what runs have said, which is no one request", async () => {
    const health = { ...HEALTHY, latencyMs: 0, checkedAt: at(-120_000), by: "run" } as const;
    show(() => [buildBackendRow({ providers: [buildBackendProvider({ name: "loop", health })] })]);
    const facts = within(await rowOf("mock")).getAllByRole("definition");
    expect(facts.at(-1)?.textContent).toBe("2 min agoin a run m");
  });

  it("shows in a line what is declared, checked and seen, and marks what does not agree", async () => {
    const { evidence } = buildBackendProvider();
    const checked = { outcome: "works", reason: "", at: at(-60_000), model: "fast-1" } as const;
    const seen = { outcome: "failed", at: at(-5_000), runId: "run_a", chunk: 3, model: "fast-1" } as const;
    show(() => [
      buildBackendRow({
        providers: [
          buildBackendProvider({
            name: "loop",
            evidence: {
              ...evidence,
              usage: { declared: true, checked, lastSeen: seen },
              structuredOutput: { declared: false, checked, lastSeen: null },
              cancel: { declared: true, checked: { ...checked, outcome: "not_seen", reason: "Too soon." }, lastSeen: null },
            },
          }),
        ],
      }),
    ]);
    const strip = within(within(await rowOf("mock")).getByRole("list", { name: "Evidence for loop" }));
    expect(strip.getAllByRole("listitem").map((item) => item.textContent)).toEqual([
      "streamingDeclared: yesLast check: neverLast observed: never",
      "usageDeclared: yesLast check: worksLast observed: not in the answers",
      "structured outputDeclared: noLast check: worksLast observed: never",
      "cancelDeclared: yesLast check: could not be toldLast observed: never",
    ]);
    expect(strip.getAllByLabelText("does not agree").map((mark) => mark.closest("li")?.textContent?.slice(0, 5))).toEqual([
      "usage",
    ]);
  });

  it("says which key is missing", async () => {
    show(() => [
      buildBackendRow({
        status: "secret_missing",
        reason: "loop: env:LOOP_KEY is missing.",
        providers: [
          buildBackendProvider({ name: "loop", secrets: [{ name: "apiKey", reference: "env:LOOP_KEY", state: "missing" }] }),
        ],
      }),
    ]);
    const row = within(await rowOf("mock"));
    expect(row.getAllByText("Key missing")).toHaveLength(2);
    expect(row.getByText("Key env:LOOP_KEY: missing")).toBeTruthy();
  });

  it("keeps what is not configured apart, folded", async () => {
    show(() => [CODEX, buildBackendRow(), NOT_CONFIGURED]);
    await rowOf("mock");
    const groups = screen.getAllByRole("group").filter((group): group is HTMLDetailsElement => group.tagName === "DETAILS");
    expect(groups.map((group) => [group.querySelector("h2")?.textContent, group.open])).toEqual([["Not configured (2)", false]]);
    const row = within(await rowOf("codex"));
    expect(row.getByText("$ codex app-server --listen stdio://")).toBeTruthy();
  });

  it("narrows by state and by words, and unfolds what was asked for", async () => {
    show(() => [buildBackendRow(), NOT_CONFIGURED, CODEX], {}, "?q=codex");
    await rowOf("codex");
    expect(screen.queryByRole("link", { name: "mock" })).toBeNull();
    expect(screen.getByRole<HTMLDetailsElement>("group", { name: "" }).open).toBe(true);
    fireEvent.click(screen.getByRole("button", { name: "Unknown (1)" }));
    expect(await screen.findByText("No backend matches the filters")).toBeTruthy();
  });

  it("stays while a refresh fails, and says so", async () => {
    let fails = false;
    const { server } = show(() => {
      if (fails) throw new FakeApiError("store_unavailable", "The disk is full.");
      return [buildBackendRow()];
    });
    await rowOf("mock");
    fails = true;
    await server.queryClient.invalidateQueries();
    expect((await screen.findByRole("alert")).textContent).toContain(
      "The backends could not be refreshed; what you see may be out of date",
    );
    expect(screen.getByRole("link", { name: "mock" })).toBeTruthy();
  });
});

describe("check now", () => {
  it("asks once, stays pending until the table shows it, and says what came of it", async () => {
    let checked = false;
    let answerNow: (answer: CheckAnswer) => void = () => {};
    const check = vi.fn(
      (_input: { provider: string }) =>
        new Promise<CheckAnswer>((resolve) => {
          answerNow = resolve;
        }),
    );
    const { list } = show(
      () => [
        checked
          ? buildBackendRow({ status: "healthy", reason: "", providers: [buildBackendProvider({ health: HEALTHY })] })
          : buildBackendRow(),
      ],
      { check },
    );
    const button = await screen.findByRole("button", { name: "Check mock now" });
    fireEvent.click(button);
    await waitFor(() => expect(button.getAttribute("aria-busy")).toBe("true"));
    fireEvent.click(button);
    checked = true;
    answerNow({ ...HEALTHY, capabilities: null });
    await waitFor(() => expect(screen.getAllByText("Healthy")).toHaveLength(2));
    await waitFor(() => expect(button.getAttribute("aria-busy")).toBeNull());
    expect(check.mock.calls).toEqual([[{ provider: "mock" }]]);
    expect(list).toHaveBeenCalledTimes(2);
    expect(screen.getByRole("status").textContent).toBe("mock: Healthy, after 35ms.");
  });

  it("says why it could not be done", async () => {
    show(() => [buildBackendRow()], {
      check: () => {
        throw new FakeApiError("not_found", 'There is no provider "mock".');
      },
    });
    fireEvent.click(await screen.findByRole("button", { name: "Check mock now" }));
    await waitFor(() =>
      expect(toast.error).toHaveBeenCalledWith("mock could not be checked", {
        description: 'It does not exist, or it was removed. There is no provider "mock".',
      }),
    );
  });
});

describe("a cooldown", () => {
  it("says why and counts down", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "Date"], now: NOW });
    try {
      show(() => [COOLING]);
      const row = within(await rowOf("openai-chat"));
      expect(row.getByText("loop/slow-2 cools down")).toBeTruthy();
      expect(row.getByText("60 requests per minute.")).toBeTruthy();
      expect(row.getByText(/3 failures in a row/)).toBeTruthy();
      expect(row.getByText("1m 30s left")).toBeTruthy();
      await vi.advanceTimersByTimeAsync(31_000);
      expect(row.getByText("59s left")).toBeTruthy();
      await vi.advanceTimersByTimeAsync(60_000);
      expect(row.getByText("over; the next request tries it")).toBeTruthy();
    } finally {
      vi.useRealTimers();
    }
  });

  it("is cleared, and the focus stays with the provider", async () => {
    let cooling = true;
    const clearCooldown = vi.fn((_input: { provider: string; model: string }) => {
      cooling = false;
      return true;
    });
    show(() => [cooling ? COOLING : { ...COOLING, providers: [buildBackendProvider({ name: "loop", health: HEALTHY })] }], {
      clearCooldown,
    });
    fireEvent.click(await screen.findByRole("button", { name: "Clear the cooldown of loop/slow-2" }));
    await waitFor(() => expect(screen.queryByText("loop/slow-2 cools down")).toBeNull());
    expect(clearCooldown.mock.calls).toEqual([[{ provider: "loop", model: "slow-2" }]]);
    expect(toast.success).toHaveBeenCalledWith("loop/slow-2 may be asked again");
    await waitFor(() => expect(document.activeElement?.textContent).toBe("loop"));
  });
});
