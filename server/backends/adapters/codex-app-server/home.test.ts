import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { makeFolder } from "@/server/testing/make-folder";
import { prepareHome, pruneLogs } from "./home";

const CONFIG = {
  providerName: "deepseek",
  baseUrl: "https://api.deepseek.com",
  model: "deepseek-flash",
  streamIdleMs: 120_000,
  contextWindow: 128_000,
};

const modeOf = (file: string) => (statSync(file).mode & 0o777).toString(8);

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .sort();
}

describe("a home", () => {
  it("is of this user alone, whatever the umask is and whatever was there", async () => {
    const umask = process.umask(0);
    onTestFinished(() => void process.umask(umask));
    const root = path.join(makeFolder(), "deep", "agents");
    mkdirSync(root, { recursive: true });
    chmodSync(root, 0o755);
    const home = await prepareHome(root, CONFIG);
    for (const folder of [root, path.dirname(home.path), home.path, home.temporary, home.shells, home.emptyWorkspace])
      expect([folder, modeOf(folder)]).toEqual([folder, "700"]);
    for (const file of ["config.toml", "models.json"]) expect([file, modeOf(path.join(home.path, file))]).toEqual([file, "600"]);
    expect(filesBelow(home.emptyWorkspace)).toEqual([]);
  });

  it("has its temporary folder beside it, and another one for each configuration and provider", async () => {
    const root = makeFolder();
    const one = await prepareHome(root, CONFIG);
    expect(path.relative(one.path, one.temporary)).toBe(path.join("..", "tmp"));
    const others = await Promise.all([
      prepareHome(root, { ...CONFIG, providerName: "minimax-m3" }),
      prepareHome(root, { ...CONFIG, baseUrl: "https://elsewhere.example" }),
      prepareHome(root, { ...CONFIG, model: "another" }),
      prepareHome(root, { ...CONFIG, contextWindow: 64_000 }),
    ]);
    expect(new Set([one, ...others].map(({ path: folder }) => folder)).size).toBe(5);
    expect((await prepareHome(root, CONFIG)).path).toBe(one.path);
  });

  it("of a provider with a strange name lies below its root", async () => {
    const root = makeFolder();
    const home = await prepareHome(root, { ...CONFIG, providerName: "../../etc/evil name" });
    expect(path.relative(root, home.path)).toMatch(/^______etc_evil_name-[0-9a-f]{12}\/home$/);
  });

  it("keeps sessions and replaces generated files whole", async () => {
    const root = makeFolder();
    const home = await prepareHome(root, CONFIG);
    writeFileSync(path.join(home.path, "config.toml"), "broken");
    mkdirSync(path.join(home.path, "sessions"));
    writeFileSync(path.join(home.path, "sessions", "kept.jsonl"), "kept");
    await Promise.all(Array.from({ length: 20 }, () => prepareHome(root, CONFIG)));
    expect(filesBelow(home.path)).toEqual(["config.toml", "models.json", path.join("sessions", "kept.jsonl")]);
    expect(readFileSync(path.join(home.path, "config.toml"), "utf8")).toMatch(/^model = "deepseek-flash"\n/);
    expect(JSON.parse(readFileSync(path.join(home.path, "models.json"), "utf8")).models[0].slug).toBe("deepseek-flash");
  });

  it("is read whole by others while it is written: a file is there, old or new, never half", async () => {
    const root = makeFolder();
    const home = await prepareHome(root, CONFIG);
    const whole = readFileSync(path.join(home.path, "config.toml"), "utf8");
    let isWriting = true;
    const writing = (async () => {
      for (let round = 0; round < 30; round++) await prepareHome(root, CONFIG);
      isWriting = false;
    })();
    let reads = 0;
    while (isWriting) {
      expect(readFileSync(path.join(home.path, "config.toml"), "utf8")).toBe(whole);
      reads += 1;
      await new Promise(setImmediate);
    }
    await writing;
    expect(reads).toBeGreaterThan(10);
  });

  it("for models that Codex knows has no catalog", async () => {
    const home = await prepareHome(makeFolder(), { ...CONFIG, baseUrl: "https://api.openai.com/v1" });
    expect(filesBelow(home.path)).toEqual(["config.toml"]);
    expect(readFileSync(path.join(home.path, "config.toml"), "utf8")).not.toContain("model_catalog_json");
  });

  it("cannot be made where a file is in the way", async () => {
    const root = path.join(makeFolder(), "agents");
    writeFileSync(root, "a file");
    await expect(prepareHome(root, CONFIG)).rejects.toMatchObject({ code: "EEXIST" });
  });
});

it("only Codex's own logs are pruned", async () => {
  const home = await prepareHome(makeFolder(), CONFIG);
  for (const name of [
    "logs_2.sqlite",
    "logs_2.sqlite-wal",
    "logs_11.sqlite-shm",
    "state_5.sqlite",
    "logs.txt",
    "my_logs_2.sqlite",
  ])
    writeFileSync(path.join(home.path, name), "x");
  await pruneLogs(home);
  expect(filesBelow(home.path)).toEqual(["config.toml", "logs.txt", "models.json", "my_logs_2.sqlite", "state_5.sqlite"]);
});
