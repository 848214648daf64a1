/** Interrupts, resumed threads, and processes that end before their turn or do not start. */
import { rm } from "node:fs/promises";
import * as answers from "@/server/testing/responses-answers";
import { at, heard, introduce, oneTurn, type Recording, type Scenario, startThread, startTurn, turnEnded } from "./scenario";
import type { Session } from "./session";

const DANGER = { sandbox: "danger-full-access" };

/** A process in the middle of a message. */
async function midMessage(recording: Recording): Promise<{ session: Session; threadId: string }> {
  const session = recording.start();
  await introduce(session);
  const threadId = await startThread(session, recording.home);
  await startTurn(session, threadId, "Write for a long time.");
  await heard(session, "item/agentMessage/delta");
  return { session, threadId };
}

/** A fresh process goes on with the thread. */
async function resume(recording: Recording, threadId: string, suffix?: string): Promise<void> {
  const session = recording.start(suffix === undefined ? {} : { suffix });
  await introduce(session);
  const response = await session.request("thread/resume", {
    threadId,
    cwd: recording.home.workspace,
    approvalPolicy: "never",
    sandbox: "read-only",
    excludeTurns: true,
  });
  if (at(response, "result", "thread", "id") === threadId) {
    await turnEnded(session, await startTurn(session, threadId, "Go on."));
  }
  await session.end();
}

/** The process refuses to start and says why on stderr. */
async function refusesToStart(recording: Recording): Promise<void> {
  await recording.start().ended;
}

export const processScenarios: readonly Scenario[] = [
  {
    name: "interrupt",
    answers: [answers.silence("The beginning of a long reply")],
    run: oneTurn({
      meanwhile: async (session, ids) => {
        await heard(session, "item/agentMessage/delta");
        await session.request("turn/interrupt", ids);
      },
    }),
  },
  {
    name: "interrupt-command",
    answers: [answers.runCommand("sleep 0.5; echo begun; sleep 71")],
    run: oneTurn({
      thread: DANGER,
      meanwhile: async (session, ids) => {
        await heard(session, "item/commandExecution/outputDelta");
        await session.request("turn/interrupt", ids);
      },
      afterwards: async (session, { threadId }) => {
        await session.request("thread/backgroundTerminals/clean", { threadId });
        await heard(session, "item/completed", "commandExecution");
      },
    }),
  },
  {
    name: "interrupt-idle",
    answers: [answers.reply("Done already.")],
    run: oneTurn({ afterwards: async (session, ids) => void (await session.request("turn/interrupt", ids)) }),
  },
  {
    name: "resume",
    answers: [answers.reply("First answer."), answers.reply("Second answer.")],
    run: async (recording) => {
      const session = recording.start({ suffix: "first" });
      await introduce(session);
      const threadId = await startThread(session, recording.home);
      await turnEnded(session, await startTurn(session, threadId, "Begin."));
      await session.end();
      await resume(recording, threadId);
    },
  },
  {
    name: "resume-unknown",
    run: (recording) => resume(recording, "01990000-0000-7000-8000-000000000000"),
  },
  {
    name: "resume-live",
    answers: [answers.silence("The beginning of a long reply")],
    run: async (recording) => {
      const { session, threadId } = await midMessage({ ...recording, start: () => recording.start({ suffix: "holder" }) });
      await resume(recording, threadId);
      await session.end();
    },
  },
  {
    name: "kill9",
    answers: [answers.silence("The beginning of a long reply"), answers.reply("Back again.")],
    run: async (recording) => {
      const { session, threadId } = await midMessage(recording);
      session.kill("SIGKILL");
      await session.ended;
      await resume(recording, threadId, "resume");
    },
  },
  {
    name: "kill9-command",
    answers: [answers.runCommand("sleep 0.5; echo begun; sleep 61")],
    run: async (recording) => {
      const session = recording.start();
      await introduce(session);
      await startTurn(session, await startThread(session, recording.home, DANGER), "Run it.");
      await heard(session, "item/commandExecution/outputDelta");
      session.kill("SIGKILL");
      await session.ended;
    },
  },
  {
    name: "sigterm-mid-turn",
    answers: [answers.silence("The beginning of a long reply")],
    run: async (recording) => {
      const { session } = await midMessage(recording);
      session.kill("SIGTERM");
      await session.ended;
    },
  },
  {
    name: "input-end-mid-turn",
    answers: [answers.silence("The beginning of a long reply")],
    run: async (recording) => (await midMessage(recording)).session.end(),
  },
  {
    name: "before-initialize",
    run: async ({ start, home }) => {
      const session = start();
      await session.request("thread/start", { cwd: home.workspace });
      await session.request("no/such/method");
      await introduce(session);
      await session.request("no/such/method");
      await session.request("turn/start", { threadId: "no thread", input: [] });
      await session.end();
    },
  },
  {
    name: "thread-start-refused",
    run: async ({ start, home }) => {
      const session = start();
      await introduce(session);
      await session.request("thread/start", { cwd: home.workspace, modelProvider: "nobody" });
      await session.end();
    },
  },
  {
    name: "config-chat-wire",
    profile: { edit: (config) => config.replace('wire_api = "responses"', 'wire_api = "chat"') },
    run: refusesToStart,
  },
  {
    name: "config-forbidden",
    profile: { edit: (config) => config.replace('approval_policy = "never"', 'approval_policy = "untrusted"') },
    run: refusesToStart,
  },
  {
    name: "config-unknown-provider",
    profile: { edit: (config) => config.replace('model_provider = "profile"', 'model_provider = "nobody"') },
    run: refusesToStart,
  },
  { name: "config-broken", profile: { edit: (config) => `${config}[features\n` }, run: refusesToStart },
  { name: "config-unknown-key", profile: { edit: (config) => `no_such_setting = true\n${config}` }, run: refusesToStart },
  {
    name: "home-missing",
    run: async (recording) => {
      await rm(recording.home.codexHome, { recursive: true });
      await refusesToStart(recording);
    },
  },
];
