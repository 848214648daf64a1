import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { parseConfigText } from "./config-yaml";

const FIXTURE = path.join(import.meta.dirname, "fixtures/fifteen-mistakes.yaml");

it("says all fifteen mistakes of a file at once, each at its place and without a key", () => {
  const { document, problems } = parseConfigText(readFileSync(FIXTURE, "utf8"));
  expect(document).toBeNull();
  expect(
    problems.map(({ line, column, severity, code, path: at, message }) => [
      `${line}:${column} ${severity} ${code} ${at}`,
      message,
    ]),
  ).toEqual([
    [
      "2:1 error old_shape extract",
      "The section extract is of an older version; remove it and write instead:\nproviders:\n  openrouter:\n    apiKey: env:OPENROUTER_API_KEY\nmodels:\n  extract: openrouter/qwen/qwen3",
    ],
    ["6:5 error unknown_key providers.openrouter.baseURL", 'There is no "baseURL" in a provider; did you mean baseUrl?'],
    [
      "7:13 error literal_key providers.openrouter.apiKey",
      "A key must not stand in the document, for every revision is kept and shown; put it into an environment variable and write apiKey: env:OPENROUTER_API_KEY, or into a file and write apiKey: file:/run/secrets/NAME.",
    ],
    ["8:18 error wrong_type providers.openrouter.concurrency", "This must be a whole number, not a text; remove the quotes."],
    [
      "10:14 error bad_url providers.company.baseUrl",
      "This holds a user name or password, which do not belong in an address; remove them, and name a key as apiKey: env:NAME.",
    ],
    [
      "11:13 error bad_reference providers.company.apiKey",
      "This is not a reference to a key: a variable is written env:NAME or ${NAME}; write for example apiKey: env:COMPANY_KEY.",
    ],
    ["17:14 error unknown_profile providers.other.profile", 'There is no profile "openai-chatt"; did you mean openai-chat?'],
    [
      "21:3 error missing_key profiles.new-one",
      "A new profile needs a kind; add kind: with one of extractive, mock, openai-chat, openai-responses, anthropic-messages, codex-app-server-stdio, claude-code-cli, openclaw-gateway.",
    ],
    [
      "25:12 error bad_model_reference models.default",
      "A model is named with its provider; write provider/model, with a slash between.",
    ],
    [
      "26:3 error empty_scene models.extract",
      "The scene names no model; write provider/model, or remove the line so that it uses default.",
    ],
    [
      "27:15 error unknown_provider models.supervisor",
      'There is no provider "openroute"; did you mean openrouter? There are openrouter, company, agent, other, extractive, mock.',
    ],
    [
      "28:26 error chosen_exactly models.planner.candidates",
      "The provider agent is chosen exactly, so it cannot stand beside others; make it the only candidate or remove it.",
    ],
    [
      "30:15 error unknown_strategy models.summarizer.strategy",
      'There is no strategy "random"; there are best_score, round_robin, fallback_chain, least_busy.',
    ],
    ["31:46 error duplicate_candidate models.summarizer.candidates[2]", "openrouter/a stands in the list twice; remove one."],
    ["33:12 error out_of_range maxRounds", "This must be from 1 to 10000."],
  ]);
  expect(JSON.stringify(problems)).not.toMatch(/not-a-reference|secret@|user:/);
});
