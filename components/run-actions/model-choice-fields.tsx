"use client";

import { type ReactNode, useId } from "react";
import { useI18n } from "@/components/i18n/i18n-provider";
import { useErrorText } from "@/components/trpc/use-error-text";
import { ErrorState } from "@/components/ui/error-state";
import { Field } from "@/components/ui/field";
import { NativeSelect } from "@/components/ui/input";
import { Skeleton } from "@/components/ui/skeleton";
import type { ConfigEvaluation } from "@/server/runs/config-view.schema";
import { AskedModels } from "./asked-models";
import { AS_BEFORE, type ModelChoice, USUAL_CHOICE, usualModel } from "./model-choice";
import { ModelField } from "./model-field";
import { useModelConfig } from "./use-model-config";

interface ModelChoiceFieldsProps {
  choice: ModelChoice;
  onChange: (choice: ModelChoice) => void;
  /** Offers to leave things as they are, and says what that means. */
  before?: ReactNode;
}

/** Who is asked: a scene of the configuration, or a provider past the scenes; with the models that this comes to. */
export function ModelChoiceFields({ choice, onChange, before }: ModelChoiceFieldsProps) {
  const { t } = useI18n();
  const errorText = useErrorText();
  const query = useModelConfig();
  const name = useId();
  const config = query.data;
  const [firstProvider] = config?.providers ?? [];
  /** Without a `next` it cannot be chosen yet. */
  const radio = (by: ModelChoice["by"], next: ModelChoice | null) => ({
    name,
    checked: choice.by === by,
    onChoose: next && (() => onChange(next)),
  });
  return (
    <fieldset className="space-y-2">
      <legend className="mb-1 font-medium text-ink text-sm">{t("modelChoice.legend")}</legend>
      {before !== undefined && <Choice label={t("modelChoice.before")} hint={before} {...radio("before", AS_BEFORE)} />}
      <Choice label={t("modelChoice.scene")} hint={t("modelChoice.sceneHint")} {...radio("scene", USUAL_CHOICE)}>
        {choice.by === "scene" && config && <SceneFields config={config} choice={choice} onChange={onChange} />}
      </Choice>
      <Choice
        label={t("modelChoice.provider")}
        hint={t("modelChoice.providerHint")}
        {...radio("provider", firstProvider ? { by: "provider", provider: firstProvider.name, model: "" } : null)}
      >
        {choice.by === "provider" && config && <ProviderFields config={config} choice={choice} onChange={onChange} />}
      </Choice>
      {query.isError && (
        <ErrorState
          title={t("modelChoice.loadFailed")}
          message={errorText(query.error).title}
          retrying={query.isFetching}
          onRetry={() => void query.refetch()}
        />
      )}
      {/* What it comes to changes with every choice; its place stays. */}
      <div className="min-h-14">
        {query.isPending && choice.by !== "before" && <Skeleton className="h-14" />}
        {config && <AskedModels config={config} choice={choice} />}
      </div>
    </fieldset>
  );
}

interface ChoiceProps {
  name: string;
  label: string;
  hint: ReactNode;
  checked: boolean;
  /** Null while it is not known what there is to choose. */
  onChoose: (() => void) | null;
  /** What the choice asks for further. */
  children?: ReactNode;
}

function Choice({ name, label, hint, checked, onChoose, children }: ChoiceProps) {
  const id = useId();
  return (
    <div className={`rounded-md border px-3 py-2 ${checked ? "border-accent bg-accent-soft" : "border-line"}`}>
      <div className="flex items-start gap-2.5">
        <input
          type="radio"
          id={id}
          name={name}
          checked={checked}
          // A stored draft may have chosen it already.
          disabled={onChoose === null && !checked}
          onChange={() => onChoose?.()}
          aria-describedby={`${id}-hint`}
          className="mt-1 size-4 shrink-0 accent-(--accent)"
        />
        <label htmlFor={id} className="min-w-0 flex-1 cursor-pointer">
          <span className="font-medium text-ink">{label}</span>
          <span id={`${id}-hint`} className="block text-ink-soft text-xs">
            {hint}
          </span>
        </label>
      </div>
      {checked && children && <div className="mt-2 grid gap-3 sm:grid-cols-2 sm:pl-6.5">{children}</div>}
    </div>
  );
}

interface FieldsProps<By extends ModelChoice["by"]> {
  config: ConfigEvaluation;
  choice: Extract<ModelChoice, { by: By }>;
  onChange: (choice: ModelChoice) => void;
}

function SceneFields({ config, choice, onChange }: FieldsProps<"scene">) {
  const { t } = useI18n();
  const row = config.scenes.find(({ scene }) => scene === choice.scene);
  const candidates = row?.candidates ?? [];
  const [first] = candidates;
  return (
    <>
      <Field label={t("modelChoice.chooseScene")}>
        {(control) => (
          <NativeSelect
            {...control}
            value={choice.scene}
            // A model that was named for another scene's provider is not meant here.
            onChange={(event) => onChange({ by: "scene", scene: event.target.value, model: "" })}
          >
            {/* A draft may name a scene that the configuration does not have any more. */}
            {row === undefined && <option value={choice.scene}>{choice.scene}</option>}
            {config.scenes.map(({ scene }) => (
              <option key={scene} value={scene}>
                {scene}
              </option>
            ))}
          </NativeSelect>
        )}
      </Field>
      <ModelField
        config={config}
        provider={first?.provider ?? ""}
        // Several models cannot stand in one field.
        usual={candidates.length === 1 ? (first?.model ?? null) : null}
        value={choice.model}
        onChange={(model) => onChange({ ...choice, model })}
        // A model that is named for once is meant, and no other.
        hint={
          candidates.length === 1 ? null : t(choice.model.trim() === "" ? "modelChoice.sceneModels" : "modelChoice.modelOnly")
        }
      />
    </>
  );
}

function ProviderFields({ config, choice, onChange }: FieldsProps<"provider">) {
  const { t } = useI18n();
  const { providers } = config;
  return (
    <>
      <Field label={t("modelChoice.chooseProvider")}>
        {(control) => (
          <NativeSelect
            {...control}
            value={choice.provider}
            onChange={(event) => onChange({ by: "provider", provider: event.target.value, model: "" })}
          >
            {providers.every(({ name }) => name !== choice.provider) && (
              <option value={choice.provider}>{choice.provider}</option>
            )}
            {providers.map(({ name, profile }) => (
              <option key={name} value={name}>
                {name === profile ? name : `${name} · ${profile}`}
              </option>
            ))}
          </NativeSelect>
        )}
      </Field>
      <ModelField
        config={config}
        provider={choice.provider}
        usual={usualModel(config, choice.provider)}
        value={choice.model}
        onChange={(model) => onChange({ ...choice, model })}
        hint={null}
      />
    </>
  );
}
