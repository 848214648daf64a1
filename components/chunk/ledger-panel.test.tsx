import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { chinese } from "@/components/i18n/chinese/dictionary";
import { english } from "@/components/i18n/english/dictionary";
import { I18nProvider } from "@/components/i18n/i18n-provider";
import { normalizeOutput } from "@/server/pipeline/normalize-output";
import { LEDGER_DETAILS, LEDGER_VALUES } from "./ledger";
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
    "in order: Text received43 characters · finish reason: stop",
    "changed: Taken out of the text around itJSON found: 1 · from 12 · to 30 · 25 characters around it",
    "failed: Read as JSON",
    "changed: Repair18 characters · commas: 2",
    "in order: Checked against what was askedby the keys in the request",
  ]);
});

it("says it in Chinese", () => {
  show(bodyOf('<think>hm</think>{"insights":[True,]}'), "zh");
  expect(screen.getByRole("region", { name: "从文本到输出" })).toBeTruthy();
  expect(lines()).toEqual([
    "正常: 收到文本37 个字符 · 结束原因：stop",
    "有改动: 去掉思考内容1 段 · 首尾均有标记 · 17 个字符",
    "失败: 按 JSON 读取",
    "有改动: 修复20 个字符 · 1 处常量 · 1 处逗号",
    "正常: 按要求检查依据：请求中的键",
  ]);
});

it("says in Chinese that an answer was cut off", () => {
  show(bodyOf('{"insights":[', "length"), "zh");
  expect(lines()).toEqual(["正常: 收到文本13 个字符 · 结束原因：length", "失败: 按 JSON 读取在结束之前被截断"]);
});

it("says where a cut answer went no further", () => {
  show(bodyOf('{"insights":[{"a":'));
  expect(lines().at(-1)).toBe("failed: Read as JSONcut off before its end");
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

it.each([
  ['{"insights":[{"a":}]}', "a value is missing, and none is made up"],
  ['{"insights":[1, ...]}', "a part is left out with “...”, and none is made up"],
])("says why %s was not repaired", (text, reason) => {
  show(bodyOf(text));
  expect(lines().at(-1)).toBe(`failed: Repair${reason}`);
});

it("leaves what a provider said as it is, also where it is a word of ours", () => {
  show(bodyOf('{"insights":[]}', "closed"));
  expect(lines()[0]).toBe("in order: Text received15 characters · finish reason: closed");
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
    'a</think>{"insights":[]}',
    '{"insights":[]}<think>a',
    '<|channel|>final<|message|>{"insights":[]}',
    '{"insights":[',
    '{"insights":[{"a":}]}',
    '{"insights":[1, ...]}',
    '{"insights": [{"content": "a"}}, {"content": "b"}]}',
    `{"insights":${"[".repeat(300)}1 : 2${"]".repeat(300)}}`,
    // Longer than what is repaired.
    `{"insights":["${"a".repeat(100_000)}",]}`,
  ];
  const schemas = [
    SCHEMA,
    { $schema: "http://json-schema.org/draft-07/schema#", type: "object" },
    { $schema: "https://json-schema.org/draft/2020-12/schema", type: "object" },
  ];
  const told = schemas.flatMap((schema) =>
    texts.flatMap((text) =>
      normalizeOutput(text, { schema, finishReason: "stop" }).ledger.steps.flatMap(({ detail }) => Object.entries(detail ?? {})),
    ),
  );
  const names = new Set(told.map(([name]) => name));
  expect([...names].filter((name) => !(LEDGER_DETAILS as readonly string[]).includes(name))).toEqual([]);
  const words = told.flatMap(([name, value]) => (typeof value === "string" && name !== "finishReason" ? [value] : []));
  expect([...new Set(words)].sort()).toEqual([...LEDGER_VALUES].sort());
});
