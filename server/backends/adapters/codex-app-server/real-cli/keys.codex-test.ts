/** The key of a profile: where it goes, and where it can be found afterwards. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Secret } from "@/server/shared/secret";
import { freshKey, openRealCodex, type RealCodex, withoutSandbox } from "@/server/testing/real-codex";
import { agentTurn, chunkTurn, outputOf, startAgentTurn } from "@/server/testing/real-codex-turns";
import { onLinux } from "@/server/testing/real-processes";
import { refusal, reply, runCommand } from "@/server/testing/responses-answers";

const notRun = await withoutSandbox();

let codex: RealCodex;

beforeAll(async () => {
  codex = await openRealCodex();
});
afterAll(() => codex.close());

/** Files under the folder that hold the text, plain or in one of the forms that programs write. */
function filesWith(folder: string, text: string): string[] {
  const forms = [text, Buffer.from(text).toString("base64").replace(/=+$/, ""), Buffer.from(text).toString("hex")];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => {
      const bytes = readFileSync(file);
      return forms.some((form) => bytes.includes(form));
    });
}

describe("a key that cannot be used", () => {
  it.each([
    ["is missing", null, "deepseek has no key: set providers.deepseek.apiKey."],
    ["is empty", "", "deepseek: the key env:PROFILE_KEY is empty."],
    ["is blank", " \t ", "deepseek: the key env:PROFILE_KEY is empty."],
    [
      "holds a line break",
      "two\nlines",
      "deepseek: the key env:PROFILE_KEY holds a line break or another control character, and cannot be sent.",
    ],
  ])("because it %s starts nothing and asks nobody", async (_what, key, message) => {
    const via = codex.another({ key });
    const asked = codex.upstream.requests.length;
    const { error, told } = await chunkTurn(codex, [reply("never said")], { via });
    expect(error).toMatchObject({ failureKind: "secret-unavailable", message });
    expect(told).toEqual(["status started"]);
    await expect(agentTurn(codex, [reply("never said")], { via })).rejects.toMatchObject({
      failureKind: "secret-unavailable",
      message,
    });
    expect(await via.backend.probe(new AbortController().signal, via.access, via.model)).toMatchObject({
      state: "unavailable",
      reason: message,
    });
    expect(via.backend.running()).toEqual([]);
    expect(codex.upstream.requests).toHaveLength(asked);
  });
});

it("takes the blanks around a key off, which a header would not carry", async () => {
  const via = codex.another({ key: " padded-key-0123456789\n" });
  const { requests } = await chunkTurn(codex, [reply("said")], { via });
  expect(requests.map(({ authorization }) => authorization)).toEqual(["Bearer padded-key-0123456789"]);
});

it("starts another process for a key that was changed, and sends each its own", async () => {
  const rotated = freshKey("rotated");
  const via = {
    backend: codex.backend,
    model: codex.model,
    access: { ...codex.access, secrets: { apiKey: new Secret(rotated, "env:PROFILE_KEY") } },
  };
  const before = await chunkTurn(codex, [reply("one")]);
  const after = await chunkTurn(codex, [reply("two")], { via });
  const again = await chunkTurn(codex, [reply("three")]);
  expect([before, after, again].map(({ requests }) => requests[0]?.authorization)).toEqual([
    `Bearer ${codex.key}`,
    `Bearer ${rotated}`,
    `Bearer ${codex.key}`,
  ]);
  expect(codex.backend.running()).toHaveLength(2);
});

it("goes on in a run's thread with a key that was changed, and frees the thread from the process of the old one", async () => {
  const rotated = freshKey("rotated");
  const own = codex.another();
  const { key } = own;
  const workspace = codex.makeWorkspace();
  const options = { workspace, runId: "rotated" };
  const before = await agentTurn(codex, codex.scripted([reply("one")], "Remember the number 4711."), { ...options, via: own });
  const via = { ...own, access: { ...own.access, secrets: { apiKey: new Secret(rotated, "env:PROFILE_KEY") } } };
  const after = await agentTurn(codex, [reply("two")], { ...options, via, threadId: before.threadId });
  expect([before, after].map(({ requests }) => requests[0]?.authorization)).toEqual([`Bearer ${key}`, `Bearer ${rotated}`]);
  expect(after.told).toEqual(["status thread-resumed", "message final: two", "status suppressed", "end completed"]);
  expect(JSON.stringify(after.requests[0]?.body.input)).toContain("Remember the number 4711.");
  expect(own.backend.running().map(({ pid }) => pid)).toEqual([after.process.pid]);
  expect(after.process.pid).not.toBe(before.process.pid);
});

it("is taken out of what the upstream repeats, by both ways", async () => {
  const leaking = () => refusal(401, "invalid_api_key", `Incorrect API key provided: ${codex.key}.`);
  const chunk = await chunkTurn(codex, [leaking()]);
  expect(chunk.error?.failureKind).toBe("provider-auth-failed");
  // Codex itself never sees it, so that its sessions and logs do not keep it either.
  expect(chunk.error?.message).toContain("Incorrect API key provided: [redacted].");
  const agent = await agentTurn(codex, [leaking()]);
  expect(agent.outcome.message).toContain("Incorrect API key provided: [redacted].");
  expect(agent.outcome.message).toContain(`url: ${codex.access.baseUrl}/responses`);
  const said = await agentTurn(codex, [reply(`Your key is ${codex.key}, is it not?`)]);
  expect(said.outcome.reply).toBe("Your key is [redacted], is it not?");
  expect(JSON.stringify([chunk.events, agent.events, agent.outcome, said.events])).not.toContain(codex.key);
  expect(filesWith(codex.homesFolder, codex.key)).toEqual([]);
  expect(filesWith(codex.homesFolder, "Your key is [redacted]").length).toBeGreaterThan(0);
});

describe.skipIf(notRun !== "" || !onLinux)(`commands of the model${notRun}`, () => {
  const look = (pid: number) =>
    `exec 2>&1; env; cat /proc/${pid}/environ || echo unreadable; cat /proc/[0-9]*/environ 2>/dev/null | tr '\\0' '\\n' | grep _KEY=; echo end`;

  it.each(["read-only", "workspace-write"] as const)("see no key in the sandbox %s, not by /proc either", async (sandbox) => {
    const fresh = await openRealCodex();
    try {
      await chunkTurn(fresh, [reply("so that the process runs")]);
      const [process] = fresh.backend.running();
      const { events, requests } = await agentTurn(fresh, [runCommand(look(process?.pid ?? 0)), reply("done")], {
        policy: { sandbox },
      });
      const output = requests[1]?.toolOutputs[0]?.output ?? "";
      expect(output).not.toContain(fresh.key);
      expect(output).not.toMatch(/_KEY=/);
      expect(output).toContain(`cat: /proc/${process?.pid}/environ: No such file or directory\nunreadable\nend\n`);
      expect(outputOf(events)).toContain("CODEX_THREAD_ID=");
      expect(fresh.backend.running().map(({ pid }) => pid)).toEqual([process?.pid]);
    } finally {
      await fresh.close();
    }
  });

  // What they find there is the password of the relay, which ends with the process; and the look above finds what there is to find.
  it("find no key in the widest sandbox either, and the trace does not show what they find", async () => {
    const wide = await openRealCodex();
    try {
      await chunkTurn(wide, [reply("so that the process runs")]);
      const [process] = wide.backend.running();
      const { events, requests } = await agentTurn(wide, [runCommand(look(process?.pid ?? 0)), reply("done")], {
        policy: { sandbox: "danger-full-access" },
      });
      const output = requests[1]?.toolOutputs[0]?.output ?? "";
      const [, password = ""] = /SWITCHYARD_PROFILE_KEY=([0-9a-f]{64})/.exec(output) ?? [];
      expect(password).not.toBe("");
      expect(outputOf(events)).toContain("SWITCHYARD_PROFILE_KEY=[password of the relay]");
      expect(output).not.toContain(wide.key);
      expect(JSON.stringify(events)).not.toContain(password);
    } finally {
      await wide.close();
    }
  });
});

it("leaves nothing of the key on disk, not after a kill in the middle of a command either", async () => {
  const own = await openRealCodex();
  try {
    const workspace = own.makeWorkspace();
    await chunkTurn(own, [reply("one")]);
    const runId = "leaves-nothing";
    const turn = await startAgentTurn(own, [runCommand("env; until [ -e go ]; do sleep 0.05; done", { yieldMs: 60_000 })], {
      workspace,
      runId,
      policy: { sandbox: "danger-full-access" },
    });
    await turn.event("the command runs", ({ type }) => type === "tool_call");
    for (const { pid } of own.backend.running()) process.kill(pid, "SIGKILL");
    const { outcome, threadId } = await turn.ended;
    expect(outcome.failureKind).toBe("backend-failed");
    const resumed = await agentTurn(own, [runCommand("env"), reply("two")], {
      workspace,
      runId,
      threadId,
      policy: { sandbox: "danger-full-access" },
    });
    expect(resumed.outcome.reply).toBe("two");
    await own.backend.close();
    const files = readdirSync(own.homesFolder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    expect(files.map(({ name }) => name)).toEqual(expect.arrayContaining(["config.toml", "models.json"]));
    expect(filesWith(own.homesFolder, own.key)).toEqual([]);
    // The look finds what is there: the name of the variable stands in the configuration.
    expect(filesWith(own.homesFolder, "SWITCHYARD_PROFILE_KEY").map((file) => path.basename(file))).toContain("config.toml");
  } finally {
    await own.close();
  }
});
