/** A server with a token: who shows it as bearer, and where it must never stand. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { apiRequest, untilRunRests } from "@/server/testing/api-container";
import { bearer, errorOf, from, guardedServer, page, rest, session, TOKEN, trpc } from "@/server/testing/guarded-server";
import { handleRest } from "./rest-handler";

const server = guardedServer();

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

it("the token is masked wherever it is typed", async () => {
  server.open.container.executor.start();
  const run = await server.open.container.runs.create({
    kind: "distill",
    backend: "extractive",
    name: `with ${TOKEN}`,
    text: `Decided: the console is opened with ${TOKEN} from now on, because we moved the server to Oslo last week.`,
  });
  await untilRunRests(server.open.container, run.id);
  expect(run.name).toBe("with [redacted env:SWITCHYARD_TOKEN]");
  const body = async (target: string) =>
    (await handleRest(apiRequest("GET", `/api/v1/runs/${run.id}${target}`, undefined, bearer(TOKEN)))).text();
  const answers = await Promise.all(["", "/chunks/1", "/events?limit=500", "/insights", "/staged.md"].map(body));
  expect(answers.filter((text) => text.includes(TOKEN))).toEqual([]);
  expect(answers[1]).toContain("the console is opened with");
  expect(server.open.container.redactor({}).text(`a model says ${TOKEN}`)).toBe("a model says [redacted env:SWITCHYARD_TOKEN]");
  await server.open.container.writer.flush();
  const files = readdirSync(server.open.dataDir).map((name) => path.join(server.open.dataDir, name));
  expect(files.filter((file) => readFileSync(file, "latin1").includes(TOKEN))).toEqual([]);
});
