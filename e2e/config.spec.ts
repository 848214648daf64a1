import type { Page } from "@playwright/test";
import { expect, expectAccessible, test } from "./console-test";

const editor = (page: Page) => page.getByRole("textbox", { name: "Configuration as YAML" });
const scene = (page: Page, name: string) => page.getByRole("listitem", { name, exact: true });

/** Maps the scene to a model of the mock, in the matrix. */
async function mapToMock(page: Page, name: string, model: string): Promise<void> {
  const row = scene(page, name);
  await row.getByRole("button", { name: /^(Set its own|Change the model of|Choose a model)/ }).click();
  const picker = page.getByRole("dialog", { name: `Model for ${name}` });
  await picker.getByRole("group", { name: "Provider" }).getByRole("button", { name: /^mock/ }).click();
  await picker.getByRole("textbox", { name: "Model" }).fill(model);
  await picker.getByRole("button", { name: `Use mock/${model}` }).click();
  await expect(row.getByRole("button", { name: `Change the model of ${name}, mock/${model}` })).toBeVisible();
}

const saveDialog = (page: Page) => page.getByRole("dialog", { name: "Save a new revision" });

async function signSave(page: Page, author: string, comment: string): Promise<void> {
  await page.getByRole("button", { name: "Save…" }).click();
  const dialog = saveDialog(page);
  await dialog.getByLabel("Your name").fill(author);
  await dialog.getByLabel("What and why").fill(comment);
  await expect(dialog.getByRole("region", { name: "What that means" }).getByRole("status")).toHaveCount(0);
}

async function confirmSave(page: Page): Promise<void> {
  await saveDialog(page).getByRole("button", { name: "Save", exact: true }).click();
  await expect(saveDialog(page)).toHaveCount(0);
}

async function save(page: Page, author: string, comment: string): Promise<void> {
  await signSave(page, author, comment);
  await confirmSave(page);
}

/** The number of the newest revision, as the page's head has it. */
async function newestNumber(page: Page): Promise<number> {
  const text = await page
    .getByRole("link", { name: /^Revision \d+ by / })
    .first()
    .textContent();
  return Number(/\d+/.exec(text ?? "")?.[0]);
}

test("a mapping is changed in the matrix, tried, explained and saved; a reload loses nothing", async ({ page }) => {
  await page.goto("/config");
  await expect(scene(page, "planner")).toBeVisible();
  await expectAccessible(page);
  const before = await newestNumber(page);
  await mapToMock(page, "planner", "mock-planner");
  await page.reload();
  await expect(page.getByText(`based on revision ${before}.`)).toBeVisible();
  await expect(scene(page, "planner")).toContainText("mock/mock-planner");
  await scene(page, "planner").getByRole("button", { name: "Test planner with one tiny call" }).click();
  await expect(scene(page, "planner").getByText("It answered.")).toBeVisible();
  await scene(page, "planner").getByRole("button", { name: "Why does planner get this model?" }).click();
  const why = page.getByRole("dialog", { name: "Why this model?" });
  await expect(why.getByText("has its own entry, models.planner")).toBeVisible();
  await expect(why.getByRole("listitem").filter({ hasText: "Chosen" })).toContainText("mock/mock-planner");
  await expectAccessible(page);
  await why.getByRole("button", { name: "Close" }).click();

  await save(page, "Ann", "The planner plans on the mock");
  await expect(page.getByRole("link", { name: `Revision ${before + 1} by Ann` }).first()).toBeVisible();
  await expect(page.getByText(/You have an unsaved draft/)).toHaveCount(0);
  await page
    .getByRole("link", { name: `Revision ${before + 1} by Ann` })
    .first()
    .click();
  await expect(page.getByText("The planner plans on the mock")).toBeVisible();
  await expect(page.getByRole("region", { name: "What it changed" })).toContainText("planner: mock/mock-planner");
  await expectAccessible(page);
});

test("an error in the text is said at its line, and everything readable stays in reach", async ({ page }) => {
  await page.goto("/config/yaml");
  await editor(page).click();
  await page.keyboard.press("ControlOrMeta+Home");
  await page.keyboard.type("maxRounds: many\n");
  const problem = page.getByRole("list", { name: "Problems" }).getByRole("button", { name: /maxRounds/ });
  await expect(problem).toContainText("line 1, column 12");
  await expect(page.locator(".cm-lintRange-error")).toHaveText("many");
  await expectAccessible(page);
  const refused = page.getByRole("button", { name: "Save…" });
  await expect(refused).toHaveAttribute("aria-disabled", "true");
  await expect(refused).toHaveAccessibleDescription("Mend the error first");
  await problem.click();
  await page.keyboard.press("Delete");
  await expect(editor(page)).toBeFocused();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Tab");
  await expect(editor(page)).not.toBeFocused();
  await page.getByRole("link", { name: /^Models/ }).click();
  await expect(scene(page, "extract")).toBeVisible();
  await page.getByRole("button", { name: "Discard" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Discard" }).click();
  await expect(page.getByText(/You have an unsaved draft/)).toHaveCount(0);
});

test("a pasted key is refused, and is nowhere", async ({ page }) => {
  const key = "sk-canary-4b3a29180f7e6d5c9f8e7d6c5b4a3928";
  const sent: string[] = [];
  page.on("request", (request) => sent.push(request.postData() ?? ""));
  await page.goto("/config/providers");
  await page.getByRole("button", { name: "Add a provider" }).click();
  const dialog = page.getByRole("dialog", { name: "Add a provider" });
  const field = dialog.getByLabel("Key reference");
  await field.fill("");
  await field.fill(key);
  await expect(dialog.getByText(/That is not a reference, so it was not taken over/)).toBeVisible();
  await expect(field).toHaveValue("");
  expect(await page.content()).not.toContain(key);
  expect(await page.evaluate(() => JSON.stringify(Object.entries(localStorage)))).not.toContain(key);
  expect(sent.join("\n")).not.toContain(key);
});

test("who saves second sees mine, theirs and the base, and saves both on top", async ({ page, browser, baseURL }) => {
  await page.goto("/config");
  const before = await newestNumber(page);
  // Another operator, in another browser: the refused save is printed into that console by the browser itself.
  const context = await browser.newContext({ baseURL: baseURL ?? "" });
  const other = await context.newPage();
  await other.goto("/config");
  await mapToMock(other, "summarizer", "mock-second");
  // His window is open before she saves: a page that knew of her revision would lead to the three-way view by itself.
  await signSave(other, "Ben", "Second");
  await mapToMock(page, "supervisor", "mock-first");
  await save(page, "Ann", "First");
  // Her next draft starts from what she saved just now.
  await mapToMock(page, "planner", "mock-late");
  await confirmSave(other);
  await expect(other).toHaveURL(/\/config\/merge$/);
  await expect(other.getByText(`Revision ${before + 1} by Ann came first. What shall count?`)).toBeVisible();
  await expect(other.getByRole("region", { name: "What they changed" }).first()).toContainText("supervisor: mock/mock-first");
  await expect(other.getByRole("region", { name: "What you changed" }).first()).toContainText("summarizer: mock/mock-second");
  await expect(other.getByRole("textbox", { name: "Mine: the draft" })).toBeVisible();
  await expectAccessible(other);
  await other.getByRole("button", { name: "Keep mine, on top of theirs" }).click();
  await expect(other).toHaveURL(/\/config\/yaml$/);
  await expect(editor(other)).toContainText("supervisor: mock/mock-first");
  await expect(editor(other)).toContainText("summarizer: mock/mock-second");
  await save(other, "Ben", "Second, on top of the first");
  await expect(other.getByRole("link", { name: `Revision ${before + 2} by Ben` }).first()).toBeVisible();
  await context.close();

  // Ann hears of it by herself.
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await expect(page.getByText(new RegExp(`^Revision ${before + 2} by Ben was saved meanwhile`))).toBeVisible();
  await page.getByRole("link", { name: "Compare and merge" }).click();
  await page.getByRole("button", { name: "Take theirs" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Take theirs" }).click();
  await expect(page.getByText(/You have an unsaved draft/)).toHaveCount(0);
});

test("the first revision is brought back as a new one", async ({ page }) => {
  await page.goto("/config/revisions");
  await expectAccessible(page);
  const before = await newestNumber(page);
  await page
    .getByRole("link", { name: /^Revision 1 by / })
    .last()
    .click();
  await page.getByRole("link", { name: "Difference to the newest" }).click();
  await expect(page.getByRole("region", { name: "Difference to the newest" })).toBeVisible();
  await page.getByRole("button", { name: "Roll back" }).click();
  const dialog = page.getByRole("dialog", { name: "Roll back to revision 1?" });
  await dialog.getByLabel("Your name").fill("Cay");
  await dialog.getByLabel("What and why").fill("As it was at the beginning");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Roll back" }).click();
  await expect(page).toHaveURL(/\/config\/revisions$/);
  await expect(page.getByRole("listitem").first()).toContainText("brought back revision 1");
  await expect(page.getByRole("link", { name: `Revision ${before + 1} by Cay` }).first()).toBeVisible();
  await page.goto("/config/revisions/9999");
  await expect(page.getByRole("heading", { name: "There is no revision 9999" })).toBeVisible();
});
