import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { chinese } from "@/components/i18n/chinese/dictionary";
import { english } from "@/components/i18n/english/dictionary";
import { I18nProvider } from "@/components/i18n/i18n-provider";
import type { Locale } from "@/components/i18n/locale";
import type { ConfigProblem } from "@/server/config/config.rules";
import { ProblemList } from "./problem-list";

afterEach(() => cleanup());

const PROBLEMS: ConfigProblem[] = [
  {
    severity: "warning",
    code: "unused_provider",
    path: "providers.spare",
    line: 2,
    column: 3,
    message: "No scene uses this provider.",
    details: { provider: "spare" },
  },
  {
    severity: "error",
    code: "unknown_provider",
    path: "models.extract",
    line: 9,
    column: 12,
    message: 'There is no provider "opneai"; did you mean openai?',
    details: { name: "opneai", known: "openai, mock", meant: "openai" },
  },
];

function show(locale: Locale, problems: readonly ConfigProblem[] = PROBLEMS) {
  const onOpen = vi.fn();
  render(
    <I18nProvider initialLocale={locale} initialDictionary={locale === "en" ? english : chinese} initialZone="utc">
      <ProblemList problems={problems} onOpen={onOpen} />
    </I18nProvider>,
  );
  return onOpen;
}

it("puts errors first, in the server's words, and leads to their places", () => {
  const onOpen = show("en");
  const rows = screen.getAllByRole("button");
  expect(rows.map((row) => row.textContent)).toEqual([
    'Error: models.extractThere is no provider "opneai"; did you mean openai?line 9, column 12',
    "Warning: providers.spareNo scene uses this provider.line 2, column 3",
  ]);
  const [first] = rows;
  if (first !== undefined) fireEvent.click(first);
  expect(onOpen).toHaveBeenCalledWith(PROBLEMS[1]);
});

it("says them in the reader's language by code and details", () => {
  show("zh");
  expect(screen.getAllByRole("button").map((row) => row.textContent)).toEqual([
    "错误： models.extract没有服务方“opneai”；是否想写 openai？可用的有 openai, mock。第 9 行第 12 列",
    "警告： providers.spare没有场景使用该服务方；请在 models 中以 spare/MODEL 写出它，或移除它。第 2 行第 3 列",
  ]);
});

it.each(["en", "zh"] as const)("keeps the lines to copy as lines (%s)", (locale) => {
  const lines = "models:\n  extract: mock/x";
  const problem: ConfigProblem = {
    severity: "error",
    code: "old_shape",
    path: "extract",
    line: 1,
    column: 1,
    message: `The section extract is of an older version; remove it and write instead:\n${lines}`,
    details: { lines },
  };
  show(locale, [problem]);
  const text = screen.getByText(/extract: mock/);
  expect(text.textContent).toContain(`\n${lines}`);
  expect(text.className).toContain("whitespace-pre-wrap");
});
