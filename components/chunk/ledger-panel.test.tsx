import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { chinese } from "@/components/i18n/chinese/dictionary";
import { english } from "@/components/i18n/english/dictionary";
import { I18nProvider } from "@/components/i18n/i18n-provider";
import { normalizeOutput } from "@/server/pipeline/normalize-output";
import { LEDGER_DETAILS } from "./ledger";
import { LedgerPanel } from "./ledger-panel";

afterEach(cleanup);

const SCHEMA = { insights: "array" };
const bodyOf = (text: string, finishReason = "stop") =>
  JSON.stringify({ normalization: normalizeOutput(text, { schema: SCHEMA, finishReason }).ledger });

function show(resultBody: string, locale: "en" | "zh" = "en") {
  render(
    <I18nProvider initialLocale={locale} initialDictionary={locale === "en" ? english : chinese} initialZone="utc">
      <LedgerPanel resultBody={resultBody} />
    </I18nProvider>,
  );
}

const lines = () =>
  screen.getAllByRole("listitem").map((item) => `${item.querySelector("svg")?.getAttribute("aria-label")}: ${item.textContent}`);

it("says step by step how a text became its output", () => {
  show(bodyOf('Here it is:\n{"insights":[1,],}\nThat is all.'));
  expect(lines()).toEqual([
    "in order: Text received43 characters · the model stopped with stop",
    "changed: Taken out of the text around itcandidates: 1 · from 12 · to 30 · 25 characters around it",
    "went no further: Read as JSON",
    "changed: Repair18 characters · commas: 2",
    "in order: Checked against what was askedby keys",
  ]);
});

it("says it in Chinese", () => {
  show(bodyOf('{"insights":[]}'), "zh");
  expect(lines().map((line) => line.split(": ")[1])).toEqual([
    "收到文本15 个字符 · 模型停止原因 stop",
    expect.stringMatching(/JSON/),
    expect.stringMatching(/依据 keys$/),
  ]);
});

it("says where a cut answer went no further", () => {
  show(bodyOf('{"insights":[{"a":'));
  expect(lines().at(-1)).toBe("went no further: Read as JSONcut_off");
});

it("lists all faults when there are several", () => {
  const errors = ["The answer must have required property 'a'.", "The answer must have required property 'b'."];
  show(JSON.stringify({ normalization: { steps: [{ step: "schema", outcome: "failed", detail: { errors: 2 } }], errors } }));
  expect(screen.getByRole("list", { name: "What does not fit" }).textContent).toBe(errors.join(""));
});

it("is absent where a result has no ledger", () => {
  show("{}");
  expect(screen.queryByText("From the text to the output")).toBeNull();
});

it("has words for all that normalization tells", () => {
  const texts = [
    "",
    '<think>a</think>{"insights":[]}',
    '```json\n{"insights":[]}\n```',
    '"{\\"insights\\":[]}"',
    "[]",
    '{"insights":[]}<|im_end|>',
    "x {insights:[True,],} // c\n y",
    '{"insights":1}',
    '{"insights":[1,2}',
    "{'insights':['a',],}",
    '{"insights":["a\nb"]}',
  ];
  const told = texts.flatMap((text) =>
    normalizeOutput(text, { schema: SCHEMA, finishReason: "stop" }).ledger.steps.flatMap(({ detail }) =>
      Object.keys(detail ?? {}),
    ),
  );
  expect([...new Set(told)].filter((word) => !(LEDGER_DETAILS as readonly string[]).includes(word))).toEqual([]);
});
