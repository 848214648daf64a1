"use client";

import { useQuery } from "@tanstack/react-query";
import { useTRPCClient } from "@/components/trpc/trpc-client";
import type { DistillOrder } from "@/server/runs/run.schema";

const identities = new WeakMap<DistillOrder, number>();
let lastIdentity = 0;

/** A short name for an order, because megabytes of text are no key of a cache. */
function identityOf(order: DistillOrder): number {
  let identity = identities.get(order);
  if (identity === undefined) {
    identity = ++lastIdentity;
    identities.set(order, identity);
  }
  return identity;
}

/** What a start of the order would do; the former answer stays until the next one is there. Null asks nothing. */
export function usePreview(order: DistillOrder | null) {
  const client = useTRPCClient();
  return useQuery({
    queryKey: ["new-run-preview", order === null ? null : identityOf(order)],
    queryFn: async ({ signal }) => (order === null ? null : client.runs.preview.mutate(order, { signal })),
    enabled: order !== null,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    placeholderData: (former) => (order === null ? undefined : former),
  });
}
