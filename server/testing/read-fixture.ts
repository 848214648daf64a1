/** Recorded conversations with the real Codex CLI (scripts/record-fixture.mts), as tests read them. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { projectRoot } from "@/server/shared/project-root";

export type FixtureLine =
  /** From us to the CLI (`out`), from the CLI to us (`in`): one JSON-RPC object. */
  | { dir: "out" | "in"; ms: number; frame: Record<string, unknown> }
  /** A line of the CLI's stderr. */
  | { dir: "err"; ms: number; frame: string }
  /** So many frames of `method` stood here, with so many characters of output. */
  | { dir: "cut"; ms: number; frame: { method: string; frames: number; characters: number } }
  /** The process ended; nothing follows. */
  | { dir: "exit"; ms: number; frame: { code: number | null; signal: string | null } };

const FOLDER = path.join("server", "backends", "adapters", "codex-app-server", "fixtures");

export function fixtureFolder(): string {
  return path.join(projectRoot(), FOLDER);
}

/** Names of all recordings, sorted. */
export function fixtureNames(): string[] {
  return readdirSync(fixtureFolder())
    .filter((name) => name.endsWith(".jsonl"))
    .map((name) => name.slice(0, -".jsonl".length))
    .sort();
}

/** The lines of one recording in their order. `ms` counts from the start of its scenario. */
export function readFixture(name: string): FixtureLine[] {
  const text = readFileSync(path.join(fixtureFolder(), `${name}.jsonl`), "utf8");
  // What the recorder wrote; the fixture test reads every line of every recording.
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as FixtureLine);
}

/** Only what the CLI said, frame by frame. */
export function framesFromCli(name: string): Record<string, unknown>[] {
  return readFixture(name).flatMap((line) => (line.dir === "in" ? [line.frame] : []));
}
