"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/trpc-client";
import type { RevisionView } from "@/server/runs/config-view.schema";

/** What the pages know of the newest revision, after a save. */
export function useNewestRevision() {
  const api = useTRPC();
  const queryClient = useQueryClient();
  return {
    /** Shown at once; what belongs to it (the file, the list) is asked for. */
    show: (revision: RevisionView) => {
      queryClient.setQueryData(api.config.current.queryKey(), (old) => old && { ...old, ...revision });
      void queryClient.invalidateQueries(api.config.pathFilter());
    },
    /** Resolves when the newest revision is known. */
    ask: () => queryClient.invalidateQueries({ queryKey: api.config.current.queryKey() }),
  };
}
