import { expect, sections, test } from "./console-test";

const confirm = (page: import("@playwright/test").Page, name: string) =>
  page.getByRole("dialog").or(page.getByRole("alertdialog")).getByRole("button", { name });

test("a run is paused, says why, goes on, and is cancelled while a call hangs", async ({ page, api }) => {
  const run = await api.create({
    name: "to be stopped",
    text: sections(["[[mock:hang]]", "[[mock:hang]]", "[[mock:hang]]"]),
    chunkTokens: 60,
    concurrency: 1,
  });
  await api.until(run.id, "running");
  await page.goto(`/runs/${run.id}`);
  await page.getByRole("button", { name: "Pause" }).click();
  await page.getByRole("textbox", { name: /Reason/ }).fill("waiting for the provider");
  await confirm(page, "Pause").click();
  await expect(page.getByText(/^Paused: waiting for the provider/).first()).toBeVisible();
  await page.getByRole("button", { name: "Resume" }).click();
  await confirm(page, "Resume").click();
  await expect(page.getByText(/^Running/).first()).toBeVisible();
  await page.getByRole("button", { name: "Cancel run" }).click();
  await confirm(page, "Cancel the run").click();
  await expect(page.getByText(/^Cancelled/).first()).toBeVisible();
  await expect.poll(async () => (await api.get(run.id)).counts).toMatchObject({ running: 0, queued: 0 });
});

test("failed chunks of one cause are retried from their group, and the run completes", async ({ page, api }) => {
  const run = await api.create({
    name: "retry one group",
    text: sections(["[[mock:fail-times=1:provider-auth-failed]]", "fine", "[[mock:fail-times=1:provider-auth-failed]]"]),
    chunkTokens: 60,
  });
  await api.until(run.id, "incomplete");
  await page.goto(`/runs/${run.id}`);
  const errors = page.getByRole("region", { name: "Errors" });
  await expect(errors).toContainText("The provider refused the key");
  await errors.getByRole("button", { name: "Retry these 2" }).click();
  await expect(page.getByText(/^Completed · 3\/3/).first()).toBeVisible();
});

test("what is not possible says why", async ({ page, api }) => {
  const run = await api.create({ name: "done", text: "Rule: nothing is lost." });
  await api.until(run.id, "completed");
  await page.goto(`/runs/${run.id}`);
  const pause = page.getByRole("button", { name: "Pause" });
  await expect(pause).toHaveAttribute("aria-disabled", "true");
  await expect(pause).toHaveAccessibleDescription(/completed/i);
});
