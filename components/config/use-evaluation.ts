"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useTRPCClient } from "@/components/trpc/trpc-client";
import { useDebounced } from "@/components/ui/use-debounced";
import type { DocumentChoice } from "./document-choice";

/** Typing rests this long before the server looks at the text. */
const TYPING_REST_MS = 300;

/**
 * What is wrong with the document and what it comes to; the former answer stays until the next one is there. An answer that came
 * too late for its text is never shown.
 */
export function useEvaluation(choice: DocumentChoice, isTyped: boolean) {
  const client = useTRPCClient();
  const name = choice.text ?? choice.revision;
  const restedName = useDebounced(name, isTyped ? TYPING_REST_MS : 0);
  const rested: DocumentChoice = typeof restedName === "string" ? { text: restedName } : { revision: restedName };
  const query = useQuery({
    queryKey: ["config-evaluation", rested],
    queryFn: ({ signal }) => client.config.evaluate.mutate(rested, { signal }),
    gcTime: 0,
    placeholderData: keepPreviousData,
    // Keys may be set, and files of keys written, while the page is away.
    refetchOnWindowFocus: true,
  });
  return { query, isOutdated: restedName !== name || query.isPlaceholderData };
}
