import type { Page } from "@playwright/test";
import { AGENT_URL, PAINTER, startAgentServer, WORKER } from "./agent-server";
import { expect, expectAccessible, test } from "./console-test";

const ASKS = "[[fake:asks:item/commandExecution/requestApproval]]";
const QUESTION = "May it run this command?";

let workspace = "";
let stop = async () => {};

test.beforeAll(async () => {
  test.setTimeout(180_000);
  ({ workspace, stop } = await startAgentServer());
});
test.afterAll(() => stop());

interface Order {
  prompt: string;
  backend?: string;
  approval?: "never" | "on-request";
}

/** A run made over REST, and its page. */
async function open(page: Page, { prompt, backend = WORKER, approval = "on-request" }: Order): Promise<string> {
  const response = await page.request.post(`${AGENT_URL}/api/v1/runs`, {
    data: { kind: "thread", backend, prompt, executionPolicy: { workspace, sandbox: "workspace-write", approval } },
  });
  expect(response.status(), await response.text()).toBe(201);
  const { id } = await response.json();
  await page.goto(`${AGENT_URL}/runs/${id}`);
  return id;
}

const conversation = (page: Page) => page.getByRole("region", { name: "Conversation, step by step" });
const step = (page: Page, text: string | RegExp) => conversation(page).getByRole("listitem").filter({ hasText: text });
const reply = (page: Page) => page.getByRole("region", { name: "Text of the reply" });
const composer = (page: Page) => page.getByRole("textbox", { name: "What to do next" });
const heading = (page: Page) => page.getByRole("heading", { level: 1 });

test("a task is written, asks, is accepted, and goes on in another turn", async ({ page }) => {
  await page.goto(`${AGENT_URL}/runs/new`);
  await page.getByRole("link", { name: "Agent task" }).click();
  await page.getByLabel("What should it do?").fill(`${ASKS} Publish it`);
  await page.getByLabel("Provider").selectOption(WORKER);
  await page.getByRole("combobox", { name: "Workspace" }).fill(workspace);
  await page.getByRole("radio", { name: "Writes in its workspace" }).check();
  await page.getByLabel("Questions").selectOption("on-request");
  await expect(page.getByText("Key env:E2E_AGENT_KEY: set")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Start" }).click();

  const card = page.getByRole("article", { name: QUESTION });
  await expect(card).toContainText("true");
  await expect(card).toContainText("the fake needs it");
  await expect(card).toContainText(/\d+m \d+s left, then it counts as declined/);
  await expect(page.getByText("Waits for you", { exact: true })).toBeVisible();
  await expect(page).toHaveTitle(/^\? /);
  await expectAccessible(page);
  await card.getByLabel("Your name").fill("Ana");
  // Reached by the keyboard, from the name on.
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(card).toHaveCount(0);
  await expect(reply(page)).toContainText("Publish it");
  const call = step(page, "accepted by Ana");
  await call.getByRole("button").click();
  await expect(call.getByRole("region", { name: "Output of true" })).toHaveText("done");

  await composer(page).fill("Now the linter");
  await page.reload();
  await expect(composer(page)).toHaveValue("Now the linter");
  await composer(page).press("Control+Enter");
  await expect(reply(page)).toHaveText("Reply to Now the linter");
  await expect(step(page, "Turn 2").first()).toBeVisible();
  await expect(composer(page)).toHaveValue("");
  await expect(page.getByRole("region", { name: "Process" })).toContainText("Idle, kept for the next turn");

  await page.getByRole("link", { name: /^Raw events/ }).click();
  await expect(page.getByRole("list", { name: "Events of the run" })).toContainText("approval_requested");
  await expect(composer(page)).toBeVisible();
});

test("a question waits visibly in the list, and can be declined", async ({ page }) => {
  const id = await open(page, { prompt: `${ASKS} Drop the tables` });
  await expect(page.getByRole("article", { name: QUESTION })).toBeVisible();
  const [asked] = (await (await page.request.get(`${AGENT_URL}/api/v1/runs/${id}/approvals`)).json()).items;
  expect(asked.status).toBe("pending");
  await page.goto(`${AGENT_URL}/runs`);
  const row = page.getByRole("row").filter({ hasText: "Drop the tables" });
  await expect(row).toContainText("Waits for you");
  await expect(row).toContainText("1 turn");
  await row.getByRole("button", { name: /^Actions for/ }).click();
  await expect(page.getByRole("menuitem")).toHaveText(["Cancel run"]);
  await page.keyboard.press("Escape");
  await row.getByRole("link").click();
  await page.getByRole("article", { name: QUESTION }).getByRole("button", { name: "Decline" }).click();
  await expect(step(page, /true.*declined/)).toBeVisible();
  await expect(reply(page)).toContainText("Drop the tables");
});

test("a turn is interrupted, the next one waits meanwhile, and the run goes on where it was", async ({ page }) => {
  await open(page, { prompt: "[[fake:running-command]] Work for long" });
  await expect(step(page, /true.*running/)).toBeVisible();
  await expect(page.getByRole("region", { name: "Process" })).toContainText("Working");
  await composer(page).fill("Then tidy up");
  await page.getByRole("button", { name: "Send" }).click();
  await expect(step(page, "Turn 2")).toContainText("Waits");
  await expect(page.getByText("1 turn waits")).toBeVisible();
  await page.getByRole("button", { name: "Interrupt" }).click();
  await expect(reply(page)).toHaveText("Reply to Then tidy up");
  await expect(step(page, "Turn 1 was interrupted")).toBeVisible();

  await composer(page).fill("[[fake:silent-turn]] Once more");
  await page.getByRole("button", { name: "Send" }).click();
  await expect(page.getByText("Turn 3 is under way").first()).toBeVisible();
  await page.getByRole("button", { name: "Interrupt" }).click();
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(reply(page)).toHaveText("Reply to Continue where you were interrupted.");
});

test("a change of files is asked about, and shown as a patch", async ({ page }) => {
  await open(page, { prompt: "Paint it", backend: PAINTER });
  const card = page.getByRole("article", { name: "May it change these files?" });
  await expect(card).toContainText("note.txt");
  const proposed = step(page, "Wants to change 1 file");
  await proposed.getByRole("button").click();
  await expect(proposed.getByRole("region", { name: /^Patch of step/ })).toContainText("hello");
  await card.getByLabel("Your name").fill("Ben");
  await card.getByRole("button", { name: "Accept" }).click();
  await expect(step(page, "Changed 1 file")).toContainText("accepted by Ben");
  const change = step(page, "All changes of the turn: 1 file");
  await expect(change).toContainText("note.txt");
  await change.getByRole("button").click();
  await expect(change.getByRole("region", { name: /^Patch of step/ })).toContainText("+hello");
  await expectAccessible(page);
});

test("a failure is found from the top, and the conversation is over when the run is cancelled", async ({ page }) => {
  await open(page, { prompt: "[[fake:failed-turn]] Try it" });
  await expect(heading(page)).toContainText("Try it");
  await page.getByRole("button", { name: "Jump to first error" }).click();
  await expect(step(page, "the fake fails this turn").first()).toBeFocused();
  await composer(page).fill("[[fake:silent-turn]] Again");
  await page.getByRole("button", { name: "Send" }).click();
  await expect(page.getByText("Turn 2 is under way").first()).toBeVisible();
  await page.getByRole("button", { name: "Cancel run" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Cancel the run" }).click();
  await expect(page.getByText("The run is cancelled: its conversation is over.", { exact: false })).toBeVisible();
  await expect(composer(page)).toHaveCount(0);
});

test.describe("an order that is refused", () => {
  test.use({ expectedInConsole: /403/ });

  test("is told whole, and can be mended", async ({ page }) => {
    await page.goto(`${AGENT_URL}/runs/new/agent`);
    await page.getByLabel("What should it do?").fill("Look around");
    await page.getByRole("combobox", { name: "Workspace" }).fill("/");
    await page.getByRole("button", { name: "Start" }).click();
    await expect(page.getByRole("main").getByRole("alert")).toContainText(
      "The workspace / lies in none of the folders that agents.workspaces allows",
    );
    await page.getByRole("combobox", { name: "Workspace" }).fill("");
    await page.getByRole("button", { name: "Start" }).click();
    await expect(reply(page)).toHaveText("Reply to Look around");
  });
});

for (const look of [
  { name: "dark", colorScheme: "dark", width: 1280, locale: "en" },
  { name: "narrow Chinese", colorScheme: "light", width: 390, locale: "zh" },
] as const) {
  test(`the page of a run that asks is accessible: ${look.name}`, async ({ page, context }) => {
    await context.addCookies([{ name: "switchyard-locale", value: look.locale, url: AGENT_URL }]);
    await page.emulateMedia({ colorScheme: look.colorScheme });
    await page.setViewportSize({ width: look.width, height: 844 });
    const id = await open(page, {
      prompt: `${ASKS} 一个名字很长很长的任务 ${"with a name that is longer than the page ".repeat(4)}`,
    });
    await expect(page.getByRole("article")).toBeVisible();
    await expectAccessible(page);
    await page.goto(`${AGENT_URL}/runs/${id}/events`);
    await expect(page.getByRole("article")).toBeVisible();
    await expectAccessible(page);
    await page.goto(`${AGENT_URL}/runs/new/agent`);
    await expect(page.getByRole("button", { name: /^(Start|启动)$/ })).toBeVisible();
    await expectAccessible(page);
  });
}
