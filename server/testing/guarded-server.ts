/** For tests: a server with a token, and the ways to knock at its doors. */
import { afterEach, beforeEach, expect, vi } from "vitest";
import { type PageAccess, pageAccess } from "@/server/api/page-access";
import { handleRest } from "@/server/api/rest-handler";
import { handleSignIn } from "@/server/api/sign-in-handler";
import { handleTrpc } from "@/server/api/trpc-handler";
import { type ApiContainer, apiRequest, openApiContainer } from "./api-container";

export const TOKEN = "canary-7f3a9b2c4d5e6f70";
export const NAMED = "https://console.example";
export const DAY_MS = 24 * 60 * 60 * 1_000;

export type Head = Readonly<Record<string, string>>;

export interface GuardedServer {
  /** Its clock, epoch milliseconds. */
  now: number;
  readonly open: ApiContainer;
  /** Again, over an empty data folder; an empty token or address is none. */
  restart(token?: string, url?: string): Promise<void>;
}

/** Called once in a test file: every test gets a server of its own, with `TOKEN` and the address `NAMED`. */
export function guardedServer(): GuardedServer {
  let opened: ApiContainer | null = null;
  const server: GuardedServer = {
    now: 0,
    get open() {
      if (!opened) throw new Error("the server stands inside a test only");
      return opened;
    },
    async restart(token = TOKEN, url = NAMED) {
      await opened?.close();
      vi.stubEnv("SWITCHYARD_TOKEN", token);
      const env = { ...(token ? { SWITCHYARD_TOKEN: token } : {}), ...(url ? { SWITCHYARD_URL: url } : {}) };
      opened = await openApiContainer(env, { now: () => server.now });
    },
  };
  beforeEach(async () => {
    server.now = 1_700_000_000_000;
    await server.restart();
  });
  afterEach(async () => {
    await opened?.close();
    opened = null;
    vi.unstubAllEnvs();
  });
  return server;
}

export const bearer = (token: string): Head => ({ authorization: `Bearer ${token}` });
export const from = (client: string): Head => ({ "x-switchyard-peer": client });
/** Of a script, which gets JSON. */
export const BY_SCRIPT: Head = { accept: "application/json" };

export const rest = (headers: Head = {}): Promise<Response> => handleRest(apiRequest("GET", "/api/v1/runs", undefined, headers));

export const trpc = (headers: Head = {}): Promise<Response> =>
  handleTrpc(apiRequest("GET", `/api/trpc/runs.list?input=${encodeURIComponent('{"json":{"limit":1}}')}`, undefined, headers));

export function page(headers: Head = {}, target = "/runs", method = "GET"): PageAccess {
  const { pathname, search } = new URL(target, "http://127.0.0.1:4310");
  return pageAccess(new Headers({ host: "127.0.0.1:4310", ...headers }), method, pathname, search);
}

/** The form as a browser sends it by itself; `accept` of a script comes in `headers`. */
export function submit(fields: Record<string, string>, headers: Head = {}): Promise<Response> {
  return handleSignIn(
    apiRequest("POST", "/api/sign-in", new URLSearchParams(fields).toString(), {
      "content-type": "application/x-www-form-urlencoded",
      accept: "text/html,application/xhtml+xml",
      ...headers,
    }),
  );
}

/** The Cookie header after a sign-in. */
export async function session(): Promise<Head> {
  const response = await submit({ token: TOKEN });
  expect(response.status).toBe(303);
  return { cookie: (response.headers.get("set-cookie") ?? "").split(";")[0] ?? "" };
}

export async function errorOf(response: Response): Promise<{ status: number; code: unknown; message: unknown }> {
  const { error } = JSON.parse(await response.text());
  const { code, message } = error.json ? { code: error.json.data.appCode, message: error.json.message } : error;
  return { status: response.status, code, message };
}
