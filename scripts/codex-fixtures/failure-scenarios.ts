/** Turns that fail because of the upstream, each as the CLI reports it. */
import type { Script } from "@/server/testing/loopback-upstream";
import * as answers from "@/server/testing/responses-answers";
import type { ProfileOptions } from "./profile-home";
import { oneTurn, type Scenario } from "./scenario";

/** The same answer to every attempt. */
function failing(name: string, script: Script, profile: Partial<ProfileOptions> = {}): Scenario {
  return {
    name,
    profile,
    run: async (recording) => {
      recording.upstream.otherwise(() => script);
      await oneTurn()(recording);
    },
  };
}

export const failureScenarios: readonly Scenario[] = [
  failing("http-400", answers.badRequest),
  failing("http-401", answers.unauthorized),
  failing("http-402", answers.paymentRequired),
  failing("http-403", answers.forbidden),
  failing("http-404", answers.notFound),
  failing("http-429", answers.tooManyRequests()),
  failing("http-429-retry-after", answers.tooManyRequests(1)),
  failing("http-429-quota", answers.quotaExceeded),
  failing("http-500", answers.serverError),
  failing("http-502", answers.badGateway),
  failing("http-503", answers.unavailable),
  failing("http-503-overloaded", answers.overloaded),
  failing("bad-model", answers.modelNotFound),
  failing("stream-cut", answers.cutStream("The beginning of a long reply")),
  failing("stream-eof", answers.endWithoutCompleted("The beginning of a long reply")),
  failing("stream-malformed", answers.malformedEvents),
  failing("stream-json", answers.jsonInsteadOfEvents),
  failing("stream-silence", answers.silence(), { idleTimeoutMs: 2_000 }),
  failing("stream-silence-in-message", answers.silence("The beginning of a long reply"), { idleTimeoutMs: 2_000 }),
  failing("empty", answers.nothing()),
  failing("empty-message", answers.emptyMessage()),
  failing("only-deltas", answers.onlyDeltas("Text that never becomes an item")),
  failing("failed-context", answers.contextTooLong()),
  failing("failed-invalid-prompt", answers.failedResponse("invalid_prompt", "The prompt is invalid.")),
  failing("failed-overloaded", answers.failedResponse("server_is_overloaded", "The server is overloaded.")),
  failing("failed-quota", answers.failedResponse("insufficient_quota", "You exceeded your current quota.")),
  failing("failed-rate-limit", answers.failedResponse("rate_limit_exceeded", "Rate limit reached for requests.")),
  failing("failed-server-error", answers.failedResponse("server_error", "The server had an error.")),
  failing("failed-unknown", answers.failedResponse("something_new", "Something that nobody knows happened.")),
  failing("incomplete-length", answers.incompleteResponse("max_output_tokens")),
  failing("incomplete-content-filter", answers.incompleteResponse("content_filter")),
  failing("missing-key", answers.serverError, { key: null }),
  failing("empty-key", answers.serverError, { key: "" }),
  {
    name: "refused",
    profile: async () => ({ baseUrl: await answers.refusedBaseUrl() }),
    run: oneTurn(),
  },
  {
    name: "no-headers",
    answers: [answers.noHeaders],
    run: oneTurn({
      meanwhile: async (session, ids, { upstream }) => {
        await upstream.received(1);
        await session.request("turn/interrupt", ids);
      },
    }),
  },
  // What a repeat inside the CLI looks like: it is not the end of the turn, and a whole message comes once an attempt.
  {
    name: "recovered-after-503",
    answers: [answers.unavailable, answers.reply("Better now.")],
    run: oneTurn(),
  },
  {
    name: "recovered-after-cut",
    profile: { streamRetries: 1 },
    answers: [answers.cutStream("The beginning of"), answers.reply("Better now.")],
    run: oneTurn(),
  },
  failing("message-said-again", answers.cutAfterMessage("The same in each attempt."), { streamRetries: 2 }),
];
