/** A server with a token: what is told to somebody who does not show it. */
import { describe, expect, it } from "vitest";
import { apiRequest } from "@/server/testing/api-container";
import { bearer, errorOf, guardedServer, type Head, page, rest, TOKEN, trpc } from "@/server/testing/guarded-server";
import { handleHealth } from "./health-handler";
import { handleRest } from "./rest-handler";
import { handleTrpc } from "./trpc-handler";

const server = guardedServer();

describe("a stranger", () => {
  const SIGN_IN = 'This server asks for its token: sign in at /login, or send it as "Authorization: Bearer …".';
  const REFUSED = { status: 401, code: "unauthorized", message: SIGN_IN };

  it.each([
    ["a list", () => rest()],
    ["a download", () => handleRest(apiRequest("GET", "/api/v1/runs/run_1/staged.md"))],
    ["a route that is not there", () => handleRest(apiRequest("GET", "/api/v1/nothing"))],
    ["a new run", () => handleRest(apiRequest("POST", "/api/v1/runs", { kind: "distill", text: "A sentence." }))],
    ["a query", () => trpc()],
    ["a procedure that is not there", () => handleTrpc(apiRequest("GET", "/api/trpc/runs.nothing"))],
    ["a mutation", () => handleTrpc(apiRequest("POST", "/api/trpc/runs.cancel", { json: { id: "run_1" } }))],
    ["the live stream", () => handleTrpc(apiRequest("GET", "/api/trpc/live.runs", undefined, { accept: "text/event-stream" }))],
  ])("is refused %s", async (_what, ask) => {
    const response = await ask();
    expect(response.headers.get("www-authenticate")).toBe("Bearer");
    expect(response.headers.get("content-type")).toMatch(/^application\/json/);
    expect(await errorOf(response)).toEqual(REFUSED);
    expect(await server.open.container.database.run.count()).toBe(0);
  });

  it("is refused before a body is read", async () => {
    for (const handle of [handleRest, handleTrpc]) {
      const request = apiRequest("POST", "/api/v1/runs", "x".repeat(1_000));
      expect((await handle(request)).status).toBe(401);
      expect(request.bodyUsed).toBe(false);
    }
  });

  it.each([
    ["/", "/login"],
    ["/runs", "/login?next=%2Fruns"],
    ["/runs/run_1/events?seq=7&type=a,b", "/login?next=%2Fruns%2Frun_1%2Fevents%3Fseq%3D7%26type%3Da%2Cb"],
    ["/nothing/here", "/login?next=%2Fnothing%2Fhere"],
    ["/login/", "/login?next=%2Flogin%2F"],
    ["/_next/image?url=x", "/login?next=%2F_next%2Fimage%3Furl%3Dx"],
  ])("who opens %s is led to %s", (target, location) => {
    expect(page({}, target)).toEqual({ kind: "sign-in", location });
  });

  it("may not post to a page", () => {
    expect(() => page({}, "/runs", "POST")).toThrow("Sign in at /login first.");
  });

  it.each(["/login", "/login?next=%2Fruns", "/icon.svg", "/favicon.ico"])("may open %s", (target) => {
    expect(page({}, target)).toEqual({ kind: "show", setCookie: null });
  });

  it("learns that the server is up, and nothing else", async () => {
    const health = async (headers: Head) => (await handleHealth(apiRequest("GET", "/api/health", undefined, headers))).json();
    expect(await health({})).toEqual({ status: "ok" });
    expect(await health({ cookie: "switchyard-session=old" })).toEqual({ status: "ok" });
    expect(Object.keys(await health(bearer(TOKEN)))).toEqual(["status", "store", "executor"]);
  });
});
