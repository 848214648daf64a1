import { expect, it } from "vitest";
import type { FixtureLine } from "@/server/testing/read-fixture";
import { createGeneraliser, RECORDING_EPOCH_MS } from "./generalise";

const STARTED = 1_799_000_000_500;
const ONE = "01990000-1111-7222-8333-444444444444";
const OTHER = "01990000-5555-7666-8777-888888888888";

const generaliser = () =>
  createGeneraliser({
    startedAt: STARTED,
    names: { "/some/root": "<root>", "/some/root/home": "<home>", "127.0.0.1:4711": "<upstream>", "sk-secret": "<key>" },
  });

const heard = (frame: Record<string, unknown>, ms = 1): FixtureLine => ({ dir: "in", ms, frame });
const piece = (delta: string): FixtureLine => heard({ method: "item/commandExecution/outputDelta", params: { delta } });

it("replaces folders, address and key wherever they stand, the longer name first", () => {
  const line = heard(
    { params: { cwd: "/some/root/home", list: ["in /some/root/other: http://127.0.0.1:4711/v1 sk-secret"] } },
    1.7,
  );
  expect(generaliser()([line])).toEqual([
    { dir: "in", ms: 2, frame: { params: { cwd: "<home>", list: ["in <root>/other: http://<upstream>/v1 <key>"] } } },
  ]);
});

it("gives an id one name for the whole scenario, processes alike", () => {
  const generalise = generaliser();
  const names = (lines: FixtureLine[]) => generalise(lines).map(({ frame }) => frame);
  expect(names([heard({ id: OTHER, text: `${ONE} after ${OTHER}, call_0007 msg_0009` })])).toEqual([
    { id: "<uuid-1>", text: "<uuid-2> after <uuid-1>, call_1 msg_1" },
  ]);
  expect(names([heard({ a: ONE, b: "msg_0010 call_0007", processId: "82059" })])).toEqual([
    { a: "<uuid-2>", b: "msg_2 call_1", processId: "1001" },
  ]);
});

it("keeps distances in time and forgets the day", () => {
  const frame = {
    path: `/some/root/sessions/2026/11/30/rollout-2026-11-30T15-16-57-${ONE}.jsonl`,
    emittedAtMs: STARTED + 250,
    turn: { startedAt: 1_799_000_002, completedAt: null, durationMs: 342, createdAt: "never" },
    log: "2026-11-30T15:16:57.123456Z ERROR",
  };
  expect(generaliser()([heard(frame)])[0]?.frame).toEqual({
    path: "<root>/sessions/<day>/rollout-<time>-<uuid-1>.jsonl",
    emittedAtMs: RECORDING_EPOCH_MS + 250,
    turn: { startedAt: RECORDING_EPOCH_MS / 1000 + 2, completedAt: null, durationMs: 342, createdAt: "never" },
    log: "<time> ERROR",
  });
});

it("hides the host and the system", () => {
  const frame = { serverName: "my-laptop", userAgent: "switchyard/0.171.0 (Debian 12.0.0; x86_64) unknown (switchyard; 0.1.0)" };
  expect(generaliser()([heard(frame)])[0]?.frame).toEqual({
    serverName: "<host>",
    userAgent: "switchyard/0.171.0 (<system>) <terminal> (switchyard; 0.1.0)",
  });
});

it("passes stderr lines and the end on", () => {
  const lines: FixtureLine[] = [
    { dir: "err", ms: 3, frame: "no /some/root here" },
    { dir: "exit", ms: 4, frame: { code: null, signal: "SIGKILL" } },
  ];
  expect(generaliser()(lines)).toEqual([{ dir: "err", ms: 3, frame: "no <root> here" }, lines[1]]);
});

it("keeps the ends of a long text and of an output in many pieces, and says what is left out", () => {
  expect(generaliser()([heard({ text: `${"a".repeat(9_000)}${"z".repeat(9_000)}` })])[0]?.frame).toEqual({
    text: `${"a".repeat(500)}<17000 characters left out>${"z".repeat(500)}`,
  });
  const few = Array.from({ length: 12 }, (_, at) => piece(`${at}`));
  expect(generaliser()(few)).toEqual(few);
  const between = heard({ method: "warning" });
  const many = [...few.slice(0, 6), between, ...few.slice(6), piece("12")];
  expect(generaliser()(many)).toEqual([
    piece("0"),
    piece("1"),
    { dir: "cut", ms: 1, frame: { method: "item/commandExecution/outputDelta", frames: 9, characters: 10 } },
    between,
    piece("11"),
    piece("12"),
  ]);
});
