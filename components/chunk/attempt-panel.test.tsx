import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { createFakeServer, FakeConsole } from "@/components/trpc/fake-console";
import type { AttemptSummary } from "@/server/runs/run.schema";
import { buildAttempt } from "@/server/testing/build-chunk";
import { AttemptPanel } from "./attempt-panel";

afterEach(() => cleanup());

function show(part: Partial<AttemptSummary>, resultBody?: string) {
  const attempt = buildAttempt(1, resultBody ?? null, { backend: "loop", model: "fast", ...part });
  render(
    <FakeConsole server={createFakeServer({})}>
      <AttemptPanel attempt={attempt} />
    </FakeConsole>,
  );
}

const ADVICE =
  "It is retried once; another retry often helps. If not, read the raw text, or take a model that follows a schema better.";

const fact = (label: string) => screen.getByText(label, { selector: "dt" }).nextElementSibling?.textContent;

describe("what was asked and what served it", () => {
  it("is one name each while nothing else is known", () => {
    show({});
    expect([fact("Backend"), fact("Model")]).toEqual(["loop", "fast"]);
  });

  it("is told apart where another model of another provider has answered", () => {
    show({ servedModel: "fast-2026-11", servedProvider: "upstream" });
    expect([fact("Backend"), fact("Model")]).toEqual(["loopserved by upstream", "fastanswered by fast-2026-11"]);
  });

  it("names no model twice when the asked one has answered", () => {
    show({ servedModel: "fast", servedProvider: "upstream" });
    expect([fact("Backend"), fact("Model")]).toEqual(["loopserved by upstream", "fast"]);
  });
});

describe("what it took", () => {
  it("is told with the parts of its tokens, each within its sum, and what it has cost", () => {
    show({ cachedTokens: 30, reasoningTokens: 5 });
    expect(fact("Tokens")).toBe("40 prompt + 8 answer30 of the prompt from the cache5 of the answer were thoughts");
    expect(fact("Cost")).toBe("unknownno price of this model is knownSet a price");
  });
});

describe("marks of the answer", () => {
  it("are none of one that is as it should be", () => {
    show({});
    expect(fact("Status")).toBe("Succeeded");
  });

  it("stand beside the status, the repair round first", () => {
    show({ number: 2, repairOf: 1, repaired: true });
    expect(fact("Status")).toBe("SucceededRepair roundRepaired");
  });

  it("of one that was cut off come with their own advice instead of the failure's", () => {
    show({
      status: "failed",
      truncated: true,
      failureKind: "backend-response-invalid",
      errorMessage: "Cut.",
      finishReason: "length",
    });
    expect([fact("Status"), fact("Finish reason")]).toEqual(["FailedCut off", "length"]);
    expect(
      screen.getByText(
        "Press “Retry with…” and give it a larger output limit, or another model; or order the run again with smaller chunks.",
      ),
    ).toBeTruthy();
    expect(screen.queryByText(ADVICE)).toBeNull();
    cleanup();
    show({ status: "failed", failureKind: "backend-response-invalid", errorMessage: "No JSON." });
    expect(screen.getByText(ADVICE)).toBeTruthy();
  });
});

describe("an answer that was made elsewhere", () => {
  const adopted = {
    origin: "import",
    backend: "unknown",
    model: "unknown",
    startedAt: null,
    finishReason: null,
    promptTokens: null,
    completionTokens: null,
  } as const;

  it("says so and from where, and makes up no name, time or count", () => {
    show(adopted, JSON.stringify({ source: "out.jsonl line 7" }));
    expect(screen.getByText(/^Made elsewhere and adopted/).textContent).toBe(
      "Made elsewhere and adopted: Switchyard did not ask for this answer and did not time it. It comes from out.jsonl line 7.",
    );
    expect([fact("Backend"), fact("Model"), fact("Tokens"), fact("Finish reason")]).toEqual(["not told", "not told", "–", "–"]);
    expect(screen.queryByText("Sent")).toBeNull();
    expect(screen.getByText("Adopted")).not.toBeNull();
    expect(screen.queryByRole("figure")).toBeNull();
    expect(screen.queryByText("Request id")).toBeNull();
  });

  it("names what its file told", () => {
    show({ ...adopted, model: "gpt-x", promptTokens: 30, completionTokens: 4 });
    expect([fact("Backend"), fact("Model"), fact("Tokens")]).toEqual(["not told", "gpt-x", "30 prompt + 4 answer"]);
  });

  it("is not said to be retried by itself when it could not be used", () => {
    show({ ...adopted, status: "failed", failureKind: "backend-response-invalid", errorMessage: "no" });
    expect(screen.getByText("It is not asked for again by itself: retry the chunk, or import another answer.")).not.toBeNull();
    expect(screen.queryByText(ADVICE)).toBeNull();
  });
});
