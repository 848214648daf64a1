"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { toast } from "sonner";
import { useI18n } from "@/components/i18n/i18n-provider";
import { serverSentence } from "@/components/i18n/server-words";
import { BACKEND_STATUS_STYLE } from "@/components/status/status-table";
import { useTRPC } from "@/components/trpc/trpc-client";
import { useErrorText } from "@/components/trpc/use-error-text";
import { CAPABILITIES } from "@/server/backends/capability.rules";
import type { CheckAnswer, CheckOrder } from "@/server/runs/backend-view.schema";

/** Checks a provider. It stays pending until the page shows what came of it; `said` is that in one sentence, for whoever cannot see it. */
export function useCheck(provider: string) {
  const { t, formatDuration } = useI18n();
  const api = useTRPC();
  const queryClient = useQueryClient();
  const errorText = useErrorText();
  const { mutate, isPending, data } = useMutation(
    api.backends.check.mutationOptions({
      onSuccess: () => queryClient.invalidateQueries(api.backends.pathFilter()),
      onError: (error) => {
        const { title, detail } = errorText(error);
        toast.error(t("backends.checkFailed", { provider }), { description: `${title} ${detail}`.trim() });
      },
    }),
  );
  const told = ({ state, latencyMs, reason, model, capabilities }: CheckAnswer) =>
    capabilities === null
      ? t("backends.checked", {
          provider,
          state: t(BACKEND_STATUS_STYLE[state].word),
          latency: formatDuration(latencyMs),
          reason: serverSentence(t, reason),
        }).trim()
      : t("backends.capabilitiesChecked", {
          model: `${provider}/${model}`,
          works: CAPABILITIES.filter((capability) => capabilities[capability].outcome === "works").length,
          total: CAPABILITIES.length,
          reason: serverSentence(t, reason),
        }).trim();
  return {
    isPending,
    said: isPending || data === undefined ? "" : told(data),
    check: (order: CheckOrder = {}) => mutate({ provider, ...order }),
  };
}

/** Ends a cooldown; `onDone` when the page no longer shows it. */
export function useClearCooldown(onDone: () => void) {
  const { t } = useI18n();
  const api = useTRPC();
  const queryClient = useQueryClient();
  const errorText = useErrorText();
  return useMutation(
    api.backends.clearCooldown.mutationOptions({
      onSuccess: async (held, { provider, model }) => {
        toast.success(t(held ? "backends.cooldown.cleared" : "backends.cooldown.over", { model: `${provider}/${model}` }));
        await queryClient.invalidateQueries(api.backends.pathFilter());
        onDone();
      },
      onError: (error) => {
        const { title, detail } = errorText(error);
        toast.error(t("backends.cooldown.failed"), { description: `${title} ${detail}`.trim() });
      },
    }),
  );
}
