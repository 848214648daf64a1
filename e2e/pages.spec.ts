import { expect, expectAccessible, sections, test } from "./console-test";

const HOSTILE =
  "Decided: <img src=x onerror=alert(1)> [click](javascript:alert(1)) stays text, because answers are data and never markup.";

/** Each look is minutes of work by itself, and none needs what another left. */
test.describe.configure({ mode: "parallel" });

/** All pages one after the other: a busy machine needs minutes for it. */
const ALL_PAGES_MS = 600_000;

/** Every page in every look: nothing for axe, no sideways scroll, a quiet console. */
for (const look of [
  { name: "light", colorScheme: "light", width: 1280, locale: "en" },
  { name: "dark", colorScheme: "dark", width: 1280, locale: "en" },
  { name: "narrow Chinese", colorScheme: "light", width: 390, locale: "zh" },
] as const) {
  test(`every page is accessible: ${look.name}`, async ({ page, api, context, baseURL }) => {
    test.setTimeout(ALL_PAGES_MS);
    await context.addCookies([{ name: "switchyard-locale", value: look.locale, url: baseURL ?? "" }]);
    await page.emulateMedia({ colorScheme: look.colorScheme });
    await page.setViewportSize({ width: look.width, height: 844 });
    const run = await api.create({
      name: `a run with a name that is much longer than any column is wide ${look.name} 一个名字很长很长的运行`,
      text: sections([
        HOSTILE,
        "[[mock:fail=provider-unavailable]]",
        "[[mock:fail-times=1:provider-unavailable]]",
        "[[mock:invalid-json]]",
      ]),
      chunkTokens: 80,
    });
    await api.until(run.id, "incomplete");
    for (const path of [
      "/runs",
      "/runs/new",
      "/runs/new/agent",
      "/backends",
      "/backends/mock",
      "/backends/codex",
      "/config",
      "/config/providers",
      "/config/prices",
      "/config/limits",
      "/config/yaml",
      "/config/revisions",
      "/config/revisions/1",
      "/config/merge",
      `/runs/${run.id}`,
      `/runs/${run.id}/timeline`,
      `/runs/${run.id}/chunks`,
      `/runs/${run.id}/events`,
      `/runs/${run.id}/results`,
      `/runs/${run.id}/chunks/2`,
      `/runs/compare?runs=${run.id}`,
    ]) {
      await page.goto(path);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      await expect(page.getByRole("status", { name: /loading|加载/i })).toHaveCount(0);
      await expectAccessible(page);
    }
  });
}

test("unknown runs and chunks are said to be unknown, with a quiet console", async ({ page, api }) => {
  await page.goto("/runs/run_nothere");
  await expect(page.getByRole("heading", { name: "There is no run with this id." })).toBeVisible();
  await expect(page.getByRole("main").getByRole("link", { name: "All runs" })).toBeVisible();
  await page.goto("/runs/run_nothere/chunks/1");
  await expect(page.getByRole("heading", { name: "There is no run with this id." })).toBeVisible();
  await page.goto("/backends/nothere");
  await expect(page.getByRole("heading", { name: "There is no backend profile of this name." })).toBeVisible();
  await expect(page.getByRole("main").getByRole("link", { name: "All backends" })).toBeVisible();
  const run = await api.create({ name: "one chunk", text: "Rule: one chunk." });
  await page.goto(`/runs/compare?runs=run_nothere,${run.id}`);
  await expect(page.getByText("There is no run run_nothere; it is left out.")).toBeVisible();
  await expect(page.getByRole("link", { name: "one chunk" })).toBeVisible();
  for (const index of ["99", "0", "two"]) {
    await page.goto(`/runs/${run.id}/chunks/${index}`);
    await expect(page.getByRole("heading", { name: `This run has no chunk ${index}.` })).toBeVisible();
    await expect(page.getByText("The run has 1 chunk", { exact: false })).toBeVisible();
  }
});
