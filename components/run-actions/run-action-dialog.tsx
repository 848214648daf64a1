"use client";

import { useState } from "react";
import { useI18n } from "@/components/i18n/i18n-provider";
import type { MessageKey } from "@/components/i18n/messages";
import { ConfirmDialog } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import type { RunSummary } from "@/server/runs/run.schema";
import type { RunAction } from "@/server/runs/run-state.rules";
import { AS_BEFORE, type ModelChoice, retryWith } from "./model-choice";
import { ModelChoiceFields } from "./model-choice-fields";
import { outputLimitOf } from "./output-limit";
import { OutputLimitField } from "./output-limit-field";
import { useChoiceRefusal } from "./use-choice-refusal";
import { useRunAction } from "./use-run-action";

/** Resuming takes nothing away and is undone by a pause: it is done at once. */
export type AskedAction = Exclude<RunAction, "resume">;

const WORDS = {
  pause: { title: "runs.pauseTitle", confirm: "action.pause" },
  cancel: { title: "runs.cancelTitle", confirm: "runs.cancelConfirm" },
  retry: { title: "runs.retryTitle", confirm: "action.retry" },
  finish: { title: "runs.finishTitle", confirm: "action.finish" },
} as const satisfies Record<AskedAction, { title: MessageKey; confirm: MessageKey }>;

interface RunActionDialogProps {
  action: AskedAction;
  run: RunSummary;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Says what the action will do, with counts, and asks. */
export function RunActionDialog({ action, run, open, onOpenChange }: RunActionDialogProps) {
  const { t } = useI18n();
  const [reason, setReason] = useState("");
  const [choice, setChoice] = useState<ModelChoice>(AS_BEFORE);
  // Without failed chunks only the last step of the run is tried again, which asks no model.
  const sendsChunks = action === "retry" && run.counts.failed > 0;
  const [entered, setEntered] = useState("");
  const limit = outputLimitOf(entered);
  const choiceRefusal = useChoiceRefusal(choice);
  const refusal = choiceRefusal ?? (limit === undefined ? t("modelChoice.outputLimitWrong") : null);
  const close = () => {
    setReason("");
    setEntered("");
    setChoice(AS_BEFORE);
    onOpenChange(false);
  };
  const mutation = useRunAction(close);
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={(next) => (next ? onOpenChange(true) : close())}
      title={t(WORDS[action].title)}
      description={<EffectOfAction action={action} run={run} />}
      confirmLabel={t(WORDS[action].confirm)}
      dismissLabel={t("common.keepEditing")}
      danger={action === "cancel"}
      pending={mutation.isPending}
      confirmRefusal={refusal}
      onConfirm={() => mutation.mutate({ action, run, reason, with: retryWith(choice, limit ?? null) })}
    >
      {sendsChunks && (
        <div className="space-y-3">
          <ModelChoiceFields choice={choice} onChange={setChoice} before={t("modelChoice.beforeHint")} />
          <OutputLimitField value={entered} onChange={setEntered} />
        </div>
      )}
      {action !== "retry" && (
        <Field label={t("common.reason")} hint={t("common.reasonHint")}>
          {(control) => <Input {...control} maxLength={500} value={reason} onChange={(event) => setReason(event.target.value)} />}
        </Field>
      )}
    </ConfirmDialog>
  );
}

function EffectOfAction({ action, run }: { action: AskedAction; run: RunSummary }) {
  const { t } = useI18n();
  const { counts } = run;
  switch (action) {
    case "pause":
      return <>{t("runs.pauseText", { queued: counts.queued, running: counts.running })}</>;
    case "cancel":
      if (run.kind === "thread") return <>{t("runs.cancelTextAgent")}</>;
      return <>{t("runs.cancelText", { open: counts.queued + counts.running + counts.failed })}</>;
    case "retry":
      return <>{counts.failed === 0 ? t("runs.retryTextRun") : t("runs.retryText", { failed: counts.failed })}</>;
    case "finish":
      return <>{t("runs.finishText", { missing: counts.total - counts.succeeded, succeeded: counts.succeeded })}</>;
  }
}
