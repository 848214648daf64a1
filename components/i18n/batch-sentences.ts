import type { MessageKey } from "./messages";

/** What the server says of batch jobs; see server-sentences.ts. */
export const BATCH_SENTENCES: readonly [RegExp, MessageKey][] = [
  [/^a batch job holds it$/, "batch.skip.held"],
  [/^its batch does not hold it any more$/, "batch.skip.notHeld"],
  [/^It is not of the form that files of answers have\.$/, "batch.notForm"],
  [/^Its id is of no request of this batch\.$/, "batch.otherRequest"],
  [/^It has neither a response nor an error\.$/, "batch.neither"],
  [/^Its result is neither succeeded, errored, canceled nor expired\.$/, "batch.noResult"],
  [
    /^(?<name>\S+) says that the answers lie on another server; they were not fetched, since the key goes to its own address only\.$/,
    "batch.otherServer",
  ],
  [/^(?<name>\S+): a batch needs a file of requests\.$/, "batch.noFile"],
  [/^(?<name>\S+) says of no place where the answers lie\.$/, "batch.noPlace"],
  [/^(?<name>\S+) answered with something that is no (?<what>(?:list of )?batch(?:es)?|file|\d+)\.$/, "batch.notForm.answer"],
  [/^line (?<line>\d+) of the answer is longer than (?<most>\d+) characters$/, "batch.longLine"],
  [/^It was cancelled before it was handed in\.$/, "batch.neverSent"],
  [/^It was given up: what the provider still answers is not fetched\.$/, "batch.givenUp"],
  [
    /^It is not known whether (?<name>\S+) has it: (?<count>\d+) of its batches may be this one, which shows when they have ended\. Cancel it to give it up\.$/,
    "batch.unsure",
  ],
  [/^It is not known whether (?<name>\S+) has it: its submission was broken off, and it is looked for\.$/, "batch.lookedFor"],
  [/^The batch has ended without an answer to this request\.$/, "batch.without"],
  [/^The batch failed as a whole: (?<words>.+)$/s, "batch.failedWhole"],
  [/^The server itself broke at it; its log says where\.$/, "batch.broke"],
  [/^The server is shutting down\.$/, "batch.shutDown"],
  [/^Chunk (?<index>\d+) alone is larger than a batch of this provider may be \((?<most>\d+) bytes\)\.$/, "batch.tooLarge"],
  [/^The backend "(?<name>[^"]+)" takes no batches\. (?<reason>.+)$/s, "batch.takesNone"],
  [/^No backend of this run takes batches \((?<names>[^)]+)\)\. (?<reason>.+)$/s, "batch.runTakesNone"],
  [
    /^OpenAI and Anthropic do at their own addresses; of another server say it in its profile \(batch: true\)\.$/,
    "batch.whoTakes",
  ],
  [/^No chunk of this run can be handed in; none is queued or failed, or others have them\.$/, "batch.nothing"],
  [/^No chunk of this run can be handed in; chunk (?<index>\d+) is not: (?<reason>.+)\.$/s, "batch.nothingNamed"],
  [/^This batch has ended already; it is (?<state>\w+)\.$/, "batch.ended"],
  [/^An agent run has no chunks, so none of it can be handed in\.$/, "batch.agentRun"],
  [/^Nothing of a run that was (?<status>\w+) is handed in\.$/, "batch.cancelledRun"],
  [/^There is no batch (?<id>\S+)\.$/, "batch.missing"],
];
