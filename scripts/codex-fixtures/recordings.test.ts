/** The recordings that stand in the repository: whole, of this project alone, and of what their names say. */
import { statSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { describe, expect, it } from "vitest";
import pin from "@/server/backends/codex-cli.json";
import { type FixtureLine, fixtureFolder, fixtureNames, framesFromCli, readFixture } from "@/server/testing/read-fixture";
import { failureScenarios } from "./failure-scenarios";
import { RECORDING_EPOCH_MS } from "./generalise";
import { processScenarios } from "./process-scenarios";
import { at } from "./scenario";
import { workScenarios } from "./work-scenarios";

const SIZE_LIMIT = 60_000;
/** No recording takes longer. */
const TEN_MINUTES_MS = 600_000;
const KNOWN_PATHS = ["/bin/bash", "/dev/null", "/dev/zero"];

const everyone = [...workScenarios, ...processScenarios, ...failureScenarios];
const refusedStarts = /^(config-|home-missing)/;

const textOf = (lines: readonly FixtureLine[]) => lines.map((line) => JSON.stringify(line)).join("\n");

it("there is one of every scenario, and of its other processes", () => {
  expect(fixtureNames()).toEqual(
    [...everyone.map(({ name }) => name), "kill9-resume", "resume-first", "resume-live-holder"].sort(),
  );
});

describe.each(fixtureNames())("%s", (name) => {
  const lines = readFixture(name);
  const text = textOf(lines);

  it("is a whole conversation of the pinned version, and small", () => {
    expect(statSync(path.join(fixtureFolder(), `${name}.jsonl`)).size).toBeLessThan(SIZE_LIMIT);
    expect(lines.filter(({ dir }) => dir === "exit")).toEqual([lines.at(-1)]);
    expect(lines.map(({ ms }) => ms)).toEqual(lines.map(({ ms }) => ms).sort((a, b) => a - b));
    if (refusedStarts.test(name)) {
      expect(lines.at(-1)?.frame).toEqual({ code: 1, signal: null });
      return;
    }
    const greeting = framesFromCli(name).find((frame) => at(frame, "result", "userAgent") !== undefined);
    expect(at(greeting, "result", "userAgent")).toBe(`switchyard/${pin.version} (<system>) <terminal> (switchyard; 0.1.0)`);
  });

  it("answers every request, or ends before it could", () => {
    const idsOf = (dir: string, isRequest: boolean) =>
      lines.flatMap((line) => {
        if (line.dir !== dir || (line.dir !== "in" && line.dir !== "out") || line.frame.id === undefined) return [];
        return (line.frame.method !== undefined) === isRequest ? [Number(line.frame.id)] : [];
      });
    expect(idsOf("in", false).sort()).toEqual(idsOf("out", true).sort());
    expect(idsOf("out", false)).toEqual(name === "command-unanswered" ? [] : idsOf("in", true));
  });

  it("holds nothing of the machine it was recorded on", () => {
    const paths = text.match(/(?<![\w.:/<>}-])\/[a-z]+(\/[\w.@-]+)+/gi) ?? [];
    expect(paths.filter((found) => !KNOWN_PATHS.includes(found))).toEqual([]);
    for (const pattern of [
      /\/(tmp|root|home|Users|var|private|mnt)\b/,
      /127\.0\.0\.1|localhost|\[::1\]/,
      /\bsk-|Bearer|authorization/i,
      /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}/,
      /\b20\d\d[-/]\d\d[-/]\d\d/,
    ]) {
      expect(text.match(pattern)?.[0], String(pattern)).toBeUndefined();
    }
    for (const own of [os.hostname(), os.userInfo().username, os.release()]) {
      if (own.length > 4) expect(text).not.toContain(own);
    }
    const instants = (text.match(/\b1[6-9]\d{11}\b/g) ?? []).map(Number);
    expect(instants.filter((ms) => ms < RECORDING_EPOCH_MS || ms > RECORDING_EPOCH_MS + TEN_MINUTES_MS)).toEqual([]);
  });
});

/** Status and error of each turn that ended, in order. */
function endsOf(name: string): unknown[] {
  return framesFromCli(name).flatMap((frame) => {
    if (frame.method !== "turn/completed") return [];
    const error = at(frame.params, "turn", "error", "codexErrorInfo");
    return [error === undefined ? at(frame.params, "turn", "status") : error];
  });
}

it.each([
  ["plain-text", ["completed"]],
  ["follow-up", ["completed", "completed"]],
  ["two-threads", ["completed", "completed"]],
  ["command-decline", ["completed"]],
  ["command-cancel", ["interrupted"]],
  ["command-unanswered", ["interrupted"]],
  ["interrupt", ["interrupted"]],
  ["no-headers", ["interrupted"]],
  ["kill9", []],
  ["kill9-resume", ["completed"]],
  ["input-end-mid-turn", []],
  ["empty", ["completed"]],
  ["only-deltas", ["completed"]],
  ["recovered-after-cut", ["completed"]],
  ["bad-model", ["modelNotFound"]],
  ["http-401", [{ httpConnectionFailed: { httpStatusCode: 401 } }]],
  ["http-402", [{ httpConnectionFailed: { httpStatusCode: 402 } }]],
  ["http-403", [{ httpConnectionFailed: { httpStatusCode: 403 } }]],
  ["http-404", [{ httpConnectionFailed: { httpStatusCode: 404 } }]],
  ["http-429", [{ responseTooManyFailedAttempts: { httpStatusCode: 429 } }]],
  ["http-429-quota", ["usageLimitExceeded"]],
  ["http-500", ["internalServerError"]],
  ["http-502", [{ httpConnectionFailed: { httpStatusCode: 502 } }]],
  ["http-503", [{ httpConnectionFailed: { httpStatusCode: 503 } }]],
  ["http-503-overloaded", ["serverOverloaded"]],
  ["refused", [{ httpConnectionFailed: { httpStatusCode: null } }]],
  ["stream-cut", ["other"]],
  ["stream-silence", ["other"]],
  ["failed-context", ["contextWindowExceeded"]],
  ["failed-rate-limit", ["rateLimitExceeded"]],
  ["missing-key", ["other"]],
])("%s ends as %j", (name, ends) => {
  expect(endsOf(name)).toEqual(ends);
});

/** Characters of all pieces of the command's output, and of the output in the finished item. */
function outputOf(name: string): { pieces: number; whole: number } {
  const pieces = readFixture(name).reduce((sum, line) => {
    if (line.dir === "cut") return sum + line.frame.characters;
    const isPiece = line.dir === "in" && line.frame.method === "item/commandExecution/outputDelta";
    return isPiece ? sum + String(at(line.frame.params, "delta")).length : sum;
  }, 0);
  const outputs = framesFromCli(name).map((frame) => at(frame.params, "item", "aggregatedOutput"));
  return { pieces, whole: outputs.find((output) => typeof output === "string")?.length ?? 0 };
}

it("shows what pieces of an output can be relied on for", () => {
  expect(outputOf("command-output")).toEqual({ pieces: 12_004, whole: 12_004 });
  // Printed before the CLI listened: in the item, in no piece.
  expect(outputOf("command-output-early")).toEqual({ pieces: "later\n".length, whole: "early\nlater\n".length });
  // The item keeps the ends of 1 MiB; the pieces had everything.
  expect(outputOf("command-output-capped").pieces).toBe(2_688_895);
});

it("shows an item that ends after its turn", () => {
  const methods = framesFromCli("late-item-after-turn").map((frame) =>
    at(frame.params, "item", "type") === "commandExecution" ? `${frame.method} command` : frame.method,
  );
  expect(methods.indexOf("item/completed command")).toBeGreaterThan(methods.indexOf("turn/completed"));
});
