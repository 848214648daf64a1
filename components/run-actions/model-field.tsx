"use client";

import { useId } from "react";
import { useI18n } from "@/components/i18n/i18n-provider";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import type { ConfigEvaluation } from "@/server/runs/config-view.schema";
import { knownModels } from "./model-choice";

interface ModelFieldProps {
  config: ConfigEvaluation;
  provider: string;
  /** What is asked when it stays empty; null = it must be named. */
  usual: string | null;
  value: string;
  onChange: (model: string) => void;
  /** Instead of what an empty field means. */
  hint: string | null;
}

/** A model by name; the ones that the configuration speaks of can be picked. */
export function ModelField({ config, provider, usual, value, onChange, hint }: ModelFieldProps) {
  const { t } = useI18n();
  const listId = useId();
  const said =
    hint ?? (usual === null ? t("modelChoice.modelNeeded", { provider }) : t("modelChoice.modelHint", { model: usual }));
  return (
    <Field label={t("modelChoice.model")} hint={said}>
      {(control) => (
        <>
          <Input
            {...control}
            list={listId}
            maxLength={200}
            spellCheck={false}
            autoComplete="off"
            placeholder={usual ?? ""}
            value={value}
            onChange={(event) => onChange(event.target.value)}
          />
          <datalist id={listId}>
            {knownModels(config, provider).map((model) => (
              <option key={model} value={model} />
            ))}
          </datalist>
        </>
      )}
    </Field>
  );
}
