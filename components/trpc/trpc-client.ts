import { createTRPCClient, httpLink, httpSubscriptionLink, splitLink } from "@trpc/client";
import { createTRPCContext } from "@trpc/tanstack-react-query";
import superjson from "superjson";
import { paths } from "@/components/paths";
import type { AppRouter } from "@/server/api/root";

export const { TRPCProvider, useTRPC, useTRPCClient } = createTRPCContext<AppRouter>();

/** One request a call: a slow page of chunks must not hold back the small answers beside it. */
export function createConsoleClient() {
  const shared = { url: paths.api.trpc(), transformer: superjson };
  return createTRPCClient<AppRouter>({
    links: [
      splitLink({
        condition: (operation) => operation.type === "subscription",
        true: httpSubscriptionLink(shared),
        false: httpLink(shared),
      }),
    ],
  });
}

export type ConsoleClient = ReturnType<typeof createConsoleClient>;
