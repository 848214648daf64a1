/** A server with a token: who gets in, by what, how often one may try, and what is told to whom. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type ApiContainer, apiRequest, openApiContainer, untilRunRests } from "@/server/testing/api-container";
import { handleHealth } from "./health-handler";
import { isSignInUsed, pageAccess, signInPage } from "./page-access";
import { handleRest } from "./rest-handler";
import { handleSignIn, handleSignOut } from "./sign-in-handler";
import { handleTrpc } from "./trpc-handler";

const TOKEN = "canary-7f3a9b2c4d5e6f70";
const NAMED = "https://console.example";
const DAY_MS = 24 * 60 * 60 * 1_000;

let now: number;
let open: ApiContainer;

async function start(token: string | undefined = TOKEN, url: string | undefined = NAMED): Promise<void> {
  vi.stubEnv("SWITCHYARD_TOKEN", token);
  const env = { ...(token ? { SWITCHYARD_TOKEN: token } : {}), ...(url ? { SWITCHYARD_URL: url } : {}) };
  open = await openApiContainer(env, { now: () => now });
}

beforeEach(async () => {
  now = 1_700_000_000_000;
  await start();
});
afterEach(async () => {
  await open.close();
  vi.unstubAllEnvs();
});

type Head = Readonly<Record<string, string>>;
const bearer = (token: string): Head => ({ authorization: `Bearer ${token}` });
const from = (client: string): Head => ({ "x-switchyard-peer": client });

const rest = (headers: Head = {}) => handleRest(apiRequest("GET", "/api/v1/runs", undefined, headers));
const trpc = (headers: Head = {}) =>
  handleTrpc(apiRequest("GET", `/api/trpc/runs.list?input=${encodeURIComponent('{"json":{"limit":1}}')}`, undefined, headers));
const page = (headers: Head = {}, target = "/runs", method = "GET") => {
  const { pathname, search } = new URL(target, "http://127.0.0.1:4310");
  return pageAccess(new Headers({ host: "127.0.0.1:4310", ...headers }), method, pathname, search);
};

/** The form as a browser sends it by itself; `accept` of a script comes in `headers`. */
function submit(fields: Record<string, string>, headers: Head = {}): Promise<Response> {
  return handleSignIn(
    apiRequest("POST", "/api/sign-in", new URLSearchParams(fields).toString(), {
      "content-type": "application/x-www-form-urlencoded",
      accept: "text/html,application/xhtml+xml",
      ...headers,
    }),
  );
}
const BY_SCRIPT: Head = { accept: "application/json" };

/** The Cookie header after a sign-in. */
async function session(): Promise<Head> {
  const response = await submit({ token: TOKEN });
  expect(response.status).toBe(303);
  return { cookie: (response.headers.get("set-cookie") ?? "").split(";")[0] ?? "" };
}

async function errorOf(response: Response) {
  const { error } = JSON.parse(await response.text());
  const { code, message } = error.json ? { code: error.json.data.appCode, message: error.json.message } : error;
  return { status: response.status, code, message };
}

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
    expect(await open.container.database.run.count()).toBe(0);
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

describe("the bearer token", () => {
  it.each([`Bearer ${TOKEN}`, `bearer ${TOKEN}`, `Bearer   ${TOKEN} `])("lets in: %j", async (authorization) => {
    expect((await rest({ authorization })).status).toBe(200);
    expect((await trpc({ authorization })).status).toBe(200);
    expect(page({ authorization })).toEqual({ kind: "show", setCookie: null });
  });

  it.each(["", "wrong", TOKEN.slice(0, -1), `${TOKEN}x`, TOKEN.toUpperCase()])("is wrong as %j", async (token) => {
    const told = { status: 401, code: "unauthorized", message: "That is not the token of this server." };
    expect(await errorOf(await rest({ ...bearer(token), ...from("203.0.113.1") }))).toEqual(told);
    expect(await errorOf(await trpc({ ...bearer(token), ...from("203.0.113.2") }))).toEqual(told);
    expect(() => page({ ...bearer(token), ...from("203.0.113.3") })).toThrow(told.message);
  });

  it("is looked at first, and another scheme is not ours", async () => {
    const cookie = await session();
    expect((await rest({ ...cookie, ...bearer("wrong") })).status).toBe(401);
    expect((await rest({ ...cookie, authorization: `Basic ${btoa("a:b")}` })).status).toBe(200);
    expect((await rest({ authorization: `Basic ${btoa(`a:${TOKEN}`)}` })).status).toBe(401);
  });
});

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

describe("a session", () => {
  it("goes on while it is used: renewed in the second half of its week, by pages, routes and procedures", async () => {
    const head = await session();
    now += 3.5 * DAY_MS;
    expect([(await rest(head)).headers.get("set-cookie"), (await trpc(head)).headers.get("set-cookie"), page(head)]).toEqual([
      null,
      null,
      { kind: "show", setCookie: null },
    ]);
    now += 1;
    const renewed = (await rest(head)).headers.get("set-cookie");
    expect(renewed).toMatch(
      /^switchyard-session=1700907200001\.[\w-]+; Path=\/; HttpOnly; SameSite=Lax; Secure; Max-Age=604800$/,
    );
    expect((await trpc(head)).headers.get("set-cookie")).toBe(renewed);
    expect(page(head)).toEqual({ kind: "show", setCookie: renewed });
    now += 3.5 * DAY_MS;
    expect((await rest(head)).status).toBe(401);
    expect(page(head)).toEqual({ kind: "sign-in", location: "/login?next=%2Fruns" });
    expect((await rest({ cookie: renewed?.split(";")[0] ?? "" })).status).toBe(200);
  });

  it("ends with another token", async () => {
    const head = await session();
    await open.close();
    await start("another-7f3a9b2c4d5e6f70");
    expect([(await rest(head)).status, page(head).kind]).toEqual([401, "sign-in"]);
  });

  it("outlives a restart with the same token", async () => {
    const head = await session();
    await open.close();
    await start();
    expect((await rest(head)).status).toBe(200);
  });

  it("is ended by signing out, which another site cannot do", async () => {
    const out = await handleSignOut(apiRequest("POST", "/api/sign-out", "", { origin: "http://127.0.0.1:4310" }));
    expect([out.status, out.headers.get("location"), out.headers.get("set-cookie")]).toEqual([
      303,
      "/login",
      "switchyard-session=; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=0",
    ]);
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
    now += 7 * DAY_MS - 1;
    // The stream looks at the real clock, by which this session ended years ago: it is opened and ends at once.
    const response = await handleTrpc(
      apiRequest("GET", "/api/trpc/live.runs", undefined, { ...head, accept: "text/event-stream" }),
    );
    expect(response.status).toBe(200);
    expect(await response.text()).toMatch(/event: return/);
  });
});

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
    await open.close();
    await start(TOKEN, "http://[fd00:0:0:0::5]:4310");
    const headers = { host: "[FD00::5]:4310", origin: "http://[fd00::5]:4310" };
    expect((await rest({ ...bearer(TOKEN), ...headers })).status).toBe(200);
    expect((await rest({ ...bearer(TOKEN), host: "[fd00::6]:4310" })).status).toBe(403);
  });
});

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
    now += 18_500;
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
    now += 41_500;
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

it("the token is masked wherever it is typed", async () => {
  open.container.executor.start();
  const run = await open.container.runs.create({
    kind: "distill",
    backend: "extractive",
    name: `with ${TOKEN}`,
    text: `Decided: the console is opened with ${TOKEN} from now on, because we moved the server to Oslo last week.`,
  });
  await untilRunRests(open.container, run.id);
  expect(run.name).toBe("with [redacted env:SWITCHYARD_TOKEN]");
  const body = async (target: string) =>
    (await handleRest(apiRequest("GET", `/api/v1/runs/${run.id}${target}`, undefined, bearer(TOKEN)))).text();
  const answers = await Promise.all(["", "/chunks/1", "/events?limit=500", "/insights", "/staged.md"].map(body));
  expect(answers.filter((text) => text.includes(TOKEN))).toEqual([]);
  expect(answers[1]).toContain("the console is opened with");
  expect(open.container.redactor({}).text(`a model says ${TOKEN}`)).toBe("a model says [redacted env:SWITCHYARD_TOKEN]");
  await open.container.writer.flush();
  const files = readdirSync(open.dataDir).map((name) => path.join(open.dataDir, name));
  expect(files.filter((file) => readFileSync(file, "latin1").includes(TOKEN))).toEqual([]);
});

it("without a token everybody on this machine is in, and nobody signs in", async () => {
  await open.close();
  await start("", "");
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
