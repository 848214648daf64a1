"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/trpc-client";
import { useDebounced } from "@/components/ui/use-debounced";
import type { ModelAvailability } from "@/server/runs/model-availability.schema";

/** Often enough to watch a cooldown end. */
const REFRESH_MS = 5_000;
/** A model's name is typed letter by letter. */
const TYPING_MS = 300;
/** They travel in the address of the request. */
const MOST = 20;

/** How models stand now, by `provider/model`; empty until it is known, and for good when it cannot be asked: the choice works without. */
export function useAvailability(references: readonly string[]): ReadonlyMap<string, ModelAvailability> {
  const asked = useDebounced(references.slice(0, MOST).join("\n"), TYPING_MS);
  const query = useQuery(
    useTRPC().config.availability.queryOptions(
      { references: asked === "" ? [] : asked.split("\n") },
      { enabled: asked !== "", refetchInterval: REFRESH_MS, placeholderData: keepPreviousData },
    ),
  );
  return new Map(query.data?.map((entry) => [entry.reference, entry]));
}
