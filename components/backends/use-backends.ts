"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/trpc-client";

/** Often enough to watch load and cooldowns; React Query rests while the page is hidden. */
const REFRESH_MS = 5_000;
/** Seen again, the page asks at once instead of at the next turn. */
const FRESHNESS = { refetchInterval: REFRESH_MS, refetchOnWindowFocus: true } as const;

/** Every profile with its providers; what was there stays while it is read again. */
export function useBackends() {
  return useQuery(useTRPC().backends.list.queryOptions(undefined, FRESHNESS));
}

/** One profile; until it is there, as the table last showed it. */
export function useBackend(profile: string) {
  const api = useTRPC();
  const queryClient = useQueryClient();
  return useQuery(
    api.backends.get.queryOptions(
      { profile },
      {
        ...FRESHNESS,
        placeholderData: () =>
          queryClient.getQueryData(api.backends.list.queryKey())?.items.find((row) => row.profile === profile),
      },
    ),
  );
}
