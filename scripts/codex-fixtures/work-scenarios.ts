/** Turns that get somewhere: replies, commands, patches, questions, and what an approval does to them. */
import * as answers from "@/server/testing/responses-answers";
import { at, decide, heard, introduce, oneTurn, type Scenario, startThread, startTurn, turnEnded, unsupported } from "./scenario";

const ASKING = { approvalPolicy: "on-request" };
const PATCH = "*** Begin Patch\n*** Add File: note.txt\n+hello\n*** End Patch\n";
const escalated = answers.runCommand("echo outside", { escalated: true });

/**
 * What a command prints before the CLI has begun to listen is in the item's whole output, but in no piece. So these wait first;
 * one does not, and is recorded until it has lost its beginning.
 */
const SOME_OUTPUT = "sleep 0.5; for i in 1 2 3 4; do head -c 3000 /dev/zero | tr '\\0' $i; echo; sleep 0.2; done";
const EARLY_OUTPUT = "echo early; sleep 1; echo later";
const MUCH_OUTPUT = "sleep 0.5; seq 1 400000";

export const workScenarios: readonly Scenario[] = [
  { name: "plain-text", answers: [answers.reply("The answer is 42, and that is all.")], run: oneTurn() },
  { name: "two-messages", answers: [answers.twoMessages("Let me look first.", "The answer is 42.")], run: oneTurn() },
  {
    name: "reasoning",
    answers: [answers.reasonedReply("**Weighing it**", "Six times seven is asked for.", "The answer is 42.")],
    run: oneTurn(),
  },
  {
    name: "output-schema",
    answers: [answers.reply('{"insights":[]}')],
    run: oneTurn({
      turn: {
        outputSchema: {
          type: "object",
          properties: { insights: { type: "array", items: { type: "string" } } },
          required: ["insights"],
          additionalProperties: false,
        },
      },
    }),
  },
  {
    name: "follow-up",
    answers: [answers.reply("First answer."), answers.reply("Second answer.")],
    run: oneTurn({
      afterwards: async (session, { threadId }) => {
        await turnEnded(session, await startTurn(session, threadId, "And now?"));
      },
    }),
  },
  {
    name: "two-threads",
    run: async ({ upstream, start, home }) => {
      const session = start();
      await introduce(session);
      const [one, other] = [await startThread(session, home), await startThread(session, home)];
      let release: () => void = () => undefined;
      const released = new Promise<void>((resolve) => {
        release = resolve;
      });
      upstream.otherwise(({ prompt }) => answers.held(released, answers.reply(`Reply to ${prompt}.`)));
      const turns = [await startTurn(session, one, "one"), await startTurn(session, other, "other")];
      await upstream.received(2);
      release();
      for (const turn of turns) await turnEnded(session, turn);
      await session.end();
    },
  },
  {
    name: "turn-while-busy",
    run: async ({ upstream, start, home }) => {
      const session = start();
      await introduce(session);
      const threadId = await startThread(session, home);
      let release: () => void = () => undefined;
      const released = new Promise<void>((resolve) => {
        release = resolve;
      });
      upstream.next(answers.held(released, answers.reply("First answer.")), answers.reply("Answer to both."));
      const turn = await startTurn(session, threadId, "first");
      await upstream.received(1);
      await startTurn(session, threadId, "second, too early");
      release();
      await turnEnded(session, turn);
      await session.end();
    },
  },
  {
    name: "command-accept",
    answers: [escalated, answers.reply("It ran.")],
    run: oneTurn({ thread: ASKING, answerServer: decide("accept") }),
  },
  {
    name: "command-decline",
    answers: [escalated, answers.reply("It was declined.")],
    run: oneTurn({ thread: ASKING, answerServer: decide("decline") }),
  },
  { name: "command-cancel", answers: [escalated], run: oneTurn({ thread: ASKING, answerServer: decide("cancel") }) },
  {
    name: "command-answered-with-error",
    answers: [escalated, answers.reply("It could not be asked.")],
    run: oneTurn({ thread: ASKING, answerServer: unsupported }),
  },
  {
    name: "command-unanswered",
    answers: [escalated],
    run: oneTurn({
      thread: ASKING,
      answerServer: () => null,
      meanwhile: async (session, ids) => {
        await heard(session, "item/commandExecution/requestApproval");
        await session.request("turn/interrupt", ids);
      },
    }),
  },
  {
    name: "command-no-approval",
    answers: [answers.runCommand("echo out; echo err >&2; exit 3"), answers.reply("It ended with 3.")],
    run: oneTurn(),
  },
  { name: "command-output", answers: [answers.runCommand(SOME_OUTPUT), answers.reply("Much was printed.")], run: oneTurn() },
  {
    name: "command-output-early",
    answers: [answers.runCommand(EARLY_OUTPUT), answers.reply("Two lines.")],
    run: oneTurn(),
    shows: ({ lines }) => !lines.some((line) => line.dir === "in" && String(at(line.frame.params, "delta")).includes("early")),
  },
  { name: "command-output-capped", answers: [answers.runCommand(MUCH_OUTPUT), answers.reply("Very much.")], run: oneTurn() },
  {
    name: "late-item-after-turn",
    answers: [answers.runCommand("sleep 3; echo late", { yieldMs: 250 }), answers.reply("It still runs.")],
    run: oneTurn({ afterwards: async (session) => void (await heard(session, "item/completed", "commandExecution")) }),
  },
  {
    name: "filechange-accept",
    answers: [answers.applyPatch(PATCH), answers.reply("It is written.")],
    run: oneTurn({ thread: ASKING, answerServer: decide("accept") }),
  },
  {
    name: "filechange-decline",
    answers: [answers.applyPatch(PATCH), answers.reply("It is not written.")],
    run: oneTurn({ thread: ASKING, answerServer: decide("decline") }),
  },
  {
    name: "filechange-no-approval",
    answers: [answers.applyPatch(PATCH), answers.reply("It is written.")],
    run: oneTurn({ thread: { sandbox: "workspace-write" } }),
  },
  {
    name: "request-user-input",
    profile: { features: { default_mode_request_user_input: true } },
    answers: [answers.askUser("Which one?", ["Left", "Right"]), answers.reply("Left, then.")],
    run: oneTurn({ thread: ASKING, answerServer: () => ({ result: { answers: { q1: { answers: ["Left"] } } } }) }),
  },
  {
    name: "permissions-refused",
    profile: { features: { request_permissions_tool: true } },
    answers: [
      answers.answer(
        answers.functionCallFrames("request_permissions", {
          permissions: { network: { enabled: true } },
          reason: "to look it up",
        }),
      ),
      answers.reply("Without the network, then."),
    ],
    run: oneTurn({ thread: ASKING, answerServer: () => ({ result: { permissions: {}, scope: "turn" } }) }),
  },
  {
    name: "dynamic-tool-unsupported",
    answers: [answers.answer(answers.functionCallFrames("lookup_ticket", { id: 7 })), answers.reply("No ticket.")],
    run: oneTurn({
      thread: {
        dynamicTools: [
          { name: "lookup_ticket", description: "A ticket by its number.", inputSchema: { type: "object", properties: {} } },
        ],
      },
    }),
  },
];
