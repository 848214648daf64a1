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
  const reason = page.getByRole("textbox", { name: /Reason/ });
  await reason.fill("waiting for the provider");
  await reason.press("Enter");
  await expect(page.getByText(/^Paused: waiting for the provider/).first()).toBeVisible();
  await page.getByRole("button", { name: "Resume" }).click();
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

test("what is not possible is not offered on the run, and says why in the list", async ({ page, api }) => {
  const run = await api.create({ name: "done", text: "Rule: nothing is lost." });
  await api.until(run.id, "completed");
  await page.goto(`/runs/${run.id}`);
  await expect(page.getByText(/^Completed · 1\/1/).first()).toBeVisible();
  await expect(page.getByRole("button", { name: "Pause" })).toHaveCount(0);
  await page.goto("/runs");
  await page.getByRole("button", { name: "Actions for done" }).first().click();
  const pause = page.getByRole("menuitem", { name: "Pause" });
  await expect(pause).toHaveAttribute("aria-disabled", "true");
  await expect(pause).toHaveAccessibleDescription(/completed/i);
});

test("a chunk that waits after a failed attempt is said where one looks first", async ({ page, api }) => {
  const run = await api.create({
    name: "held up",
    text: sections(["[[mock:fail-times=2:provider-rate-limited]]"]),
    chunkTokens: 200,
    backoffMs: 60_000,
  });
  await expect.poll(async () => (await api.get(run.id)).waiting?.backoff).toBe(1);
  await page.goto(`/runs/${run.id}`);
  await expect(
    page.getByText(/1 chunk waits after a failed attempt \(rate limit\), next try at \d\d:\d\d:\d\d/).first(),
  ).toBeVisible();
  await expect(page.getByRole("region", { name: "Waiting after a failed attempt" })).toContainText(
    "The provider limits the rate",
  );
  await expect(page.getByText("No chunk has failed.")).toHaveCount(0);
});
