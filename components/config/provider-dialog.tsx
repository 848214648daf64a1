"use client";

import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useRef, useState } from "react";
import { type Translate, useI18n } from "@/components/i18n/i18n-provider";
import { serverSentence } from "@/components/i18n/server-words";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Select } from "@/components/ui/select";
import { mayTakeKey } from "@/server/config/backend-kind.rules";
import { splitEndpoint } from "@/server/config/config.rules";
import type { ConfigEdit, ConfigEvaluation, ProviderRow } from "@/server/runs/config-view.schema";
import { useConfig } from "./config-state";
import { KeyField } from "./key-field";
import { suggestedKeyReference, VARIABLE_EXAMPLE } from "./key-reference";
import {
  editsOfChange,
  editsOfNew,
  formOfProfile,
  formOfProvider,
  NUMBER_FIELD_NAMES,
  NUMBER_FIELDS,
  type ProviderForm,
  problemsOfForm,
} from "./provider-form";

interface ProviderDialogProps {
  /** The provider that is changed; null for a new one. */
  provider: ProviderRow | null;
  onClose: () => void;
}

/** One provider: its profile, its address, where its key is, and its limits. */
export function ProviderDialog({ provider, onClose }: ProviderDialogProps) {
  const { t, formatNumber } = useI18n();
  const { evaluation, editAndWait } = useConfig();
  const profiles = evaluation?.profiles ?? [];
  const taken = (evaluation?.providers ?? [])
    .filter((each) => each.declared && each.name !== provider?.name)
    .map(({ name }) => name);
  const [before] = useState<ProviderForm | null>(provider === null ? null : formOfProvider(provider));
  const [form, setForm] = useState<ProviderForm>(() => {
    if (before !== null) return before;
    const first = profiles.find((each) => each.needsKey) ?? profiles[0];
    return first === undefined ? EMPTY_FORM : formOfProfile(first, taken);
  });
  const [isAsked, setIsAsked] = useState(false);
  const firstField = useRef<HTMLInputElement>(null);
  const profile = profiles.find((each) => each.name === form.profile);
  const problems = problemsOfForm(form, profile, taken);
  const endpoint = splitEndpoint(form.baseUrl.trim());
  const mutation = useMutation({
    mutationFn: async (edits: ConfigEdit[]) => (edits.length === 0 ? undefined : editAndWait(edits)),
    onSuccess: onClose,
  });
  const change = (part: Partial<ProviderForm>) => setForm((old) => ({ ...old, ...part }));
  const errorOf = (field: keyof ProviderForm) => {
    const problem = problems[field];
    if (!isAsked || problem === undefined) return null;
    const range = field in NUMBER_FIELDS ? NUMBER_FIELDS[field as keyof typeof NUMBER_FIELDS] : { min: 0, max: 0 };
    return t(`config.provider.problem.${problem}`, {
      name: form.name.trim(),
      min: formatNumber(range.min),
      max: formatNumber(range.max),
    });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    event.stopPropagation();
    setIsAsked(true);
    if (Object.keys(problems).length > 0 || mutation.isPending) return;
    mutation.mutate(before === null ? editsOfNew(form) : editsOfChange(form, before));
  };
  return (
    <Dialog
      open
      title={provider === null ? t("config.provider.add") : t("config.provider.editTitle", { name: provider.name })}
      initialFocus={firstField}
      onOpenChange={(open) => !open && onClose()}
    >
      <form onSubmit={submit} className="space-y-4" noValidate>
        <Field label={t("config.provider.profile")} hint={profile && serverSentence(t, profile.description)}>
          {(control) => (
            <Select
              {...control}
              value={form.profile}
              onValueChange={(name) => {
                const chosen = profiles.find((each) => each.name === name);
                if (chosen === undefined) return;
                if (before === null) setForm(formOfProfile(chosen, taken));
                else change({ profile: name });
              }}
              options={profiles.map((each) => ({
                value: each.name,
                label: each.name,
                hint: [serverSentence(t, each.description), keyHint(t, each), each.baseUrl].filter(Boolean).join(" "),
              }))}
            />
          )}
        </Field>
        {/* A built-in provider without an entry has nothing that could be renamed. */}
        {provider?.declared !== false && (
          <Field
            label={t("config.name")}
            hint={t(before === null ? "config.provider.nameHint" : "config.provider.renameHint")}
            error={errorOf("name")}
          >
            {(control) => (
              <Input
                {...control}
                ref={before === null ? firstField : undefined}
                autoComplete="off"
                spellCheck={false}
                maxLength={63}
                value={form.name}
                onChange={(event) => change({ name: event.target.value })}
              />
            )}
          </Field>
        )}
        <Field
          label={t("config.provider.baseUrl")}
          hint={t("config.provider.baseUrlHint", { example: VARIABLE_EXAMPLE })}
          warning={endpoint === null ? null : t("config.provider.endpointInUrl", endpoint)}
          error={errorOf("baseUrl")}
        >
          {(control) => (
            <Input
              {...control}
              ref={before === null ? undefined : firstField}
              autoComplete="off"
              spellCheck={false}
              placeholder={profile?.baseUrl ?? "https://host/v1"}
              value={form.baseUrl}
              onChange={(event) => change({ baseUrl: event.target.value })}
              className="font-mono text-xs"
            />
          )}
        </Field>
        <KeyField
          value={form.apiKey}
          suggestion={suggestedKeyReference(form.name)}
          problem={errorOf("apiKey")}
          onChange={(apiKey) => change({ apiKey })}
        />
        <fieldset>
          <legend className="mb-2 font-medium text-sm">{t("config.provider.limits")}</legend>
          <div className="grid gap-3 sm:grid-cols-2">
            {NUMBER_FIELD_NAMES.map((field) => (
              <Field key={field} label={t(`config.provider.${field}`)} error={errorOf(field)}>
                {(control) => (
                  <Input
                    {...control}
                    inputMode="numeric"
                    autoComplete="off"
                    placeholder={t("config.provider.asProfile")}
                    value={form[field]}
                    onChange={(event) => change({ [field]: event.target.value })}
                  />
                )}
              </Field>
            ))}
          </div>
        </fieldset>
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{t("common.cancel")}</Button>
          <Button type="submit" variant="primary" pending={mutation.isPending}>
            {t(provider === null ? "config.provider.addConfirm" : "config.provider.editConfirm")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

const EMPTY_FORM: ProviderForm = {
  name: "",
  profile: "",
  baseUrl: "",
  apiKey: "",
  concurrency: "",
  requestMs: "",
  idleMs: "",
  connectMs: "",
};

/** What the list of profiles says of keys; those with an address of their own and no demand (a model on this machine) say it themselves. */
function keyHint(t: Translate, profile: ConfigEvaluation["profiles"][number]): string {
  if (profile.needsKey) return t("config.profile.needsKey");
  return mayTakeKey(profile.kind) && profile.baseUrl === null ? t("config.profile.keyOptional") : "";
}
