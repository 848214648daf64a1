"use client";

import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { isCallersFault } from "./error-code";
import { LiveProvider } from "./live-provider";
import { createConsoleClient, TRPCProvider } from "./trpc-client";

/** Data younger than this is shown without asking again; the live feed corrects it meanwhile. */
const STALE_TIME_MS = 5_000;
const RETRIES = 2;

function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: STALE_TIME_MS,
        retry: (failures, error) => failures < RETRIES && !isCallersFault(error),
        // The live feed catches up when the page is seen again.
        refetchOnWindowFocus: false,
      },
    },
  });
}

export function ConsoleDataProvider({ children }: { children: ReactNode }) {
  const [queryClient] = useState(createQueryClient);
  const [trpcClient] = useState(createConsoleClient);
  return (
    <QueryClientProvider client={queryClient}>
      <TRPCProvider trpcClient={trpcClient} queryClient={queryClient}>
        <LiveProvider>{children}</LiveProvider>
      </TRPCProvider>
    </QueryClientProvider>
  );
}
