"use client";

import { Play } from "lucide-react";
import { useMemo, useState } from "react";
import { useI18n } from "@/components/i18n/i18n-provider";
import { useChoiceRefusal } from "@/components/run-actions/use-choice-refusal";
import { useErrorText } from "@/components/trpc/use-error-text";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/dialog";
import { ErrorState } from "@/components/ui/error-state";
import { useDebounced } from "@/components/ui/use-debounced";
import { MAX_RUN_BYTES } from "@/server/runs/run.rules";
import { choiceOf } from "./draft";
import { hasFieldProblems, orderOf, problemsOf, wrongFields } from "./order";
import { PreviewPanel } from "./preview-panel";
import { SettingsPanel } from "./settings-panel";
import { TextPanel } from "./text-panel";
import { useDraft } from "./use-draft";
import { usePreview } from "./use-preview";
import { useStart } from "./use-start";

/** Typing rests this long before the server is asked for a preview. */
const PREVIEW_REST_MS = 500;

export function NewRunForm() {
  const { t, formatBytes, formatList } = useI18n();
  const errorText = useErrorText();
  const state = useDraft();
  const { draft, kept } = state;
  const [reading, setReading] = useState(false);
  const [clearing, setClearing] = useState(false);
  const problems = useMemo(() => problemsOf(draft), [draft]);
  const usable = !problems.noText && !problems.tooLarge && !hasFieldProblems(problems);
  const order = useMemo(() => (usable ? orderOf(draft) : null), [draft, usable]);
  const restedOrder = useDebounced(order, PREVIEW_REST_MS);
  const preview = usePreview(order === null ? null : restedOrder);
  const { start, isBusy, error } = useStart(state.finish);

  const choiceRefusal = useChoiceRefusal(choiceOf(draft));
  const wrong = wrongFields(problems);
  const refusal = reading
    ? t("newRun.blocked.reading")
    : problems.noText
      ? t("newRun.blocked.noText")
      : problems.tooLarge
        ? t("newRun.blocked.tooLarge", { limit: formatBytes(MAX_RUN_BYTES) })
        : wrong.length > 0
          ? t("newRun.blocked.fields", { fields: formatList(wrong.map((field) => t(field.word))) })
          : choiceRefusal;
  const runs =
    order !== null && restedOrder === order && preview.data && !preview.isPlaceholderData ? preview.data.runs.length : null;
  const startError = error === null ? null : errorText(error);

  return (
    <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_24rem]">
      <div className="min-w-0 space-y-4">
        <TextPanel state={state} tooLarge={problems.tooLarge} reading={reading} onReading={setReading} />
        <SettingsPanel state={state} problems={problems} />
      </div>
      <div className="min-w-0 space-y-4 lg:sticky lg:top-16">
        <PreviewPanel
          query={preview}
          hasText={!problems.noText}
          wrong={wrong}
          outdated={order !== null && restedOrder !== order}
        />
        {startError && <ErrorState title={t("newRun.startFailed")} message={`${startError.title} ${startError.detail}`} />}
        <div className="flex flex-wrap items-center gap-2">
          <Button
            variant="primary"
            className="min-w-36"
            icon={<Play aria-hidden className="size-4" />}
            disabledReason={refusal}
            pending={isBusy}
            onClick={() => {
              if (order !== null) start(order);
            }}
          >
            {isBusy ? t("newRun.starting") : runs === null ? t("newRun.start") : t("newRun.startCount", { count: runs })}
          </Button>
          {!problems.noText && !isBusy && (
            <Button variant="ghost" onClick={() => setClearing(true)}>
              {t("newRun.clearDraft")}
            </Button>
          )}
        </div>
        {refusal !== null && <p className="text-ink-soft text-xs">{refusal}</p>}
        <p className={kept === "whole" ? "text-ink-faint text-xs" : "tone-warning text-tone text-xs"}>
          {t(kept === "whole" ? "newRun.draftKept" : "newRun.draftTooLarge")}
        </p>
      </div>
      <ConfirmDialog
        open={clearing}
        onOpenChange={setClearing}
        title={t("newRun.clearTitle")}
        description={t("newRun.clearText")}
        confirmLabel={t("newRun.clearDraft")}
        danger
        onConfirm={() => {
          state.clear();
          setClearing(false);
        }}
      />
    </div>
  );
}
