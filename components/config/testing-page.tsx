import { render } from "@testing-library/react";
import type { ReactNode } from "react";
import { vi } from "vitest";
import { createFakeServer, type FakeAnswers, FakeConsole } from "@/components/trpc/fake-console";
import type { ConfigEvaluation, RevisionView } from "@/server/runs/config-view.schema";
import { ConfigFrame } from "./config-frame";
import { buildEvaluation, buildRevision } from "./testing-evaluation";

export type ConfigAnswers = NonNullable<FakeAnswers["config"]>;
type Asked<Name extends keyof ConfigAnswers> = NonNullable<ConfigAnswers[Name]>;

interface ShowOptions {
  answers?: ConfigAnswers;
  revision?: Partial<RevisionView>;
  evaluation?: Partial<ConfigEvaluation>;
}

/** For tests: a page of the configuration inside its frame, over a server that changes the text in a way that can be told. */
export function showConfig(page: ReactNode, { answers = {}, revision = {}, evaluation = {} }: ShowOptions = {}) {
  const current = vi.fn<Asked<"current">>(() => ({ ...buildRevision(revision), file: null }));
  const evaluate = vi.fn<Asked<"evaluate">>(() => buildEvaluation(evaluation));
  const edit = vi.fn<Asked<"edit">>(({ text, edits }) => ({ text: `${text}# ${JSON.stringify(edits)}\n` }));
  const impact = vi.fn<Asked<"impact">>(() => ({ scenes: [], providers: [], prices: [], limits: [], runs: [], runCount: 0 }));
  const server = createFakeServer({
    config: { current, evaluate, edit, impact, localServers: () => ({ items: [] }), ...answers },
  });
  render(
    <FakeConsole server={server}>
      <ConfigFrame>{page}</ConfigFrame>
    </FakeConsole>,
  );
  return { current, evaluate, edit, impact, server };
}
