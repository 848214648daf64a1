import { once } from "node:events";
import http from "node:http";
import { describe, expect, it, onTestFinished } from "vitest";
import { Secret } from "@/server/shared/secret";
import { cutAfter, hang, hangAfter, jsonAnswer, startLoopbackUpstream } from "@/server/testing/loopback-upstream";
import { startKeyRelay } from "./key-relay";

const KEY = "sk-canary-relay-0a1b2c3d";

async function opened(environment: Record<string, string> = {}, baseUrl?: string) {
  const upstream = await startLoopbackUpstream();
  const relay = await startKeyRelay({ baseUrl: baseUrl ?? upstream.baseUrl, key: new Secret(KEY, "env:K") }, environment);
  onTestFinished(async () => {
    relay.close();
    await upstream.close();
  });
  const ask = (path = "/responses", init: RequestInit = {}) =>
    fetch(`${relay.baseUrl}${path}`, {
      method: "POST",
      body: '{"model":"m"}',
      ...init,
      headers: { authorization: `Bearer ${relay.password}`, "content-type": "application/json", ...init.headers },
    });
  return { upstream, relay, ask };
}

describe("a request that comes with the password", () => {
  it("goes to the provider as it is, with the key in place of the password", async () => {
    const { upstream, relay, ask } = await opened();
    upstream.next(jsonAnswer(200, { id: "resp_1" }, { "x-request-id": "up-1" }));
    const answer = await ask("/responses?stream=true", { headers: { "x-codex": "1" } });
    expect([answer.status, answer.headers.get("x-request-id"), await answer.json()]).toEqual([200, "up-1", { id: "resp_1" }]);
    const [request] = upstream.requests;
    expect(request).toMatchObject({ method: "POST", path: "/v1/responses?stream=true", body: '{"model":"m"}' });
    expect(request?.headers).toMatchObject({
      authorization: `Bearer ${KEY}`,
      host: new URL(upstream.baseUrl).host,
      "x-codex": "1",
      "accept-encoding": "identity",
    });
    expect(JSON.stringify(request)).not.toContain(relay.password);
  });

  it("brings back refusals with their status, and the key in none of them", async () => {
    const { upstream, ask } = await opened();
    upstream.next(jsonAnswer(401, { error: { message: `Incorrect API key provided: ${KEY}.` } }, { "retry-after": "7" }));
    const answer = await ask();
    expect([answer.status, answer.headers.get("retry-after"), await answer.json()]).toEqual([
      401,
      "7",
      { error: { message: "Incorrect API key provided: [redacted]." } },
    ]);
  });

  it("does not follow a redirect, and says what to do", async () => {
    const { upstream, ask } = await opened();
    upstream.next(jsonAnswer(308, {}, { location: "http://elsewhere.test/v1/responses" }));
    const answer = await ask("/responses", { redirect: "manual" });
    expect([answer.status, await answer.json()]).toEqual([
      404,
      { error: { message: "it answered 308, a redirect, which is not followed; make the base URL the address it leads to" } },
    ]);
  });

  it("breaks off where the provider does", async () => {
    const { upstream, ask } = await opened();
    upstream.next(cutAfter(["data: one\n\n"]));
    await expect(ask().then((answer) => answer.text())).rejects.toThrow();
  });

  it("says why nobody was reached", async () => {
    const { ask } = await opened({}, "http://127.0.0.1:1/v1");
    const answer = await ask();
    expect([answer.status, await answer.json()]).toEqual([
      502,
      { error: { message: "the provider cannot be reached (ECONNREFUSED)" } },
    ]);
  });

  it("brings headers that nothing follows", async () => {
    const { upstream, ask } = await opened();
    upstream.next(hangAfter([]));
    expect((await ask()).status).toBe(200);
  });

  it("ends at the provider when it is called off, and with the relay", async () => {
    const { upstream, relay, ask } = await opened();
    upstream.otherwise(hang);
    const controller = new AbortController();
    const first = ask("/responses", { signal: controller.signal });
    await upstream.received(1);
    controller.abort();
    await expect(first).rejects.toThrow();
    await upstream.drained();
    const second = ask();
    await upstream.received(2);
    relay.close();
    await expect(second).rejects.toThrow();
    await upstream.drained();
  });
});

describe("whoever else comes", () => {
  it("is refused, and the provider is not asked", async () => {
    const { upstream, ask, relay } = await opened();
    for (const authorization of ["", "Bearer ", `Bearer ${KEY}`, `Bearer ${relay.password}x`])
      expect((await ask("/responses", { headers: { authorization } })).status).toBe(401);
    const outside = await fetch(`${new URL(relay.baseUrl).origin}/other`, {
      headers: { authorization: `Bearer ${relay.password}` },
    });
    expect(outside.status).toBe(404);
    expect(upstream.requests).toEqual([]);
  });
});

it("text that names the relay names the provider, without the password", async () => {
  const { relay, upstream } = await opened();
  expect(relay.readable(`${relay.baseUrl}/responses with ${relay.password}`)).toBe(
    `${upstream.baseUrl}/responses with [password of the relay]`,
  );
});

it("the way out is the proxy that the environment names", async () => {
  const asked: string[] = [];
  const proxy = http.createServer((_request, response) => response.writeHead(500).end());
  proxy.on("connect", (request, socket) => {
    asked.push(request.url ?? "");
    socket.end("HTTP/1.1 502 Bad Gateway\r\n\r\n");
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  onTestFinished(() => void proxy.close());
  const address = proxy.address();
  if (address === null || typeof address === "string") throw new Error("the proxy has no port");
  const { ask } = await opened({ HTTPS_PROXY: `http://127.0.0.1:${address.port}` }, "https://provider.test/v1");
  expect((await ask()).status).toBe(502);
  expect(asked).toEqual(["provider.test:443"]);
});
