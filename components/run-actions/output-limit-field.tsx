"use client";

import { useI18n } from "@/components/i18n/i18n-provider";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { RUN_OPTIONS } from "@/server/runs/run.rules";
import { outputLimitOf } from "./output-limit";

interface OutputLimitFieldProps {
  value: string;
  onChange: (value: string) => void;
  /** Tokens at which the last answer was cut; null when none was, or nobody knows. */
  cutAt?: number | null;
}

/** How long an answer may be; for answers that were cut at the limit they had. */
export function OutputLimitField({ value, onChange, cutAt = null }: OutputLimitFieldProps) {
  const { t, formatNumber } = useI18n();
  const range = t("modelChoice.outputLimitRange", { max: formatNumber(RUN_OPTIONS.maxTokens.max) });
  const hint =
    cutAt === null ? t("modelChoice.outputLimitHint") : t("modelChoice.outputLimitCut", { count: formatNumber(cutAt) });
  return (
    <Field label={t("modelChoice.outputLimit")} hint={hint} error={outputLimitOf(value) === undefined ? range : null}>
      {(control) => (
        <Input
          {...control}
          inputMode="numeric"
          autoComplete="off"
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}
