"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { toast } from "sonner";
import { useI18n } from "@/components/i18n/i18n-provider";
import { serverSentence } from "@/components/i18n/server-words";
import { useTRPC } from "@/components/trpc/trpc-client";
import { useErrorText } from "@/components/trpc/use-error-text";
import type { RetryInput } from "@/server/runs/run.schema";
import type { Selection } from "./selection";

/** Queues the selected chunks again and says how many were; `onDone` is called only when it worked. */
export function useRetryChunks(runId: string, onDone: () => void) {
  const { t } = useI18n();
  const api = useTRPC();
  const queryClient = useQueryClient();
  const errorText = useErrorText();
  const mutation = useMutation(
    api.runs.retry.mutationOptions({
      onSuccess: ({ requeued, skipped }) => {
        const [first] = skipped;
        const skippedPart =
          first === undefined
            ? ""
            : t("chunks.retriedSkipped", { count: skipped.length, reason: serverSentence(t, first.reason) });
        toast.success(t("chunks.retried", { requeued, asked: requeued + skipped.length, skipped: skippedPart }));
        void queryClient.invalidateQueries({ queryKey: api.runs.get.queryKey({ id: runId }) });
        onDone();
      },
      onError: (error) => {
        const { title, detail } = errorText(error);
        toast.error(t("chunks.retryFailed"), { description: `${title} ${detail}`.trim() });
      },
    }),
  );
  return {
    isPending: mutation.isPending,
    /** `choice`: whom it asks; absent = as before. */
    retry: (selection: Selection, choice?: RetryInput["with"]) =>
      mutation.mutate({ id: runId, chunks: [...selection].sort((a, b) => a - b), ...(choice && { with: choice }) }),
  };
}
