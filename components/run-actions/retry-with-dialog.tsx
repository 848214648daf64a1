"use client";

import { useState } from "react";
import { useI18n } from "@/components/i18n/i18n-provider";
import { ConfirmDialog } from "@/components/ui/dialog";
import type { RetryInput } from "@/server/runs/run.schema";
import { AS_BEFORE, type ModelChoice, retryWith, USUAL_CHOICE } from "./model-choice";
import { ModelChoiceFields } from "./model-choice-fields";
import { outputLimitOf } from "./output-limit";
import { OutputLimitField } from "./output-limit-field";
import { useChoiceRefusal } from "./use-choice-refusal";

interface RetryWithDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Chunks that are sent again. */
  count: number;
  pending: boolean;
  /** They have succeeded: their answers stand until another one is accepted. */
  again?: boolean;
  /** Tokens at which the answer of the one chunk was cut. */
  cutAt?: number | null;
  /** The caller closes it when the retry has worked. Undefined = with the models the chunks had. */
  onConfirm: (choice: RetryInput["with"]) => void;
}

/** Asks whom the chunks are to be sent to this time. */
export function RetryWithDialog({
  open,
  onOpenChange,
  count,
  pending,
  again = false,
  cutAt = null,
  onConfirm,
}: RetryWithDialogProps) {
  const { t } = useI18n();
  // Who opens this wants something else; the usual scene as it is mapped now is the first thing to think of.
  // A cut answer wants more room first.
  const [choice, setChoice] = useState<ModelChoice>(cutAt === null ? USUAL_CHOICE : AS_BEFORE);
  const [entered, setEntered] = useState("");
  const limit = outputLimitOf(entered);
  const choiceRefusal = useChoiceRefusal(choice);
  const refusal = choiceRefusal ?? (limit === undefined ? t("modelChoice.outputLimitWrong") : null);
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={t(again ? "modelChoice.againTitle" : "modelChoice.retryWithTitle")}
      description={`${t("modelChoice.retryWithText", { count })}${again ? ` ${t("modelChoice.againText")}` : ""}`}
      confirmLabel={t(again ? "modelChoice.againConfirm" : "modelChoice.retryConfirm")}
      dismissLabel={t("common.keepEditing")}
      pending={pending}
      confirmRefusal={refusal}
      onConfirm={() => onConfirm(retryWith(choice, limit ?? null))}
    >
      <ModelChoiceFields choice={choice} onChange={setChoice} before={t("modelChoice.beforeHint")} />
      <div className="mt-3">
        <OutputLimitField value={entered} onChange={setEntered} cutAt={cutAt} />
      </div>
      {(choice.by !== AS_BEFORE.by || limit !== null) && (
        <p className="mt-2 text-ink-faint text-xs">{t("modelChoice.keptText")}</p>
      )}
    </ConfirmDialog>
  );
}
