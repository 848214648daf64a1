"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { toast } from "sonner";
import { useI18n } from "@/components/i18n/i18n-provider";
import { serverSentence } from "@/components/i18n/server-words";
import { applyRun } from "@/components/trpc/live-cache";
import { type ConsoleClient, useTRPC, useTRPCClient } from "@/components/trpc/trpc-client";
import { useErrorText } from "@/components/trpc/use-error-text";
import type { RetryInput, RetryOutcome, RunSummary } from "@/server/runs/run.schema";
import type { RunAction } from "@/server/runs/run-state.rules";

export interface RunActionOrder {
  action: RunAction;
  run: RunSummary;
  reason: string;
  /** Whom a retry asks; undefined = as before. */
  with?: RetryInput["with"];
}

type Outcome = { action: "retry"; retried: RetryOutcome } | { action: Exclude<RunAction, "retry">; run: RunSummary };

async function send(client: ConsoleClient, { action, run, reason, with: choice }: RunActionOrder): Promise<Outcome> {
  const input = reason.trim() === "" ? { id: run.id } : { id: run.id, reason: reason.trim() };
  switch (action) {
    case "retry":
      return { action, retried: await client.runs.retry.mutate({ id: run.id, ...(choice && { with: choice }) }) };
    case "pause":
      return { action, run: await client.runs.pause.mutate(input) };
    case "resume":
      return { action, run: await client.runs.resume.mutate(input) };
    case "cancel":
      return { action, run: await client.runs.cancel.mutate(input) };
    case "finish":
      return { action, run: await client.runs.finish.mutate(input) };
  }
}

const DONE_WORDS = { pause: "runs.paused", resume: "runs.resumed", cancel: "runs.cancelled", finish: "runs.finished" } as const;

/** Sends an action on a run and says how it went. `onDone` is called only when it worked. */
export function useRunAction(onDone: () => void) {
  const { t } = useI18n();
  const api = useTRPC();
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  const errorText = useErrorText();
  return useMutation({
    mutationFn: (order: RunActionOrder) => send(client, order),
    onSuccess: (outcome, order) => {
      if (outcome.action === "retry") {
        const { requeued, skipped } = outcome.retried;
        const [first] = skipped;
        toast.success(
          t("runs.retried", { requeued }),
          first === undefined
            ? {}
            : { description: t("runs.retriedSkipped", { skipped: skipped.length, reason: serverSentence(t, first.reason) }) },
        );
      } else {
        applyRun(queryClient, api, outcome.run);
        toast.success(t(DONE_WORDS[outcome.action], { name: order.run.name }));
      }
      onDone();
    },
    onError: (error, order) => {
      const { title, detail } = errorText(error);
      toast.error(t("runs.actionFailed", { action: t(`action.${order.action}`) }), { description: `${title} ${detail}`.trim() });
    },
  });
}
