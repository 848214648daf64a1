import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { toast } from "sonner";
import { afterEach, expect, it, vi } from "vitest";
import { createFakeServer, type FakeAnswers, FakeApiError, FakeConsole } from "@/components/trpc/fake-console";
import { buildConfig, buildProviderRow, buildSceneRow } from "@/server/testing/build-config";
import { buildRunSummary } from "@/server/testing/build-run-detail";
import { RerunDialog } from "./rerun-dialog";

const push = vi.fn();
vi.mock("next/navigation", () => ({ useRouter: () => ({ push }) }));

afterEach(() => {
  cleanup();
  push.mockReset();
  vi.restoreAllMocks();
});

type Rerun = NonNullable<NonNullable<FakeAnswers["runs"]>["rerun"]>;

const CONFIG = buildConfig({
  scenes: [buildSceneRow({ scene: "extract", candidates: ["loop/fast"] })],
  providers: [buildProviderRow({ name: "loop", defaultModel: "fast" })],
});

function show(answer: Rerun) {
  vi.spyOn(toast, "success");
  vi.spyOn(toast, "error");
  const rerun = vi.fn<Rerun>(answer);
  const onOpenChange = vi.fn();
  const server = createFakeServer({
    runs: { rerun, list: () => ({ items: [], nextCursor: null }) },
    config: { overview: () => CONFIG, availability: () => [] },
  });
  render(
    <FakeConsole server={server}>
      <RerunDialog run={buildRunSummary({ id: "run_a" })} beside={["run_a", "run_b"]} open onOpenChange={onOpenChange} />
    </FakeConsole>,
  );
  return { rerun, onOpenChange };
}

it("starts a run of the same text elsewhere, and goes where it stands beside the others", async () => {
  const { rerun, onOpenChange } = show(() => buildRunSummary({ id: "run_c", backend: "loop", model: "fast" }));
  const radio = screen.getByRole<HTMLInputElement>("radio", { name: /^A provider/ });
  await waitFor(() => expect(radio.disabled).toBe(false));
  fireEvent.click(radio);
  fireEvent.change(screen.getByRole("textbox", { name: "Longest answer, in tokens" }), { target: { value: "8000" } });
  fireEvent.click(screen.getByRole("button", { name: "Run again" }));
  await waitFor(() => expect(push.mock.calls).toEqual([["/runs/compare?runs=run_a%2Crun_b%2Crun_c"]]));
  expect(rerun.mock.calls).toEqual([[{ id: "run_a", backend: "loop", maxTokens: 8000 }]]);
  expect(onOpenChange).toHaveBeenCalledWith(false);
  expect(toast.success).toHaveBeenCalledWith("The text goes to loop/fast.");
});

it("says why nothing was started, and stays", async () => {
  const { onOpenChange } = show(() => {
    throw new FakeApiError("conflict", "It cannot be.");
  });
  fireEvent.click(screen.getByRole("button", { name: "Run again" }));
  await waitFor(() => expect(toast.error).toHaveBeenCalled());
  expect(onOpenChange).not.toHaveBeenCalled();
  expect(push).not.toHaveBeenCalled();
});
