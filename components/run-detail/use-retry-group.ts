"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { toast } from "sonner";
import { useI18n } from "@/components/i18n/i18n-provider";
import { serverSentence } from "@/components/i18n/server-words";
import { type ConsoleClient, useTRPC, useTRPCClient } from "@/components/trpc/trpc-client";
import { useErrorText } from "@/components/trpc/use-error-text";
import { errorGroupKey } from "@/server/runs/run.rules";
import type { ErrorGroup, RetryInput } from "@/server/runs/run.schema";

/** As many as the API gives at once. */
const PAGE = 1_000;

/** The indexes of all chunks of the group: it lists only its first ones, the others are found among the failed chunks. */
async function chunksOfGroup(client: ConsoleClient, runId: string, group: ErrorGroup): Promise<number[]> {
  if (group.chunks.length >= group.count) return group.chunks;
  const key = errorGroupKey({ failureKind: group.failureKind, errorMessage: group.message });
  const found: number[] = [];
  for (let after: number | null = 0; after !== null; ) {
    const page: Awaited<ReturnType<typeof client.chunks.list.query>> = await client.chunks.list.query({
      runId,
      afterIndex: after,
      limit: PAGE,
      status: ["failed"],
    });
    found.push(...page.items.filter((chunk) => errorGroupKey(chunk) === key).map((chunk) => chunk.index));
    after = page.nextAfterIndex;
  }
  return found;
}

interface GroupRetry {
  group: ErrorGroup;
  /** Whom it asks; absent = as before. */
  with?: RetryInput["with"];
}

/** Queues every chunk of an error group again, in one order, and says how many were. */
export function useRetryGroup(runId: string) {
  const { t } = useI18n();
  const api = useTRPC();
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  const errorText = useErrorText();
  return useMutation({
    mutationFn: async ({ group, with: choice }: GroupRetry) =>
      client.runs.retry.mutate({
        id: runId,
        chunks: await chunksOfGroup(client, runId, group),
        ...(choice && { with: choice }),
      }),
    onSuccess: ({ requeued, skipped }) => {
      const [first] = skipped;
      const skippedPart =
        first === undefined
          ? ""
          : t("runDetail.done.retrySkipped", { count: skipped.length, reason: serverSentence(t, first.reason) });
      toast.success(t("runDetail.done.retry", { requeued, asked: requeued + skipped.length, skipped: skippedPart }));
      void queryClient.invalidateQueries({ queryKey: api.runs.get.queryKey({ id: runId }) });
    },
    onError: (error) => {
      const { title, detail } = errorText(error);
      toast.error(t("runDetail.actionFailed"), { description: `${title} ${detail}`.trim() });
    },
  });
}
