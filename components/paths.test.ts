import { expect, it } from "vitest";
import { paths } from "./paths";

it("spells every address", () => {
  expect({
    home: paths.home(),
    runs: paths.runs(),
    filtered: paths.runs({ status: "failed", q: "a b" }),
    newRun: paths.newRun(),
    run: paths.run("run_1"),
    timeline: paths.run("run_1", "timeline"),
    events: paths.run("run_1", "events", { seq: 7, chunk: undefined }),
    chunk: paths.chunk("run_1", 3),
    attempt: paths.chunk("run_1", 3, { attempt: 2, at: "5-9" }),
    config: paths.config(),
    configPlace: paths.config("yaml", { line: 4, column: 2 }),
    configMerge: paths.configMerge(),
    configRevision: paths.configRevision(7, { show: "current" }),
    trpc: paths.api.trpc(),
    signIn: paths.api.signIn(),
    signOut: paths.api.signOut(),
    apiRun: paths.api.run("run_1"),
    insights: paths.api.insights("run_1"),
    markdown: paths.api.stagedMarkdown("run_1"),
    artifact: paths.api.artifact("run_1", "art_2"),
    escaped: paths.run("a/b"),
  }).toMatchInlineSnapshot(`
    {
      "apiRun": "/api/v1/runs/run_1",
      "artifact": "/api/v1/runs/run_1/artifacts/art_2",
      "attempt": "/runs/run_1/chunks/3?attempt=2&at=5-9",
      "chunk": "/runs/run_1/chunks/3",
      "config": "/config",
      "configMerge": "/config/merge",
      "configPlace": "/config/yaml?line=4&column=2",
      "configRevision": "/config/revisions/7?show=current",
      "escaped": "/runs/a%2Fb",
      "events": "/runs/run_1/events?seq=7",
      "filtered": "/runs?status=failed&q=a+b",
      "home": "/",
      "insights": "/api/v1/runs/run_1/insights",
      "markdown": "/api/v1/runs/run_1/staged.md",
      "newRun": "/runs/new",
      "run": "/runs/run_1",
      "runs": "/runs",
      "signIn": "/api/sign-in",
      "signOut": "/api/sign-out",
      "timeline": "/runs/run_1/timeline",
      "trpc": "/api/trpc",
    }
  `);
});
