"use client";

import { ChevronRight } from "lucide-react";
import { useI18n } from "@/components/i18n/i18n-provider";
import { ModelChoiceFields } from "@/components/run-actions/model-choice-fields";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Panel } from "@/components/ui/panel";
import { RUN_OPTION_DEFAULTS } from "@/server/runs/run.rules";
import { changedOptions, choiceOf, EMPTY_DRAFT, namedBy, OPTION_NAMES } from "./draft";
import type { DraftProblems } from "./order";
import { optionRange } from "./order";
import type { DraftState } from "./use-draft";

interface SettingsPanelProps {
  state: DraftState;
  problems: DraftProblems;
}

export function SettingsPanel({ state, problems }: SettingsPanelProps) {
  const { t } = useI18n();
  const { draft, change } = state;
  return (
    <Panel title={t("newRun.settings")}>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label={t("newRun.name")} hint={t("newRun.nameHint")}>
          {(control) => (
            <Input
              {...control}
              maxLength={200}
              autoComplete="off"
              value={draft.name}
              onChange={(event) => change({ name: event.target.value })}
            />
          )}
        </Field>
        <Field label={t("newRun.date")} hint={t("newRun.dateHint")}>
          {(control) => (
            <Input
              {...control}
              type="date"
              aria-invalid={problems.date || undefined}
              value={draft.date}
              onChange={(event) => change({ date: event.target.value })}
            />
          )}
        </Field>
        <div className="sm:col-span-2">
          <ModelChoiceFields choice={choiceOf(draft)} onChange={(choice) => change(namedBy(choice))} />
        </div>
      </div>
      <AdvancedOptions state={state} problems={problems} />
    </Panel>
  );
}

function AdvancedOptions({ state, problems }: SettingsPanelProps) {
  const { t, formatNumber } = useI18n();
  const { draft, change } = state;
  const changed = changedOptions(draft).length;
  return (
    <details className="group mt-4 border-line border-t pt-3" open={Object.keys(problems.options).length > 0 || undefined}>
      <summary className="flex cursor-pointer list-none items-center gap-1.5 rounded font-medium [&::-webkit-details-marker]:hidden">
        <ChevronRight aria-hidden className="size-4 transition-transform group-open:rotate-90" />
        {t("newRun.advanced")}
        <span className="font-normal text-ink-faint text-xs">{t("newRun.advancedChanged", { count: changed })}</span>
      </summary>
      <div className="mt-3 grid gap-4 sm:grid-cols-2">
        {OPTION_NAMES.map((name) => {
          const { min, max } = optionRange(name);
          const range = t("newRun.optionRange", { min: formatNumber(min), max: formatNumber(max) });
          const wrong = problems.options[name] !== undefined;
          const hint = name === "repairRounds" || name === "maxTokens" ? t(`newRun.${name}Hint`) : range;
          return (
            <Field key={name} label={t(`newRun.option.${name}`)} hint={wrong ? null : hint} error={wrong ? range : null}>
              {(control) => (
                <Input
                  {...control}
                  inputMode="numeric"
                  autoComplete="off"
                  placeholder={String(RUN_OPTION_DEFAULTS[name])}
                  value={draft.options[name]}
                  onChange={(event) => change({ options: { ...draft.options, [name]: event.target.value } })}
                />
              )}
            </Field>
          );
        })}
      </div>
      {changed > 0 && (
        <Button size="sm" variant="ghost" className="mt-3" onClick={() => change({ options: EMPTY_DRAFT.options })}>
          {t("newRun.resetOptions")}
        </Button>
      )}
    </details>
  );
}
