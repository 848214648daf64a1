import type { Page } from "@playwright/test";
import { test as consoleTest, expect, expectAccessible, sections } from "./console-test";
import { NAMED_HOST, NAMED_URL, OWN_URL, startTokenServer, TOKEN } from "./token-server";

/** Pages by the server's name, with a browser that knows where that is. */
const test = consoleTest.extend<object, { tokenServer: undefined }>({
  launchOptions: [
    async ({ launchOptions }, use) =>
      use({ ...launchOptions, args: [...(launchOptions.args ?? []), `--host-resolver-rules=MAP ${NAMED_HOST} 127.0.0.1`] }),
    { scope: "worker" },
  ],
  tokenServer: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads what a fixture needs off this pattern.
    async ({}, use) => {
      const stop = await startTokenServer();
      await use(undefined);
      await stop();
    },
    { scope: "worker", auto: true },
  ],
});

test.use({ baseURL: NAMED_URL });

const REFUSED = /status of 401/;
const bearer = { authorization: `Bearer ${TOKEN}` };
const field = (page: Page) => page.getByLabel("Access token");

async function enter(page: Page, token: string): Promise<void> {
  await field(page).fill(token);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

/** A run made by a program with the token. */
async function createRun(name: string, text: string, chunkTokens = 80): Promise<{ id: string }> {
  const response = await fetch(`${OWN_URL}/api/v1/runs`, {
    method: "POST",
    headers: { ...bearer, "content-type": "application/json" },
    body: JSON.stringify({ kind: "distill", backend: "mock", name, text, chunkTokens }),
  });
  expect(response.status).toBe(201);
  return response.json();
}

test.describe("people", () => {
  test.use({ expectedInConsole: REFUSED });

  test("are led to the sign-in page, in with the right token, on to their page, which lives, and out again", async ({
    page,
    context,
  }) => {
    const run = await createRun("Watched", sections(["[[mock:delay=4000]]", "[[mock:delay=4000]]"]));
    await page.goto(`/runs/${run.id}?from=chat`);
    await expect(page).toHaveURL(`${NAMED_URL}/login?next=${encodeURIComponent(`/runs/${run.id}?from=chat`)}`);
    await expect(field(page)).toBeFocused();

    await enter(page, "a-wrong-token-0123456789");
    await expect(page.getByRole("alert").filter({ hasText: "token" })).toHaveText("That is not the access token of this server.");
    await expect(field(page)).toBeFocused();

    await enter(page, TOKEN);
    await expect(page).toHaveURL(`${NAMED_URL}/runs/${run.id}?from=chat`);
    await expect(page.getByRole("heading", { name: "Watched" })).toBeVisible();
    await expect(page.getByRole("status").filter({ hasText: /^Live:/ })).toBeAttached();
    await expect(page.getByText(/^Completed/).first()).toBeVisible();

    const [session] = (await context.cookies()).filter(({ name }) => name === "switchyard-session");
    expect(session).toMatchObject({ httpOnly: true, sameSite: "Lax", secure: false, path: "/" });
    expect(session?.value).not.toContain(TOKEN);
    await page.goto("/login?next=/runs/new");
    await expect(page, "who is in has no use for the form").toHaveURL(`${NAMED_URL}/runs/new`);

    await page.getByRole("button", { name: "Sign out" }).click();
    await expect(page).toHaveURL(`${NAMED_URL}/login`);
    expect((await context.cookies()).filter(({ name }) => name === "switchyard-session")).toEqual([]);
    await page.goto("/runs");
    await expect(page).toHaveURL(`${NAMED_URL}/login?next=%2Fruns`);
  });

  test("whose session ends keep what they entered, and go on in all tabs once they sign in again", async ({ page, context }) => {
    await page.goto("/login?next=/runs/new");
    await enter(page, TOKEN);
    const text = page.getByLabel("Paste text");
    await text.fill("Decided: the draft stays where it is, because nobody likes to type it twice.");
    const other = await context.newPage();
    await other.goto("/runs");
    await expect(other.getByRole("status").filter({ hasText: /^Live:/ })).toBeAttached();

    await page.bringToFront();
    await context.clearCookies({ name: "switchyard-session" });
    await page.getByRole("button", { name: "Start" }).click();
    const ended = page.getByRole("dialog", { name: "You are signed out" });
    await expect(ended).toBeVisible();
    await expect(page.getByText(/^Signed out:/)).toBeAttached();
    await expect(other.getByRole("dialog", { name: "You are signed out" })).toBeAttached();
    await expectAccessible(page);

    await page.keyboard.press("Escape");
    await expect(ended).toBeHidden();
    await expect(text).toHaveValue(/^Decided: the draft stays/);
    await page.getByRole("alert").getByRole("button", { name: "Sign in" }).click();
    await enter(page, TOKEN);
    await expect(ended).toBeHidden();
    await expect(other.getByRole("dialog")).toBeHidden();
    await expect(page.getByRole("status").filter({ hasText: /^Live:/ })).toBeAttached();
    await page.getByRole("button", { name: "Start" }).click();
    await expect(page).toHaveURL(/\/runs\/run_/);
  });

  test("without scripts sign in too", async ({ browser }) => {
    const context = await browser.newContext({ baseURL: NAMED_URL, javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto("/runs/new");
    await enter(page, "a-wrong-token-0123456789");
    await expect(page).toHaveURL(`${NAMED_URL}/login?next=%2Fruns%2Fnew&refused=wrong`);
    await expect(page.getByText("That is not the access token of this server.")).toBeVisible();
    await enter(page, TOKEN);
    await expect(page).toHaveURL(`${NAMED_URL}/runs/new`);
    await context.close();
  });
});

for (const look of [
  { name: "light", colorScheme: "light", width: 1280, locale: "en" },
  { name: "dark", colorScheme: "dark", width: 1280, locale: "en" },
  { name: "narrow Chinese", colorScheme: "light", width: 390, locale: "zh" },
] as const) {
  test(`the sign-in page and the console behind it are accessible: ${look.name}`, async ({ page, context }) => {
    await context.addCookies([{ name: "switchyard-locale", value: look.locale, url: NAMED_URL }]);
    await page.emulateMedia({ colorScheme: look.colorScheme });
    await page.setViewportSize({ width: look.width, height: 844 });
    await page.goto("/runs");
    const token = page.getByLabel(look.locale === "zh" ? "访问令牌" : "Access token");
    await expect(token).toBeFocused();
    await expectAccessible(page);
    await token.fill(TOKEN);
    await token.press("Enter");
    await expect(page).toHaveURL(`${NAMED_URL}/runs`);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expectAccessible(page);
    if (look.width < 640) {
      await page.getByRole("button", { name: "更多" }).click();
      await page.getByRole("menuitem", { name: "退出登录" }).click();
      await expect(page).toHaveURL(`${NAMED_URL}/login`);
    }
  });
}

test("programs come in by bearer token, strangers and foreign names do not", async ({ request }) => {
  const get = async (target: string, headers: Record<string, string> = {}) => {
    const response = await request.get(`${OWN_URL}${target}`, { headers, maxRedirects: 0 });
    const isJson = response.headers()["content-type"]?.startsWith("application/json") ?? false;
    return { status: response.status(), headers: response.headers(), body: isJson ? await response.json() : null };
  };
  expect(await get("/api/health")).toMatchObject({ status: 200, body: { status: "ok" } });
  expect((await get("/api/v1/runs", bearer)).status).toBe(200);
  expect((await get("/runs", bearer)).status).toBe(200);
  expect(await get("/api/v1/runs")).toMatchObject({
    status: 401,
    headers: { "www-authenticate": "Bearer" },
    body: { error: { code: "unauthorized" } },
  });
  expect((await get("/api/trpc/live.runs", { accept: "text/event-stream" })).status).toBe(401);
  expect(await get("/runs?status=failed")).toMatchObject({
    status: 307,
    headers: { location: "/login?next=%2Fruns%3Fstatus%3Dfailed" },
  });
  for (const target of ["/runs", "/login", "/api/v1/runs", "/api/health"]) {
    expect(await get(target, { ...bearer, host: "evil.example" })).toMatchObject({
      status: 403,
      body: { error: { code: "foreign_host" } },
    });
  }
  // Pages and routes count together, and a client cannot pass for another.
  for (let time = 0; time < 5; time++) {
    const target = time % 2 === 0 ? "/runs" : "/api/v1/runs";
    const guess = {
      authorization: `Bearer guess-${time}`,
      "x-forwarded-for": "203.0.113.7",
      "x-switchyard-peer": `198.51.100.${time}`,
    };
    expect((await get(target, guess)).status).toBe(401);
  }
  const limited = await get("/api/v1/runs", { ...bearer, "x-forwarded-for": "203.0.113.7", "x-switchyard-peer": "198.51.100.9" });
  expect(limited).toMatchObject({ status: 429, body: { error: { code: "too_many_requests" } } });
  expect(Number(limited.headers["retry-after"])).toBeGreaterThan(0);
  expect((await get("/api/v1/runs", { ...bearer, "x-forwarded-for": "203.0.113.8" })).status).toBe(200);
});
