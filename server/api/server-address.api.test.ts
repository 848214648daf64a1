/** A server with a token: the hosts and origins that are its own. */
import { describe, expect, it } from "vitest";
import { bearer, errorOf, guardedServer, type Head, NAMED, rest, TOKEN } from "@/server/testing/guarded-server";

const server = guardedServer();

describe("the addresses of the server", () => {
  const answered = async (headers: Head) => errorOf(await rest({ ...bearer(TOKEN), ...headers })).catch(() => null);

  it.each<Head>([
    { host: "console.example" },
    { host: "CONSOLE.example:443", origin: NAMED },
    { host: "console.example", origin: "HTTPS://console.example" },
    { host: "127.0.0.1:4310", origin: NAMED },
    { host: "localhost:4310", origin: "http://localhost:4310" },
  ])("are its own: %j", async (headers) => {
    expect((await rest({ ...bearer(TOKEN), ...headers })).status).toBe(200);
  });

  it.each<[Head, string]>([
    [{ host: "evil.example" }, "foreign_host"],
    [{ host: "console.example.evil.example" }, "foreign_host"],
    [{ host: "192.168.1.5:4310" }, "foreign_host"],
    [{ host: "console.example", origin: "http://console.example" }, "foreign_origin"],
    [{ host: "console.example", origin: "https://evil.example" }, "foreign_origin"],
    [{ host: "console.example", origin: "http://127.0.0.1:4310" }, "foreign_origin"],
    [{ host: "console.example", "sec-fetch-site": "cross-site", "sec-fetch-mode": "cors" }, "foreign_origin"],
  ])("are no others: %j", async (headers, code) => {
    expect(await answered(headers)).toMatchObject({ status: 403, code });
  });

  it("names the right one", async () => {
    expect(await answered({ host: "box.lan" })).toMatchObject({
      message: 'The Host header "box.lan" is not this server; open it as https://console.example.',
    });
  });

  it("may be an IPv6 address, however it is spelled", async () => {
    await server.restart(TOKEN, "http://[fd00:0:0:0::5]:4310");
    const headers = { host: "[FD00::5]:4310", origin: "http://[fd00::5]:4310" };
    expect((await rest({ ...bearer(TOKEN), ...headers })).status).toBe(200);
    expect((await rest({ ...bearer(TOKEN), host: "[fd00::6]:4310" })).status).toBe(403);
  });
});
