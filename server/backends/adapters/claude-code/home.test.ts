import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { makeFolder } from "@/server/testing/make-folder";
import { openPlace } from "./home";

it("is a home that stays, and folders of one process that go", async () => {
  const root = path.join(makeFolder(), "agents");
  const first = await openPlace(root, "my claude/1", "The system text.");
  const second = await openPlace(root, "my claude/1", "");
  const base = path.join(root, "my_claude_1-claude");
  expect([first.home, first.config]).toEqual([path.join(base, "home"), path.join(base, "config")]);
  expect([second.home, second.config]).toEqual([first.home, first.config]);
  expect(second.workspace).not.toBe(first.workspace);
  expect(readFileSync(first.systemFile, "utf8")).toBe("The system text.");
  expect([readdirSync(first.workspace), readdirSync(first.temporary)]).toEqual([[], []]);
  for (const folder of [root, base, first.home, first.config, first.workspace, first.temporary])
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(statSync(first.systemFile).mode & 0o777).toBe(0o600);
  await first.remove();
  expect([existsSync(path.dirname(first.workspace)), existsSync(first.home), existsSync(second.workspace)]).toEqual([
    false,
    true,
    true,
  ]);
});

it("is cleared of what killed processes left a day ago, and of nothing else", async () => {
  const root = path.join(makeFolder(), "agents");
  const place = await openPlace(root, "claude", "");
  const old: string[] = [];
  const kept: string[] = [];
  const write = (list: string[], age: number, ...parts: string[]) => {
    const file = path.join(root, "claude-claude", ...parts);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, "x");
    const seconds = Date.now() / 1000 - age;
    utimesSync(file, seconds, seconds);
    list.push(file);
  };
  write(old, 90_000, "config", "sessions", "12.json");
  write(old, 90_000, "config", "plugins", "store", "a.json.tmp.1a2b");
  write(old, 90_000, "processes", "process-old");
  write(kept, 80_000, "config", "sessions", "13.json");
  write(kept, 90_000, "config", "plugins", "store", "a.json");
  write(kept, 90_000, "config", ".claude.json");
  await (await openPlace(root, "claude", "")).remove();
  expect([old.filter(existsSync), kept.filter((file) => !existsSync(file))]).toEqual([[], []]);
  expect(existsSync(place.workspace)).toBe(true);
});
