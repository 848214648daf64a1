"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { toast } from "sonner";
import { useI18n } from "@/components/i18n/i18n-provider";
import { paths } from "@/components/paths";
import { useTRPC } from "@/components/trpc/trpc-client";
import { useErrorText } from "@/components/trpc/use-error-text";
import { ConfirmDialog } from "@/components/ui/dialog";
import type { RunSummary } from "@/server/runs/run.schema";
import { type ModelChoice, retryWith, USUAL_CHOICE } from "./model-choice";
import { ModelChoiceFields } from "./model-choice-fields";
import { outputLimitOf } from "./output-limit";
import { OutputLimitField } from "./output-limit-field";
import { useChoiceRefusal } from "./use-choice-refusal";

interface RerunDialogProps {
  run: RunSummary;
  /** Runs that are looked at beside it already; the new one joins them. */
  beside?: readonly string[];
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Sends the run's text through other models, as a run of its own, and goes where both stand side by side. */
export function RerunDialog({ run, beside = [run.id], open, onOpenChange }: RerunDialogProps) {
  const { t } = useI18n();
  const api = useTRPC();
  const queryClient = useQueryClient();
  const router = useRouter();
  const errorText = useErrorText();
  const [choice, setChoice] = useState<ModelChoice>(USUAL_CHOICE);
  const [entered, setEntered] = useState("");
  const limit = outputLimitOf(entered);
  const choiceRefusal = useChoiceRefusal(choice);
  const refusal = choiceRefusal ?? (limit === undefined ? t("modelChoice.outputLimitWrong") : null);
  const mutation = useMutation(
    api.runs.rerun.mutationOptions({
      onSuccess: (fresh) => {
        onOpenChange(false);
        void queryClient.invalidateQueries(api.runs.list.pathFilter());
        toast.success(t("rerun.done", { model: `${fresh.backend}/${fresh.model}` }));
        router.push(paths.compare([...beside, fresh.id]));
      },
      onError: (error) => {
        const { title, detail } = errorText(error);
        toast.error(t("rerun.failed"), { description: `${title} ${detail}`.trim() });
      },
    }),
  );
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={t("rerun.title")}
      description={t("rerun.text", { chunks: run.counts.total })}
      confirmLabel={t("rerun.confirm")}
      dismissLabel={t("common.keepEditing")}
      pending={mutation.isPending}
      confirmRefusal={refusal}
      onConfirm={() => mutation.mutate({ id: run.id, ...retryWith(choice, limit ?? null) })}
    >
      <div className="space-y-3">
        <ModelChoiceFields choice={choice} onChange={setChoice} before={t("rerun.beforeHint")} />
        <OutputLimitField value={entered} onChange={setEntered} />
      </div>
    </ConfirmDialog>
  );
}
