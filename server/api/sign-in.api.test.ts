/** A server with a token: the form, and where it leads. */
import { describe, expect, it } from "vitest";
import { apiRequest } from "@/server/testing/api-container";
import { BY_SCRIPT, errorOf, guardedServer, type Head, page, rest, submit, TOKEN, trpc } from "@/server/testing/guarded-server";
import { isSignInUsed, signInPage } from "./page-access";
import { handleSignOut } from "./sign-in-handler";

const server = guardedServer();

describe("signing in", () => {
  it("begins a session and leads on", async () => {
    const response = await submit({ token: ` ${TOKEN}\n`, next: "/runs?status=failed" });
    expect([response.status, response.headers.get("location"), response.headers.get("cache-control")]).toEqual([
      303,
      "/runs?status=failed",
      "no-store",
    ]);
    const cookie = response.headers.get("set-cookie") ?? "";
    expect(cookie).toMatch(/^switchyard-session=[\w.-]+; Path=\/; HttpOnly; SameSite=Lax; Secure; Max-Age=604800$/);
    expect(cookie).not.toContain("canary");
    const head = { cookie: cookie.split(";")[0] ?? "" };
    expect([(await rest(head)).status, (await trpc(head)).status, page(head).kind]).toEqual([200, 200, "show"]);
  });

  it("tells a script where to go", async () => {
    const response = await submit({ token: TOKEN, next: "/runs/new" }, BY_SCRIPT);
    expect([response.status, await response.json()]).toEqual([200, { next: "/runs/new" }]);
    expect(response.headers.get("set-cookie")).toMatch(/^switchyard-session=/);
  });

  it.each(["//evil.example", "/\\evil.example", "https://evil.example", "javascript:alert(1)", "/\t/evil.example"])(
    "does not lead to %j",
    async (next) => {
      expect((await submit({ token: TOKEN, next })).headers.get("location")).toBe("/");
      expect(await (await submit({ token: TOKEN, next }, BY_SCRIPT)).json()).toEqual({ next: "/" });
      expect(signInPage(new Headers(), { next }).next).toBe("/");
    },
  );

  it("with a wrong token leads back to the form, or says so to a script", async () => {
    const plain = await submit({ token: "wrong", next: "/runs/new" });
    expect([plain.status, plain.headers.get("location"), plain.headers.get("set-cookie")]).toEqual([
      303,
      "/login?next=%2Fruns%2Fnew&refused=wrong",
      null,
    ]);
    expect(await errorOf(await submit({ next: "/runs/new" }, BY_SCRIPT))).toEqual({
      status: 401,
      code: "unauthorized",
      message: "That is not the token of this server.",
    });
  });

  it.each<[string, Head, number, string]>([
    ["another site", { origin: "https://evil.example" }, 403, "foreign_origin"],
    ["a page without an origin", { origin: "null" }, 403, "foreign_origin"],
    ["another host", { host: "evil.example" }, 403, "foreign_host"],
    ["a script that sends JSON", { "content-type": "application/json" }, 415, "unsupported_media_type"],
  ])("is not for %s", async (_what, headers, status, code) => {
    expect(await errorOf(await submit({ token: TOKEN }, headers))).toMatchObject({ status, code });
  });

  it("takes no more than a form", async () => {
    expect(await errorOf(await submit({ token: "x".repeat(20_000) }))).toMatchObject({ status: 413, code: "too_large" });
  });
});

it("without a token everybody on this machine is in, and nobody signs in", async () => {
  await server.restart("", "");
  expect([isSignInUsed(), (await rest()).status, (await trpc()).status, page()]).toEqual([
    false,
    200,
    200,
    { kind: "show", setCookie: null },
  ]);
  const response = await submit({ token: "anything", next: "/runs" });
  expect([response.headers.get("location"), response.headers.get("set-cookie")]).toEqual(["/runs", null]);
  expect(signInPage(new Headers(), {}).isNeeded).toBe(false);
  const out = await handleSignOut(apiRequest("POST", "/api/sign-out", ""));
  expect([out.headers.get("location"), out.headers.get("set-cookie")]).toEqual(["/login", null]);
});
