import { expect, expectAccessible, test } from "./console-test";

test("a newcomer runs the sample, sees what failed, retries it and reads the results", async ({ page, request, api }) => {
  const { items } = await (await request.get("/api/v1/runs")).json();
  expect(items, "this file runs first, on an empty store").toEqual([]);
  await page.goto("/");
  await expect(page).toHaveURL(/\/runs$/);
  await expect(page.getByRole("heading", { name: "No run yet" })).toBeVisible();
  await expect(page.getByRole("main").getByRole("link", { name: "New run" })).toBeVisible();
  await expectAccessible(page);

  await page.getByRole("button", { name: "Run the sample" }).click();
  await expect(page).toHaveURL(/\/runs\/run_/);
  const id = page.url().split("/").at(-1) ?? "";
  await expect(page.getByRole("heading", { name: "Sample day" })).toBeVisible();
  await api.until(id, "incomplete");
  await expect(page.getByText(/^Incomplete: \d+ chunks? of \d+ failed/).first()).toBeVisible();
  await expect(page.getByRole("region", { name: "Errors" })).toContainText("provider-unavailable");

  await page.getByRole("button", { name: "Retry failed chunks" }).click();
  await page.getByRole("dialog").or(page.getByRole("alertdialog")).getByRole("button", { name: "Retry failed chunks" }).click();
  await expect(page.getByText("retried", { exact: false }).first()).toBeVisible();
  await expect(page.getByRole("region", { name: "Errors" })).not.toContainText("provider-unavailable");

  await page.getByRole("button", { name: "Finish with gaps" }).click();
  await page.getByRole("dialog").or(page.getByRole("alertdialog")).getByRole("button", { name: "Finish with gaps" }).click();
  await api.until(id, "completed");
  await page.getByRole("link", { name: /^Results/ }).click();
  await expect(page.getByText("Staged: nothing has been applied.")).toBeVisible();
  await expect(page.getByText("Partial: chunks are missing, and the operator accepted that.")).toBeVisible();
  await expect(page.getByRole("listitem").filter({ hasText: "importer" }).first()).toBeVisible();
});
