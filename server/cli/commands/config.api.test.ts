import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Container } from "@/server/container";
import { type ApiContainer, openApiContainer } from "@/server/testing/api-container";
import type { Terminal } from "../terminal";
import { configCommand } from "./config";

let open: ApiContainer;
let folder: string;
let out: string[];
let errors: string[];
let terminal: Terminal;

beforeEach(async () => {
  open = await openApiContainer();
  vi.stubEnv("SWITCHYARD_DATA_DIR", open.dataDir);
  folder = await mkdtemp(path.join(tmpdir(), "switchyard-config-"));
  [out, errors] = [[], []];
  terminal = {
    out: (line) => out.push(line),
    err: (line) => errors.push(line),
    progress: () => undefined,
    cwd: folder,
    interrupted: new AbortController().signal,
  };
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await open.close();
  await rm(folder, { recursive: true, force: true });
});

const run = (...argv: string[]) =>
  configCommand(argv, terminal, (work: (container: Container) => Promise<number>) => work(open.container));
const put = (text: string) => writeFile(path.join(folder, "c.yaml"), text);

const GOOD = "# ours\nmodels:\n  default: mock/mock-1 # cheap\n";

describe("config check", () => {
  it("names every mistake with its place and ends with 2", async () => {
    await put("models:\n  default: nobody/x\nmaxDeph: 3\n");
    expect(await run("check", "c.yaml")).toBe(2);
    expect(out).toEqual([
      `c.yaml:2:12: error: models.default: There is no provider "nobody"; there are extractive, mock.`,
      expect.stringMatching(/^c\.yaml:3:1: error: maxDeph: /),
      "c.yaml cannot be used: 2 errors, 0 warnings.",
    ]);
  });

  it.each([
    ["an empty file", ""],
    ["a file of comments", "# models:\n#   default: mock/mock-1\n"],
  ])("says of %s that it configures nothing, and ends with 0", async (_what, text) => {
    await put(text);
    expect(await run("check", "c.yaml")).toBe(0);
    expect(out).toEqual([
      "c.yaml:1:1: warning: Nothing is configured here, so no scene has a model; add models: with default: provider/model.",
      "c.yaml can be used; 1 warning.",
    ]);
  });

  it("ends with 0 for a good one, and speaks JSON", async () => {
    await put(GOOD);
    expect(await run("check", "c.yaml")).toBe(0);
    expect(out).toEqual(["c.yaml can be used."]);
    out.length = 0;
    expect(await run("check", "c.yaml", "--json")).toBe(0);
    expect(JSON.parse(out[0] ?? "")).toEqual({ usable: true, problems: [] });
  });

  it("never prints a key that was pasted", async () => {
    await put("providers:\n  openai: { apiKey: sk-canary-7f3a9b2c4d5e6f70a1b2 }\n");
    expect(await run("check", "c.yaml")).toBe(2);
    expect(out.join("\n")).not.toContain("canary");
  });
});

describe("config import and export", () => {
  it("bring the text in and out byte for byte", async () => {
    await put(GOOD);
    expect(await run("import", "c.yaml", "--author", "Ann", "--comment", "first")).toBe(0);
    expect(out).toEqual([`c.yaml is revision 2 now, in ${open.dataDir}.`]);
    expect(await open.container.config.current()).toMatchObject({
      author: "Ann",
      comment: "first",
      source: "command_line",
      text: GOOD,
    });
    out.length = 0;
    expect(await run("export")).toBe(0);
    expect(`${out.join("\n")}\n`).toBe(GOOD);
    out.length = 0;
    await run("import", "c.yaml");
    expect(out).toEqual([`Nothing has changed: revision 2 in ${open.dataDir} says the same.`]);
    expect(await run("export", "--revision", "1")).toBe(0);
  });

  it("take a file that configures nothing, and say so", async () => {
    await put("");
    expect(await run("import", "c.yaml")).toBe(0);
    expect(errors).toEqual([
      "c.yaml:1:1: warning: Nothing is configured here, so no scene has a model; add models: with default: provider/model.",
    ]);
  });

  it("leave the configuration alone when the file has an error", async () => {
    await put("models: { default: nobody/x }\n");
    expect(await run("import", "c.yaml")).toBe(2);
    expect(errors).toEqual([expect.stringMatching(/^c\.yaml:1:20: error: models\.default: /)]);
    expect((await open.container.config.current()).number).toBe(1);
  });
});

describe("config resolve", () => {
  it("says which model, and why", async () => {
    expect(await run("resolve", "planner")).toBe(0);
    expect(out).toEqual([
      "planner -> extractive/extractive-1",
      "  planner has no entry of its own; default is used.",
      "  * extractive/extractive-1: chosen. It is the first in the list that can be used.",
      "      ok provider: The provider extractive speaks through the profile extractive (extractive).",
      "      ok key: It needs no key.",
      "      ok capability: The scene requires no capability.",
      "      ok health: It was not checked lately.",
      "      ok cooldown: It is not cooling down.",
    ]);
  });

  it("tells the story of the server: what another process has written down of a provider holds", async () => {
    await put(
      "providers: { first: { baseUrl: http://127.0.0.1:1/v1 }, second: { baseUrl: http://127.0.0.1:1/v1 }, third: { baseUrl: http://127.0.0.1:1/v1 } }\n" +
        "models: { extract: { candidates: [first/m, second/m, third/m] } }\n",
    );
    const now = Date.now();
    await open.container.writer.commit([
      { sql: "setCooldown", args: ["first", "m", "provider-unavailable", "first answered 503", 3, 0, now, now + 60_000] },
      { sql: "setRefusal", args: ["second", "m", "second answered 401", now, now + 60_000] },
    ]);
    expect(await run("resolve", "extract", "--config", "c.yaml")).toBe(0);
    expect(out[0]).toBe("extract -> third/m");
    expect(out.filter((line) => line.includes("rejected"))).toEqual([
      expect.stringMatching(/^ {2}- first\/m: rejected\. It cools down for \d+ s more: first answered 503$/),
      "  - second/m: rejected. It is unavailable: second answered 401",
    ]);
  });

  it("gives the reference of the key and never its value, as JSON", async () => {
    vi.stubEnv("BOX_KEY", "key-canary-of-box-1");
    await put("providers: { box: { baseUrl: http://127.0.0.1:1/v1, apiKey: env:BOX_KEY } }\nmodels: { default: box/a/b }\n");
    expect(await run("resolve", "extract", "--config", "c.yaml", "--json")).toBe(0);
    const said = JSON.parse(out[0] ?? "");
    expect(said).toMatchObject({ scene: "extract", baseUrl: "http://127.0.0.1:1/v1", apiKey: "env:BOX_KEY", model: "a/b" });
    expect(said.why.chosen).toBe("box/a/b");
    expect(out[0]).not.toContain("canary");
  });

  it("ends with 2 when nothing can be used", async () => {
    await put(
      "providers: { box: { baseUrl: http://127.0.0.1:1/v1, apiKey: env:NO_SUCH_KEY_HERE } }\nmodels: { extract: box/a }\n",
    );
    expect(await run("resolve", "extract", "--config", "c.yaml")).toBe(2);
    expect(out[0]).toBe("extract -> nothing");
    expect(out.at(-1)).toBe("  None of the listed models can be used now.");
    expect(await run("resolve", "planner", "--config", "c.yaml")).toBe(2);
    expect(errors).toEqual(["models.planner: the scene has no model, and there is no models.default to fall back to."]);
  });
});

it.each([
  [[], /^Say what to do; there are:/],
  [["fix"], /^There is no "config fix"; there are:/],
  [["check"], /^Name one file: config check FILE/],
  [["check", "nowhere.yaml"], /^nowhere\.yaml cannot be read: there is no such file\.$/],
  [["export", "x"], /^Nothing is named here: config export/],
  [["resolve"], /^Name one scene: /],
])("refuses bad use: %j", async (argv, sentence) => {
  await expect(run(...argv)).rejects.toThrow(sentence);
});
