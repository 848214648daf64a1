"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useRef } from "react";
import { toast } from "sonner";
import { useI18n } from "@/components/i18n/i18n-provider";
import { paths } from "@/components/paths";
import { useTRPC } from "@/components/trpc/trpc-client";
import type { DistillOrder } from "@/server/runs/run.schema";

/** Starts an order once, however often it is pressed, and goes where the runs are. */
export function useStart(onStarted: () => void) {
  const { t } = useI18n();
  const api = useTRPC();
  const queryClient = useQueryClient();
  const router = useRouter();
  // Two presses may come before React draws the pending button; this closes at the first.
  const pressed = useRef(false);
  const mutation = useMutation(
    api.runs.start.mutationOptions({
      onSuccess: (runs) => {
        onStarted();
        void queryClient.invalidateQueries(api.runs.list.pathFilter());
        toast.success(t("newRun.started", { count: runs.length }));
        const [first] = runs;
        router.push(runs.length === 1 && first !== undefined ? paths.run(first.id) : paths.runs());
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
    start: (order: DistillOrder) => {
      if (pressed.current) return;
      pressed.current = true;
      mutation.mutate(order);
    },
  };
}
