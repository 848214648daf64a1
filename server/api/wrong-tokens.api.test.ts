/** A server with a token: how often one may try. */
import { describe, expect, it } from "vitest";
import { apiRequest } from "@/server/testing/api-container";
import {
  BY_SCRIPT,
  bearer,
  errorOf,
  from,
  guardedServer,
  page,
  rest,
  session,
  submit,
  TOKEN,
  trpc,
} from "@/server/testing/guarded-server";
import { handleHealth } from "./health-handler";

const server = guardedServer();

describe("wrong tokens", () => {
  const attacker = from("203.0.113.7");

  it("are refused after five a minute, by form and bearer alike, with the time to wait", async () => {
    for (const ask of [
      () => rest({ ...bearer("wrong"), ...attacker }),
      () => trpc({ ...bearer("wrong"), ...attacker }),
      () => submit({ token: "wrong" }, { ...BY_SCRIPT, ...attacker }),
      () => handleHealth(apiRequest("GET", "/api/health", undefined, { ...bearer("wrong"), ...attacker })),
    ]) {
      expect((await ask()).status).toBe(401);
    }
    expect(() => page({ ...bearer("wrong"), ...attacker })).toThrow("That is not the token");
    server.now += 18_500;
    for (const ask of [
      () => rest({ ...bearer("wrong"), ...attacker }),
      () => rest({ ...bearer(TOKEN), ...attacker }),
      () => trpc({ ...bearer(TOKEN), ...attacker }),
      () => submit({ token: TOKEN }, { ...BY_SCRIPT, ...attacker }),
    ]) {
      const response = await ask();
      expect([response.headers.get("retry-after"), response.headers.get("set-cookie")]).toEqual(["42", null]);
      expect(await errorOf(response)).toEqual({
        status: 429,
        code: "too_many_requests",
        message: "Too many wrong tokens; try again in 42 seconds.",
      });
    }
    expect(() => page({ ...bearer(TOKEN), ...attacker })).toThrow("Too many wrong tokens");
    expect((await submit({ token: TOKEN, next: "/runs" }, attacker)).headers.get("location")).toBe(
      "/login?next=%2Fruns&refused=wait",
    );
    server.now += 41_500;
    expect((await rest({ ...bearer(TOKEN), ...attacker })).status).toBe(200);
  });

  it("do not keep others out, nor the same client's session", async () => {
    const head = await session();
    for (let time = 0; time < 6; time++) await rest({ ...bearer("wrong"), ...attacker });
    expect((await rest({ ...bearer(TOKEN), ...from("203.0.113.8") })).status).toBe(200);
    expect((await submit({ token: TOKEN }, from("203.0.113.8"))).headers.get("location")).toBe("/");
    expect((await rest({ ...head, ...attacker })).status).toBe(200);
  });

  it("are the client's behind a proxy on this machine, and a client cannot choose another", async () => {
    const behind = (client: string) => ({ ...from("127.0.0.1"), "x-forwarded-for": client });
    for (let time = 0; time < 5; time++) await rest({ ...bearer("wrong"), ...behind(`198.51.100.${time}, 203.0.113.7`) });
    expect((await rest({ ...bearer(TOKEN), ...behind("203.0.113.7") })).status).toBe(429);
    expect((await rest({ ...bearer(TOKEN), ...behind("203.0.113.8") })).status).toBe(200);
    for (let time = 0; time < 5; time++) {
      await rest({ ...bearer("wrong"), ...from("203.0.113.9"), "x-forwarded-for": `198.51.100.${time}` });
    }
    expect((await rest({ ...bearer(TOKEN), ...from("203.0.113.9") })).status).toBe(429);
  });

  it("from everywhere at once close the door for newcomers only", async () => {
    expect((await rest({ ...bearer(TOKEN), ...from("203.0.113.50") })).status).toBe(200);
    for (let client = 0; client < 60; client++) await rest({ ...bearer("wrong"), ...from(`198.51.100.${client}`) });
    expect((await rest({ ...bearer(TOKEN), ...from("203.0.113.51") })).status).toBe(429);
    expect((await rest({ ...bearer(TOKEN), ...from("203.0.113.50") })).status).toBe(200);
  });
});
