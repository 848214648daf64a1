import { createTRPCClient, httpLink, httpSubscriptionLink, splitLink, type TRPCLink } from "@trpc/client";
import { tap } from "@trpc/server/observable";
import { createTRPCContext } from "@trpc/tanstack-react-query";
import superjson from "superjson";
import { paths } from "@/components/paths";
import type { AppRouter } from "@/server/api/root";
import { errorCodeOf } from "./error-code";
import { noteSignedOut } from "./session-state";

export const { TRPCProvider, useTRPC, useTRPCClient } = createTRPCContext<AppRouter>();

/** Sees every refusal, whoever called. */
const watchSession: TRPCLink<AppRouter> =
  () =>
  ({ op, next }) =>
    next(op).pipe(
      tap({
        error: (error) => {
          if (errorCodeOf(error) === "unauthorized") noteSignedOut();
        },
      }),
    );

/** One request a call: a slow page of chunks must not hold back the small answers beside it. */
export function createConsoleClient() {
  const shared = { url: paths.api.trpc(), transformer: superjson };
  return createTRPCClient<AppRouter>({
    links: [
      watchSession,
      splitLink({
        condition: (operation) => operation.type === "subscription",
        true: httpSubscriptionLink(shared),
        false: httpLink(shared),
      }),
    ],
  });
}

export type ConsoleClient = ReturnType<typeof createConsoleClient>;
