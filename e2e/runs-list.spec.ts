import { expect, test } from "./console-test";

test("filters live in the address and the list is live", async ({ page, api }) => {
  const done = await api.create({ name: "listed and done", text: "Rule: keep the address." });
  await api.until(done.id, "completed");
  await page.goto("/runs");
  await expect(page.getByRole("link", { name: "listed and done" })).toBeVisible();
  await page.getByPlaceholder("Name or id").fill("listed and");
  await expect(page).toHaveURL(/q=listed/);
  await page.reload();
  await expect(page.getByPlaceholder("Name or id")).toHaveValue("listed and");
  await expect(page.getByRole("link", { name: "listed and done" })).toBeVisible();
  await page.getByPlaceholder("Name or id").fill("no such run anywhere");
  await expect(page.getByText(/No run matches/i).first()).toBeVisible();
});

test("the server's own pages only: a foreign host and a foreign origin are refused, pages carry a strict policy", async ({
  request,
}) => {
  expect((await request.get("/runs", { headers: { host: "evil.example" } })).status()).toBe(403);
  expect((await request.post("/api/v1/runs", { headers: { origin: "http://evil.example" }, data: {} })).status()).toBe(403);
  const policy = (await request.get("/runs")).headers()["content-security-policy"] ?? "";
  expect(policy).toContain("script-src 'self' 'nonce-");
  expect(policy).not.toMatch(/script-src[^;]*unsafe-inline/);
});
