import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Terminal } from "@/server/cli/terminal";
import { secretsCommand } from "./secrets";

const KEY = "sk-canary-render-5b1e77aa";

let root: string;
let lines: string[];
let terminal: Terminal;

beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), "switchyard-secrets-"));
  lines = [];
  const say = (line: string) => void lines.push(line);
  terminal = { out: say, err: say, progress: () => undefined, cwd: root, interrupted: new AbortController().signal };
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(root, { recursive: true, force: true });
});

async function render(text: string, ...argv: string[]): Promise<number> {
  await writeFile(path.join(root, "config.yaml"), text);
  return secretsCommand(["render", ...argv, "--config", "config.yaml"], terminal);
}

describe("secrets render", () => {
  it("names what the profile needs, where it comes from and its state, and never its value", async () => {
    vi.stubEnv("RENDER_KEY", KEY);
    expect(await render("providers:\n  deepseek:\n    apiKey: env:RENDER_KEY\n", "deepseek")).toBe(0);
    expect(lines).toEqual(["deepseek (codex-app-server-stdio)", "needs: apiKey", "deepseek.apiKey  env:RENDER_KEY  set"]);
    expect(lines.join("\n")).not.toContain(KEY);
  });

  it("lists every provider of a profile, as JSON too", async () => {
    vi.stubEnv("RENDER_KEY", KEY);
    vi.stubEnv("OTHER_KEY", undefined);
    const text =
      "providers:\n  one:\n    profile: minimax-m3\n    apiKey: env:RENDER_KEY\n  two:\n    profile: minimax-m3\n    apiKey: env:OTHER_KEY\n";
    expect(await render(text, "minimax-m3", "--json")).toBe(1);
    expect(JSON.parse(lines[0] ?? "")).toEqual({
      profile: "minimax-m3",
      backendKind: "codex-app-server-stdio",
      command: "codex app-server --listen stdio://",
      requiredSecretKeys: ["apiKey"],
      isolation: "Secrets of the chosen profile only, and a home folder of its own for each profile.",
      secrets: [
        { provider: "one", key: "apiKey", reference: "env:RENDER_KEY", state: "set" },
        { provider: "two", key: "apiKey", reference: "env:OTHER_KEY", state: "missing" },
      ],
    });
    expect(lines.join("\n")).not.toContain(KEY);
  });

  it("says when nobody uses the profile, and when there is none", async () => {
    expect(await render("", "codex")).toBe(1);
    expect(lines.at(-1)).toBe("No provider of the configuration uses it.");
    await expect(render("", "nobody")).rejects.toThrow('There is no profile or provider "nobody"; there are: extractive, mock,');
  });
});
