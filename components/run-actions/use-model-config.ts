"use client";

import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/trpc-client";

/** Scenes and providers of the newest revision, with the states of their keys. */
export function useModelConfig({ enabled = true }: { enabled?: boolean } = {}) {
  return useQuery(useTRPC().config.overview.queryOptions(undefined, { enabled }));
}
