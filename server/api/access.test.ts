import pino from "pino";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createAccess } from "./access";

const TOKEN = "canary-7f3a9b2c4d5e6f70";

beforeEach(() => vi.stubEnv("SWITCHYARD_TOKEN", TOKEN));
afterEach(() => vi.unstubAllEnvs());

it("logs who was refused and who signed in, and never a token", () => {
  const lines: string[] = [];
  const logger = pino({ level: "info", base: null, timestamp: false }, { write: (line: string) => void lines.push(line) });
  const access = createAccess({
    env: { SWITCHYARD_TOKEN: "set", SWITCHYARD_URL: undefined },
    logger,
    clock: { now: () => 1_000_000 },
  });
  const client = { "x-switchyard-peer": "203.0.113.7" };
  const refused = (work: () => unknown) => expect(work).toThrow();
  for (let time = 0; time < 5; time++) {
    refused(() => access.admit(new Headers({ ...client, authorization: "Bearer guess-0123456789abcdef" })));
  }
  refused(() => access.signIn(new Headers(client), TOKEN));
  expect(access.signIn(new Headers({ "x-switchyard-peer": "2001:db8::8" }), TOKEN)).toMatch(/^switchyard-session=/);
  const wrong = '{"level":40,"client":"203.0.113.7","by":"bearer","msg":"a sign-in was refused: wrong token"}\n';
  expect(lines).toEqual([
    ...Array<string>(5).fill(wrong),
    '{"level":40,"client":"203.0.113.7","by":"form","msg":"a sign-in was refused: too many wrong tokens"}\n',
    '{"level":30,"client":"2001:db8::8","msg":"signed in"}\n',
  ]);
});

it("does not begin without the token it was told of", () => {
  vi.stubEnv("SWITCHYARD_TOKEN", undefined);
  const logger = pino({ level: "silent" });
  expect(() => createAccess({ env: { SWITCHYARD_TOKEN: "set", SWITCHYARD_URL: undefined }, logger })).toThrow(
    "the environment variable SWITCHYARD_TOKEN is not set.",
  );
});
