"use client";

import { useState } from "react";
import { useI18n } from "@/components/i18n/i18n-provider";
import { ConfirmDialog } from "@/components/ui/dialog";
import type { RetryInput } from "@/server/runs/run.schema";
import { AS_BEFORE, type ModelChoice, retryWith, USUAL_CHOICE } from "./model-choice";
import { ModelChoiceFields } from "./model-choice-fields";
import { useChoiceRefusal } from "./use-choice-refusal";

interface RetryWithDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Chunks that are sent again. */
  count: number;
  pending: boolean;
  /** The caller closes it when the retry has worked. Undefined = with the models the chunks had. */
  onConfirm: (choice: RetryInput["with"]) => void;
}

/** Asks whom the chunks are to be sent to this time. */
export function RetryWithDialog({ open, onOpenChange, count, pending, onConfirm }: RetryWithDialogProps) {
  const { t } = useI18n();
  // Who opens this wants something else; the usual scene as it is mapped now is the first thing to think of.
  const [choice, setChoice] = useState<ModelChoice>(USUAL_CHOICE);
  const refusal = useChoiceRefusal(choice);
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={t("modelChoice.retryWithTitle")}
      description={t("modelChoice.retryWithText", { count })}
      confirmLabel={t("modelChoice.retryConfirm")}
      dismissLabel={t("common.keepEditing")}
      pending={pending}
      confirmRefusal={refusal}
      onConfirm={() => onConfirm(retryWith(choice))}
    >
      <ModelChoiceFields choice={choice} onChange={setChoice} before={t("modelChoice.beforeHint")} />
      {choice.by !== AS_BEFORE.by && <p className="mt-2 text-ink-faint text-xs">{t("modelChoice.keptText")}</p>}
    </ConfirmDialog>
  );
}
