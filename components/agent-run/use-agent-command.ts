"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { toast } from "sonner";
import { useI18n } from "@/components/i18n/i18n-provider";
import type { MessageKey } from "@/components/i18n/messages";
import { useTRPC } from "@/components/trpc/trpc-client";
import { useErrorText } from "@/components/trpc/use-error-text";

/** Orders a turn or an interrupt, and says how it went. `done`: its words; `onDone` is called only when it worked. */
export function useAgentCommand(runId: string, { done, onDone = () => {} }: { done?: MessageKey; onDone?: () => void } = {}) {
  const { t } = useI18n();
  const api = useTRPC();
  const queryClient = useQueryClient();
  const errorText = useErrorText();
  return useMutation(
    api.agents.command.mutationOptions({
      onSuccess: (_command, { order }) => {
        toast.success(t(done ?? (order.type === "turn" ? "agentRun.composer.queued" : "agentRun.interrupted")));
        onDone();
      },
      onError: (error, { order }) => {
        const { title, detail } = errorText(error);
        toast.error(t(order.type === "turn" ? "agentRun.composer.failed" : "agentRun.interruptFailed"), {
          description: `${title} ${detail}`.trim(),
        });
      },
      onSettled: () => queryClient.invalidateQueries(api.agents.get.queryFilter({ id: runId })),
    }),
  );
}
