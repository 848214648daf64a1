"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useRef } from "react";
import { toast } from "sonner";
import { useI18n } from "@/components/i18n/i18n-provider";
import { paths } from "@/components/paths";
import { useTRPC } from "@/components/trpc/trpc-client";
import type { CreateAgentRun } from "@/server/runs/agent-run.schema";

/** Starts a run once, however often it is pressed, and goes to its page. */
export function useAgentStart(onStarted: () => void) {
  const { t } = useI18n();
  const api = useTRPC();
  const queryClient = useQueryClient();
  const router = useRouter();
  // Two presses may come before React draws the pending button; this closes at the first.
  const pressed = useRef(false);
  const mutation = useMutation(
    api.agents.create.mutationOptions({
      onSuccess: (run) => {
        onStarted();
        void queryClient.invalidateQueries(api.runs.list.pathFilter());
        toast.success(t("newAgentRun.started"));
        router.push(paths.run(run.id));
      },
      onError: () => {
        pressed.current = false;
      },
    }),
  );
  return {
    /** Also while the next page opens. */
    isBusy: mutation.isPending || mutation.isSuccess,
    error: mutation.error,
    start: (order: CreateAgentRun) => {
      if (pressed.current) return;
      pressed.current = true;
      mutation.mutate(order);
    },
  };
}
