"use client";

import { useMutation } from "@tanstack/react-query";
import { ListPlus } from "lucide-react";
import { type FormEvent, useRef, useState } from "react";
import { useI18n } from "@/components/i18n/i18n-provider";
import { serverSentence } from "@/components/i18n/server-words";
import { useTRPCClient } from "@/components/trpc/trpc-client";
import { useErrorText } from "@/components/trpc/use-error-text";
import { BreakableName } from "@/components/ui/breakable-name";
import { Button } from "@/components/ui/button";
import { classNames } from "@/components/ui/class-names";
import { Dialog } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { LONGEST_MODEL, splitModelReference } from "@/server/config/config.rules";
import type { ProviderRow } from "@/server/runs/config-view.schema";
import { useConfig } from "./config-state";
import { ProviderStateBadge } from "./key-state-badge";
import { isUsableProvider, usedReferences } from "./scene-edits";

/** A list of hundreds is searched, not read. */
const MOST_SHOWN = 60;

interface ModelPickerProps {
  title: string;
  /** The present `provider/model`; empty when there is none. */
  value: string;
  onPick: (reference: string) => void;
  onClose: () => void;
}

/** A provider, those that can be used first, and then one of its models: known ones, those the provider lists, or any other by name. */
export function ModelPicker({ title, value, onPick, onClose }: ModelPickerProps) {
  const { t } = useI18n();
  const { evaluation } = useConfig();
  const providers = [...(evaluation?.providers ?? [])].sort((a, b) => Number(isUsableProvider(b)) - Number(isUsableProvider(a)));
  const present = splitModelReference(value);
  const [name, setName] = useState(present?.provider ?? providers[0]?.name ?? "");
  const [text, setText] = useState("");
  const input = useRef<HTMLInputElement>(null);
  const provider = providers.find((each) => each.name === name);
  const typed = text.trim();
  const pick = (model: string) => {
    onPick(`${name}/${model}`);
    onClose();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    event.stopPropagation();
    if (typed !== "" && provider !== undefined) pick(typed);
  };
  return (
    <Dialog open size="lg" title={title} initialFocus={input} onOpenChange={(open) => !open && onClose()}>
      <div className="grid gap-4 sm:grid-cols-[15rem_minmax(0,1fr)]">
        <fieldset className="min-w-0">
          <legend className="mb-1 font-medium text-sm">{t("config.picker.provider")}</legend>
          <div className="max-h-48 space-y-0.5 overflow-y-auto rounded-md border border-line p-1 sm:max-h-96">
            {providers.map((each) => (
              <ProviderChoice
                key={each.name}
                provider={each}
                isChosen={each.name === name}
                onChoose={() => {
                  setName(each.name);
                  input.current?.focus();
                }}
              />
            ))}
          </div>
        </fieldset>
        <form onSubmit={submit} className="min-w-0 space-y-3">
          <Field label={t("config.picker.model")} hint={t("config.picker.modelHint")}>
            {(control) => (
              <Input
                {...control}
                ref={input}
                autoComplete="off"
                spellCheck={false}
                maxLength={LONGEST_MODEL}
                placeholder={provider?.defaultModel ?? ""}
                value={text}
                onChange={(event) => setText(event.target.value)}
              />
            )}
          </Field>
          {typed !== "" && provider !== undefined && (
            <Button type="submit" size="sm" variant="primary" className="max-w-full">
              <span className="truncate">{t("config.picker.use", { reference: `${name}/${typed}` })}</span>
            </Button>
          )}
          {provider !== undefined && (
            <KnownModels key={provider.name} provider={provider} filter={typed.toLowerCase()} present={value} onPick={pick} />
          )}
        </form>
      </div>
    </Dialog>
  );
}

interface ProviderChoiceProps {
  provider: ProviderRow;
  isChosen: boolean;
  onChoose: () => void;
}

function ProviderChoice({ provider, isChosen, onChoose }: ProviderChoiceProps) {
  return (
    <button
      type="button"
      aria-pressed={isChosen}
      onClick={onChoose}
      className={classNames(
        "flex w-full flex-wrap items-center gap-x-2 gap-y-0.5 rounded px-2 py-1.5 text-left -outline-offset-2 touch:py-2.5",
        isChosen ? "bg-accent-soft text-accent" : "hover:bg-hover",
      )}
    >
      <span className="min-w-0 flex-1 break-words font-medium">
        <BreakableName name={provider.name} />
      </span>
      <ProviderStateBadge provider={provider} />
    </button>
  );
}

interface KnownModelsProps {
  provider: ProviderRow;
  filter: string;
  present: string;
  onPick: (model: string) => void;
}

function KnownModels({ provider, filter, present, onPick }: KnownModelsProps) {
  const { t } = useI18n();
  const { evaluation, choice } = useConfig();
  const client = useTRPCClient();
  const errorText = useErrorText();
  const offered = useMutation({
    mutationFn: () => client.config.offeredModels.mutate({ provider: provider.name, ...choice }),
  });
  const used = usedReferences(evaluation?.scenes ?? [])
    .map(splitModelReference)
    .filter((parts) => parts?.provider === provider.name)
    .map((parts) => parts?.model ?? "");
  const usual = provider.defaultModel === null || used.includes(provider.defaultModel) ? [] : [provider.defaultModel];
  const listed = (offered.data?.models ?? []).filter((model) => !used.includes(model) && !usual.includes(model));
  const group = { provider: provider.name, filter, present, onPick };
  const failed = offered.error === null ? null : errorText(offered.error);
  return (
    <div className="space-y-3">
      <ModelGroup {...group} title={t("config.picker.used")} models={used} />
      <ModelGroup {...group} title={t("config.picker.usual")} models={usual} />
      <ModelGroup {...group} title={t("config.picker.offered")} models={listed} />
      <Button
        size="sm"
        icon={<ListPlus aria-hidden className="size-3.5" />}
        pending={offered.isPending}
        disabledReason={isUsableProvider(provider) ? null : t("config.picker.cannotAsk")}
        onClick={() => offered.mutate()}
      >
        {t("config.picker.ask")}
      </Button>
      <p role="status" className="break-words text-ink-soft text-xs">
        {failed !== null && `${failed.title} ${failed.detail}`}
        {offered.data !== undefined &&
          (offered.data.offered
            ? t("config.picker.count", { count: offered.data.models.length })
            : serverSentence(t, offered.data.message))}
      </p>
    </div>
  );
}

interface ModelGroupProps extends Omit<KnownModelsProps, "provider"> {
  provider: string;
  title: string;
  models: readonly string[];
}

function ModelGroup({ provider, title, models, filter, present, onPick }: ModelGroupProps) {
  const { t } = useI18n();
  const fitting = models.filter((model) => model.toLowerCase().includes(filter));
  if (fitting.length === 0) return null;
  return (
    <section aria-label={title}>
      <h3 className="mb-1 text-ink-faint text-xs">{title}</h3>
      <ul className="max-h-56 space-y-0.5 overflow-y-auto">
        {fitting.slice(0, MOST_SHOWN).map((model) => (
          <li key={model}>
            <button
              type="button"
              aria-current={`${provider}/${model}` === present ? "true" : undefined}
              onClick={() => onPick(model)}
              className="w-full break-words rounded px-2 py-1 text-left -outline-offset-2 hover:bg-hover aria-[current=true]:font-semibold aria-[current=true]:text-accent touch:py-2.5"
            >
              <BreakableName name={model} />
            </button>
          </li>
        ))}
      </ul>
      {fitting.length > MOST_SHOWN && (
        <p className="px-2 text-ink-faint text-xs">{t("config.picker.more", { count: fitting.length - MOST_SHOWN })}</p>
      )}
    </section>
  );
}
