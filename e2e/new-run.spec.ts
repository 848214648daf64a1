import { expect, expectAccessible, test } from "./console-test";

const KEY = "sk-canary-9f8e7d6c5b4a39281706f5e4d3c2b1a0";

test("pasted notes are previewed with their secret masked, run, and every insight leads back to its words", async ({
  page,
  request,
}) => {
  await page.goto("/runs/new");
  await expectAccessible(page);
  await page
    .getByLabel("Paste text")
    .fill(
      `# Deploy\n\n- Decided: the deploy waits for the second review, because the first one missed the migration twice.\n- The old token was Authorization: Bearer ${KEY} and is revoked.\n\n## 分块\n\n- 规则：先按标题切，再按句子切，表格和代码块不切开。\n`,
    );
  await page.getByRole("textbox", { name: "Name" }).fill("Pasted day");
  await page.getByLabel("Date", { exact: true }).fill("2026-04-19");
  await expect(page.getByText("1 secret masked", { exact: false })).toBeVisible();
  await page.getByRole("button", { name: "Start run" }).click();
  await expect(page).toHaveURL(/\/runs\/run_/);
  const id = page.url().split("/").at(-1) ?? "";
  await expect(page.getByText(/^Completed · 1\/1/).first()).toBeVisible();

  await page.getByRole("link", { name: /^Results/ }).click();
  const first = page.getByRole("listitem").filter({ hasText: "second review" }).first();
  await first.getByText(/1 source/).click();
  await first.getByRole("link", { name: /^Chunk 1/ }).click();
  await expect(page).toHaveURL(/\/chunks\/1\?/);
  await expect(page.locator("mark").first()).toContainText("second review");

  for (const path of [
    `/api/v1/runs/${id}`,
    `/api/v1/runs/${id}/chunks/1`,
    `/api/v1/runs/${id}/events?limit=500`,
    `/api/v1/runs/${id}/insights`,
    `/api/v1/runs/${id}/staged.md`,
  ]) {
    const body = await (await request.get(path)).text();
    expect(body, path).not.toContain(KEY);
  }
});

test("files of two dates become two runs, and a file that is no text stays out with its reason", async ({ page }) => {
  await page.goto("/runs/new");
  await page.locator('input[type="file"]').setInputFiles([
    {
      name: "2026-04-20.md",
      mimeType: "text/markdown",
      buffer: Buffer.from("Rule: the release is cut on Tuesday, because Monday's numbers come late.\n"),
    },
    {
      name: "2026-04-21.md",
      mimeType: "text/markdown",
      buffer: Buffer.from("根本原因：任务启动时不校验模型名，失败只写进日志。\n"),
    },
    { name: "photo.bin", mimeType: "application/octet-stream", buffer: Buffer.from([0xff, 0xfe, 0xc3, 0x28, 0x80]) },
  ]);
  await expect(page.getByText("photo.bin is not UTF-8 text. Save it as UTF-8 and add it again.")).toBeVisible();
  await page.getByRole("button", { name: "Start 2 runs" }).click();
  await expect(page).toHaveURL(/\/runs(\?.*)?$/);
  await expect(page.getByRole("link", { name: "2026-04-20.md" })).toBeVisible();
  await expect(page.getByRole("link", { name: "2026-04-21.md" })).toBeVisible();
});

test("an empty text completes with no chunks and says so", async ({ page, api }) => {
  const run = await api.create({ name: "nothing", text: "" });
  await api.until(run.id, "completed");
  await page.goto(`/runs/${run.id}`);
  await expect(
    page.getByText("Completed: the text was empty or all of it was noise, so there was nothing to send.").first(),
  ).toBeVisible();
});

test("an empty file is a run that completes with no chunks", async ({ page }) => {
  await page.goto("/runs/new");
  await page
    .locator('input[type="file"]')
    .setInputFiles([{ name: "2026-04-22.md", mimeType: "text/markdown", buffer: Buffer.alloc(0) }]);
  await expect(page.getByText("Empty: it will complete with 0 chunks")).toBeVisible();
  await page.getByRole("button", { name: "Start run" }).click();
  await expect(
    page.getByText("Completed: the text was empty or all of it was noise, so there was nothing to send.").first(),
  ).toBeVisible();
});
