/** A server with a token: a browser that has shown it. */
import { describe, expect, it } from "vitest";
import { apiRequest } from "@/server/testing/api-container";
import { DAY_MS, errorOf, guardedServer, page, rest, session, trpc } from "@/server/testing/guarded-server";
import { signInPage } from "./page-access";
import { handleRest } from "./rest-handler";
import { handleSignOut } from "./sign-in-handler";
import { handleTrpc } from "./trpc-handler";

const server = guardedServer();

describe("a session", () => {
  it("goes on while it is used: renewed in the second half of its week, by pages, routes and procedures", async () => {
    const head = await session();
    server.now += 3.5 * DAY_MS;
    expect([(await rest(head)).headers.get("set-cookie"), (await trpc(head)).headers.get("set-cookie"), page(head)]).toEqual([
      null,
      null,
      { kind: "show", setCookie: null },
    ]);
    server.now += 1;
    const renewed = (await rest(head)).headers.get("set-cookie");
    expect(renewed).toMatch(
      /^switchyard-session=1700907200001\.[\w.-]+; Path=\/; HttpOnly; SameSite=Lax; Secure; Max-Age=604800$/,
    );
    expect((await trpc(head)).headers.get("set-cookie")).toBe(renewed);
    expect(page(head)).toEqual({ kind: "show", setCookie: renewed });
    server.now += 3.5 * DAY_MS;
    expect((await rest(head)).status).toBe(401);
    expect(page(head)).toEqual({ kind: "sign-in", location: "/login?next=%2Fruns" });
    expect((await rest({ cookie: renewed?.split(";")[0] ?? "" })).status).toBe(200);
  });

  it("ends with another token", async () => {
    const head = await session();
    await server.restart("another-7f3a9b2c4d5e6f70");
    expect([(await rest(head)).status, page(head).kind]).toEqual([401, "sign-in"]);
  });

  it("outlives a restart with the same token", async () => {
    const head = await session();
    await server.restart();
    expect((await rest(head)).status).toBe(200);
  });

  it("is ended by signing out, which another site cannot do", async () => {
    const out = await handleSignOut(apiRequest("POST", "/api/sign-out", "", { origin: "http://127.0.0.1:4310" }));
    expect([out.status, out.headers.get("location"), out.headers.get("set-cookie")]).toEqual([
      303,
      "/login",
      "switchyard-session=; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=0",
    ]);
    const head = await session();
    await handleSignOut(apiRequest("POST", "/api/sign-out", "", { ...head, origin: "http://127.0.0.1:4310" }));
    // A copy of the cookie is worth nothing any more.
    expect([(await rest(head)).status, page(head).kind]).toEqual([401, "sign-in"]);
    const foreign = await handleSignOut(apiRequest("POST", "/api/sign-out", "", { origin: "https://evil.example" }));
    expect([foreign.status, foreign.headers.get("set-cookie")]).toEqual([403, null]);
  });

  it("does not let other sites act by it", async () => {
    const head = await session();
    for (const origin of ["https://evil.example", "http://console.example", "https://console.example:8443"]) {
      const response = await handleRest(apiRequest("POST", "/api/v1/runs", {}, { ...head, origin }));
      expect(await errorOf(response)).toMatchObject({ status: 403, code: "foreign_origin" });
    }
  });

  it("makes the sign-in page needless", async () => {
    const head = new Headers(await session());
    const query = { next: "/runs/new", refused: "wrong" };
    expect(signInPage(head, query)).toEqual({ isNeeded: false, next: "/runs/new", refused: "wrong" });
    expect(signInPage(new Headers(), query)).toEqual({ isNeeded: true, next: "/runs/new", refused: "wrong" });
    expect(signInPage(new Headers(), { next: ["/a", "/b"], refused: "<b>" })).toEqual({
      isNeeded: true,
      next: "/",
      refused: null,
    });
  });

  it("carries its end to the streams that run in it", async () => {
    const head = await session();
    server.now += 7 * DAY_MS - 1;
    // The stream looks at the real clock, by which this session ended years ago: it is opened and ends at once.
    const response = await handleTrpc(
      apiRequest("GET", "/api/trpc/live.runs", undefined, { ...head, accept: "text/event-stream" }),
    );
    expect(response.status).toBe(200);
    expect(await response.text()).toMatch(/event: return/);
  });
});
