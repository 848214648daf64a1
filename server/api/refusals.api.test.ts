import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ApiContainer, apiRequest, openApiContainer } from "@/server/testing/api-container";
import { handleHealth } from "./health-handler";
import { handleRest } from "./rest-handler";
import { handleTrpc } from "./trpc-handler";

let open: ApiContainer;
beforeAll(async () => {
  open = await openApiContainer();
});
afterAll(() => open.close());

async function answer(request: Request) {
  const response = await handleRest(request);
  const body = JSON.parse(await response.text());
  return { status: response.status, code: body.error?.code, message: body.error?.message, body, headers: response.headers };
}
const post = (body: unknown, headers?: Record<string, string>) => answer(apiRequest("POST", "/api/v1/runs", body, headers));
const get = (target: string) => answer(apiRequest("GET", `/api/v1/${target}`));
const runCount = () => open.container.database.run.count();

const GOOD = { kind: "distill", backend: "mock", text: "A note. Another one.", sourceDate: "2026-04-19" };

describe("requests that are not this server's own", () => {
  const FOREIGN: [string, Record<string, string>, string][] = [
    ["another Host", { host: "evil.example:4310" }, "foreign_host"],
    ["a Host that begins like ours", { host: "127.0.0.1.evil.example" }, "foreign_host"],
    ["an empty Host", { host: "" }, "foreign_host"],
    ["another Origin", { origin: "https://evil.example" }, "foreign_origin"],
    ["our name at another port", { origin: "http://127.0.0.1:9" }, "foreign_origin"],
    ["the Origin null", { origin: "null" }, "foreign_origin"],
    ["a cross-site fetch", { "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors" }, "foreign_origin"],
  ];
  it.each(FOREIGN)("are refused with 403: %s", async (_what, headers, code) => {
    for (const handle of [handleRest, handleHealth, handleTrpc]) {
      const response = await handle(apiRequest("GET", "/api/v1/runs", undefined, headers));
      expect(response.status).toBe(403);
      expect(JSON.parse(await response.text()).error.code).toBe(code);
    }
    expect((await post(GOOD, headers)).status).toBe(403);
    expect(await runCount()).toBe(0);
  });

  it.each([
    {},
    { origin: "http://127.0.0.1:4310" },
    { host: "localhost:4310" },
    { host: "[::1]:4310" },
    { "sec-fetch-site": "same-origin" },
  ])("let through are %j", async (headers) => {
    expect((await answer(apiRequest("GET", "/api/v1/runs", undefined, headers))).status).toBe(200);
  });
});

describe("bodies that are wrong", () => {
  const deep = `${"[".repeat(200_000)}${"]".repeat(200_000)}`;
  const latin1 = Buffer.from('{"kind":"distill","text":"caf\xe9"}', "latin1");
  const CASES: [string, unknown, number, string, RegExp][] = [
    ["broken JSON", '{"kind":', 400, "invalid_json", /^The body is not valid JSON: /],
    ["an empty body", "", 400, "invalid_json", /^The body is not valid JSON: /],
    ["bad UTF-8", latin1, 400, "invalid_encoding", /^The body is not valid UTF-8\.$/],
    ["nesting without end", deep, 400, "invalid_input", /^must be an object$/],
    ["nesting in a field", `{"kind":"distill","text":${deep}}`, 400, "invalid_input", /^text: /],
    ["a list", "[]", 400, "invalid_input", /^must be an object$/],
    ["null", "null", 400, "invalid_input", /^must be an object$/],
    [
      "a NUL in the text",
      { ...GOOD, text: "before\u0000after" },
      400,
      "invalid_input",
      /holds a NUL character at character offset 6/,
    ],
    ["a NUL in the name", { ...GOOD, name: "a\u0000b" }, 400, "invalid_input", /^name: /],
    ["a line break in the name", { ...GOOD, name: "a\nb" }, 400, "invalid_input", /^name: /],
    ["a NUL in the model", { ...GOOD, model: "a\u0000b" }, 400, "invalid_input", /^model: /],
    ["an unknown field", { ...GOOD, chunkToken: 5 }, 400, "invalid_input", /chunkToken/],
    ["a __proto__ field", `{"kind":"distill","text":"A.","__proto__":{"backend":"mock"}}`, 400, "invalid_input", /__proto__/],
    ["another kind", { ...GOOD, kind: "translate" }, 400, "invalid_input", /^kind: /],
    [
      "a date that is none",
      { ...GOOD, sourceDate: "2026-02-30" },
      400,
      "invalid_input",
      /^sourceDate: is not a day of the calendar$/,
    ],
    [
      "a date that is a path",
      { ...GOOD, sourceDate: "../../../etc" },
      400,
      "invalid_input",
      /^sourceDate: must be a date like 2026-04-19/,
    ],
    ["a number as text", { ...GOOD, text: 5 }, 400, "invalid_input", /^text: /],
    ["no attempts", { ...GOOD, maxAttempts: 0 }, 400, "invalid_input", /^maxAttempts: /],
    ["a fraction", { ...GOOD, concurrency: 1.5 }, 400, "invalid_input", /^concurrency: /],
    [
      "a backend that is not there",
      { ...GOOD, backend: "gpt" },
      422,
      "unknown_backend",
      /^There is no backend "gpt"; there are: extractive, mock\.$/,
    ],
    ["25 MB of text", { ...GOOD, text: "a".repeat(25 * 1024 * 1024) }, 413, "too_large", /25\.0 MiB; at most 20 MiB/],
    [
      "25 MB of text in few characters",
      { ...GOOD, text: "記".repeat(9 * 1024 * 1024) },
      413,
      "too_large",
      /27\.0 MiB; at most 20 MiB/,
    ],
    ["a body beyond all bounds", new Uint8Array(49 * 1024 * 1024), 413, "too_large", /^The body is larger than 48 MiB\.$/],
  ];
  it.each(CASES)("are refused: %s", async (_what, body, status, code, sentence) => {
    const result = await post(body);
    expect({ status: result.status, code: result.code }).toEqual({ status, code });
    expect(result.message).toMatch(sentence);
    expect(result.message.length).toBeLessThan(600);
    expect(Object.keys(result.body)).toEqual(["error"]);
    expect(await runCount()).toBe(0);
  });

  it.each(["text/plain", "multipart/form-data", "application/jsonp"])("are refused as %s", async (type) => {
    expect(await post(JSON.stringify(GOOD), { "content-type": type })).toMatchObject({
      status: 415,
      code: "unsupported_media_type",
    });
  });

  it("are measured as they come, whatever their length says", async () => {
    let sent = 0;
    const piece = new Uint8Array(1024 * 1024);
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 1;
        controller.enqueue(piece);
      },
    });
    // `duplex` is required by the runtime for a stream and missing from the DOM's types.
    const init: RequestInit & { duplex: "half" } = {
      method: "POST",
      headers: { host: "127.0.0.1:4310", "content-type": "application/json" },
      body: endless,
      duplex: "half",
    };
    const request = new Request("http://127.0.0.1:4310/api/v1/runs", init);
    expect(await answer(request)).toMatchObject({ status: 413, code: "too_large" });
    expect(sent).toBeLessThan(60);
  });
});

describe("addresses that are wrong", () => {
  it.each([
    ["runs/../../etc/passwd", 404, "not_found"],
    ["runs/..%2f..%2fetc%2fpasswd", 404, "not_found"],
    ["runs/%00", 404, "not_found"],
    ["runs/%E0%A4%A", 400, "invalid_input"],
    ["runs/%ff", 400, "invalid_input"],
    [`runs/${"x".repeat(5_000)}`, 404, "not_found"],
    ["runs/run_none", 404, "not_found"],
    ["runs/run_none/chunks", 404, "not_found"],
    ["runs/run_none/chunks/1", 404, "not_found"],
    ["runs/run_none/chunks/0", 400, "invalid_input"],
    ["runs/run_none/chunks/one", 400, "invalid_input"],
    ["runs/run_none/events", 404, "not_found"],
    ["runs/run_none/insights", 404, "not_found"],
    ["runs/run_none/staged.md", 404, "not_found"],
    ["runs/run_none/artifacts/..%2f..%2fswitchyard.db", 404, "not_found"],
    ["nothing", 404, "not_found"],
    ["runs?limit=0", 400, "invalid_input"],
    ["runs?limit=-1", 400, "invalid_input"],
    ["runs?limit=ten", 400, "invalid_input"],
    ["runs?limit=1.5", 400, "invalid_input"],
    ["runs?status=finished", 400, "invalid_input"],
    ["runs?page=2", 400, "invalid_input"],
    ["runs?constructor=2", 400, "invalid_input"],
    ["runs?__proto__=2", 400, "invalid_input"],
    ["runs/run_none/events?afterSeq=-1", 400, "invalid_input"],
    ["runs/run_none/events?type=nonsense", 400, "invalid_input"],
  ])("%s is %i %s", async (target, status, code) => {
    const result = await get(target);
    expect({ status: result.status, code: result.code }).toEqual({ status, code });
    expect(result.message).toMatch(/\S/);
  });

  it("names the methods that are possible", async () => {
    const result = await answer(apiRequest("DELETE", "/api/v1/runs"));
    expect(result).toMatchObject({ status: 405, code: "method_not_allowed" });
    expect(result.headers.get("allow")).toBe("GET, POST");
  });
});

describe("numbers beyond the store's", () => {
  it("are pages past the end or unknown chunks, never a broken server", async () => {
    const created = await post(GOOD);
    expect(created.status).toBe(201);
    const id = created.body.id;
    const large = [2_147_483_648, Number.MAX_SAFE_INTEGER];
    for (const number of large) {
      expect(await get(`runs/${id}/events?afterSeq=${number}`)).toMatchObject({
        status: 200,
        body: { items: [], hasMore: false },
      });
      expect(await get(`runs/${id}/events?chunk=${number}`)).toMatchObject({ status: 200, body: { items: [] } });
      expect(await get(`runs/${id}/chunks?afterIndex=${number}`)).toMatchObject({ status: 200, body: { items: [] } });
      expect(await get(`runs/${id}/chunks/${number}`)).toMatchObject({ status: 404, code: "not_found" });
      expect(await get(`runs?limit=${number}`)).toMatchObject({ status: 200 });
      expect(await answer(apiRequest("POST", `/api/v1/runs/${id}/retry`, { chunks: [number] }))).toMatchObject({
        status: 409,
        message: "Only a run that has begun and was neither cancelled nor blocked can be retried; this one is queued.",
      });
    }
    expect(await get(`runs/${id}/events?afterSeq=1e30`)).toMatchObject({ status: 400, code: "invalid_input" });
    expect(await answer(apiRequest("POST", `/api/v1/runs/${id}/cancel`, { reason: "a\u0000b" }))).toMatchObject({
      status: 400,
      code: "invalid_input",
    });
    await open.container.database.run.deleteMany();
  });
});
