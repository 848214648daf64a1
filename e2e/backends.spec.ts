import { chatFrames, jsonAnswer, sseAnswer, startLoopbackUpstream } from "../server/testing/loopback-upstream";
import { expect, expectAccessible, sections, test } from "./console-test";

test("a provider that was never checked is unknown until it is checked", async ({ page, api }) => {
  await page.goto("/runs");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  // Keys count once the page listens, which is later than it is seen.
  await expect(async () => {
    await page.keyboard.press("g");
    await page.keyboard.press("b");
    await expect(page).toHaveURL(/\/backends$/, { timeout: 2_000 });
  }).toPass();
  const table = page.getByRole("table", { name: "Configured backends" });
  const mock = table.getByRole("rowgroup").filter({ has: page.getByRole("link", { name: "mock", exact: true }) });
  await expect(mock.getByText("mock was never checked.")).toBeVisible();
  await expect(mock.getByText("Unknown", { exact: true })).toHaveCount(2);

  await mock.getByRole("button", { name: "Check mock now" }).click();
  await expect(mock.getByText("Healthy", { exact: true })).toHaveCount(2);
  await expect(mock.getByText("by an operator", { exact: false })).toBeVisible();
  await expect(mock.getByRole("status")).toHaveText(/^mock: Healthy, after /);

  const run = await api.create({ name: "seen by the mock", text: "Rule: what was asked is seen." });
  await api.until(run.id, "completed");
  await expect(mock.getByRole("link", { name: "Last seen in a run: open chunk 1" })).toHaveAttribute(
    "href",
    `/runs/${run.id}/chunks/1`,
  );
  await mock.getByRole("link", { name: "mock", exact: true }).click();
  await expect(page.getByRole("heading", { name: "mock", level: 1 })).toBeVisible();
  const evidence = page.getByRole("region", { name: "Evidence for mock" });
  await expect(evidence.getByRole("row", { name: /^usage/ })).toContainText("agrees");
  await expect(page.getByRole("link", { name: "seen by the mock" })).toBeVisible();

  // What only a check can tell is told by one, which asks first.
  await expect(evidence.getByRole("row", { name: /^cancel/ })).toContainText("never checked");
  const button = page.getByRole("button", { name: "Check the capabilities of mock" });
  await button.click();
  const dialog = page.getByRole("alertdialog", { name: /^Check what mock\// });
  await expect(dialog).toContainText("They stay inside this server and cost nothing.");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Check capabilities" }).click();
  await expect(evidence.getByRole("row", { name: /^cancel/ })).toContainText("agrees");
  await expect(evidence.getByRole("row", { name: /^streaming/ })).toContainText(/works.*seen.*agrees/);
  await expect(button).toBeFocused();
  await expectAccessible(page);
});

test("a cooldown is shown with its reason and cleared by hand", async ({ page, request, api }) => {
  const upstream = await startLoopbackUpstream();
  upstream.otherwise(jsonAnswer(429, { error: { message: "60 requests per minute" } }, { "retry-after": "600" }));
  const { text, number } = await (await request.get("/api/v1/config")).json();
  const save = async (changed: string, baseRevision: number) => {
    const saved = await request.put("/api/v1/config", { data: { text: changed, baseRevision, author: "Ann" } });
    expect(saved.status(), await saved.text()).toBe(200);
  };
  await save(`${text}\nproviders:\n  limited: { baseUrl: "${upstream.baseUrl}" }\n`, number);
  try {
    const order = { name: "cools down", backend: "limited", model: "m1", text: "Rule: wait.", maxAttempts: 1 };
    await api.until((await api.create(order)).id, "incomplete");
    await page.goto("/backends");
    const row = page
      .getByRole("list", { name: "Cooling down" })
      .getByRole("listitem")
      .filter({ hasText: "limited/m1 cools down" });
    await expect(row).toContainText("60 requests per minute");
    await expect(row).toContainText(/m1 cools down\d+m( \d+s)? left/);
    await expectAccessible(page);
    upstream.otherwise(sseAnswer(chatFrames()));
    await row.getByRole("button", { name: "Clear the cooldown of limited/m1" }).click();
    await expect(page.getByText("limited/m1 may be asked again")).toBeVisible();
    await expect(row).toHaveCount(0);
    await expect(page.getByRole("heading", { name: "limited", exact: true })).toBeFocused();
    await api.until((await api.create(order)).id, "completed");
    expect(upstream.requests).toHaveLength(2);
  } finally {
    const { number: newest } = await (await request.get("/api/v1/config")).json();
    await save(text, newest);
    await upstream.close();
  }
});

test("what is not configured is folded away, and found by its name", async ({ page }) => {
  await page.goto("/backends");
  const folded = page.getByRole("group").filter({ hasText: "Not configured" });
  await expect(folded.getByRole("link", { name: "openclaw-auth", exact: true })).toBeHidden();
  const search = page.getByRole("searchbox", { name: /^Search backends/ });
  await expect(search).toBeVisible();
  await page.keyboard.press("/");
  await expect(search).toBeFocused();
  await page.keyboard.type("openclaw");
  await expect(page).toHaveURL(/q=openclaw/);
  await expect(folded.getByRole("link", { name: "openclaw-auth", exact: true })).toBeVisible();
  await expect(folded.getByText("openclaw-gateway").first()).toBeVisible();
});

test("failed chunks of an incomplete run are sent to another provider, which the run remembers", async ({ page, api }) => {
  const run = await api.create({
    name: "to another provider",
    text: sections(["fine", "[[mock:fail=provider-auth-failed]]"]),
    chunkTokens: 60,
  });
  await api.until(run.id, "incomplete");
  await page.goto(`/runs/${run.id}`);
  await page.getByRole("region", { name: "Errors" }).getByRole("button", { name: "Retry with…" }).click();
  const dialog = page.getByRole("alertdialog");
  await dialog.getByRole("radio", { name: /^A provider/ }).check();
  await dialog.getByRole("combobox", { name: "Provider" }).selectOption("extractive");
  await expect(dialog.getByRole("listitem").filter({ hasText: "extractive/extractive-1" })).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Retry" }).click();
  await expect(dialog).toBeHidden();
  await api.until(run.id, "completed");
  const models = page.getByRole("region", { name: "Models" });
  await expect(models.getByText("Choice 1 of a retry")).toBeVisible();
  await expect(models.getByRole("listitem").filter({ hasText: /extractive\/extractive-1.*asked/ })).toBeVisible();
  await page.goto(`/runs/${run.id}/chunks/2?attempt=2`);
  await expect(page.getByText("extractive-1").first()).toBeVisible();
});

test("a run says why its model was asked", async ({ page, request, api }) => {
  const response = await request.post("/api/v1/runs", {
    data: { kind: "distill", scene: "extract", name: "asked by scene", text: "Rule: the reason is told." },
  });
  const { id } = await response.json();
  await api.until(id, "completed");
  await page.goto(`/runs/${id}`);
  const models = page.getByRole("region", { name: "Models", exact: true });
  await models.getByRole("button", { name: "Why this model?" }).click();
  await expect(models.getByRole("region", { name: "Why this model?" })).toContainText("Chosen");
  await expectAccessible(page);
});
