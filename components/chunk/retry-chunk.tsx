"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { RotateCw } from "lucide-react";
import { useState } from "react";
import { toast } from "sonner";
import { useI18n } from "@/components/i18n/i18n-provider";
import { serverSentence } from "@/components/i18n/server-words";
import { RetryWithDialog } from "@/components/run-actions/retry-with-dialog";
import { refusalSentence } from "@/components/status/action-refusal";
import { useTRPC } from "@/components/trpc/trpc-client";
import { useErrorText } from "@/components/trpc/use-error-text";
import { Button } from "@/components/ui/button";
import type { ChunkDetail, RunSummary } from "@/server/runs/run.schema";

/** Sends a failed chunk again, as before or otherwise; and one that has succeeded, for another answer. */
export function RetryChunk({ chunk, run }: { chunk: ChunkDetail; run: RunSummary | undefined }) {
  const { t } = useI18n();
  const api = useTRPC();
  const queryClient = useQueryClient();
  const errorText = useErrorText();
  const [choosing, setChoosing] = useState(false);
  const retry = useMutation(
    api.runs.retry.mutationOptions({
      onSuccess: ({ requeued, skipped }) => {
        const [first] = skipped;
        setChoosing(false);
        if (requeued > 0) toast.success(t("chunk.retried"));
        else toast.warning(t("chunk.retrySkipped", { reason: serverSentence(t, first?.reason ?? "") }));
        void queryClient.invalidateQueries({ queryKey: api.chunks.get.queryKey({ runId: chunk.runId, index: chunk.index }) });
        void queryClient.invalidateQueries({ queryKey: api.runs.get.queryKey({ id: chunk.runId }) });
      },
      onError: (error) => {
        const { title, detail } = errorText(error);
        toast.error(t("chunk.retryFailed"), { description: `${title} ${detail}`.trim() });
      },
    }),
  );
  const isAgain = chunk.status === "succeeded";
  const refusal =
    chunk.status === "failed" ? (run === undefined ? null : refusalSentence(t, "retry", run)) : t("chunk.retryRefused");
  // Nothing has to have failed for one that is named.
  const againRefusal = run === undefined ? null : refusalSentence(t, "retry", { ...run, counts: { ...run.counts, failed: 1 } });
  const last = chunk.attempts.at(-1);
  return (
    <div className="flex flex-wrap gap-2">
      <Button
        size="sm"
        variant={chunk.status === "failed" ? "primary" : "secondary"}
        icon={<RotateCw aria-hidden className="size-3.5" />}
        pending={retry.isPending}
        disabledReason={refusal}
        onClick={() => retry.mutate({ id: chunk.runId, chunks: [chunk.index] })}
      >
        {t("chunk.retry")}
      </Button>
      <Button size="sm" disabledReason={isAgain ? againRefusal : refusal} onClick={() => setChoosing(true)}>
        {t(isAgain ? "modelChoice.again" : "modelChoice.retryWith")}
      </Button>
      {choosing && (
        <RetryWithDialog
          open
          onOpenChange={setChoosing}
          count={1}
          pending={retry.isPending}
          again={isAgain}
          cutAt={chunk.truncated ? (last?.completionTokens ?? null) : null}
          onConfirm={(choice) =>
            retry.mutate({
              id: chunk.runId,
              chunks: [chunk.index],
              ...(choice && { with: choice }),
              ...(isAgain && { again: true }),
            })
          }
        />
      )}
    </div>
  );
}
