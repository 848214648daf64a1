"use client";

import { Play } from "lucide-react";
import { useI18n } from "@/components/i18n/i18n-provider";
import { AskedModels } from "@/components/run-actions/asked-models";
import { usualModel } from "@/components/run-actions/model-choice";
import { ModelField } from "@/components/run-actions/model-field";
import { useErrorText } from "@/components/trpc/use-error-text";
import { Button } from "@/components/ui/button";
import { ErrorState } from "@/components/ui/error-state";
import { Field } from "@/components/ui/field";
import { Input, NativeSelect, Textarea } from "@/components/ui/input";
import { Panel } from "@/components/ui/panel";
import { LONGEST_AGENT_PROMPT } from "@/server/config/execution-policy.rules";
import type { ConfigEvaluation, ProviderRow } from "@/server/runs/config-view.schema";
import type { AgentDraft } from "./agent-draft";
import { agentOrder, agentProviders, chosenProvider, draftProblem } from "./agent-order";
import { NoAgentProvider } from "./no-agent-provider";
import { PolicyFields } from "./policy-fields";
import { useAgentDraft } from "./use-agent-draft";
import { useAgentStart } from "./use-agent-start";

/** The task, who does it, and what it may do. */
export function AgentTaskForm({ config }: { config: ConfigEvaluation }) {
  const { t, formatNumber } = useI18n();
  const errorText = useErrorText();
  const { draft, change, finish } = useAgentDraft();
  const { start, isBusy, error } = useAgentStart(finish);
  const provider = chosenProvider(config, draft);
  if (provider === null) {
    return <NoAgentProvider forbidden={agentProviders(config).map(({ provider: { name } }) => name)} />;
  }
  const problem = draftProblem(config, draft);
  const refusal = problem === null ? null : t(`newAgentRun.blocked.${problem}`, { most: formatNumber(LONGEST_AGENT_PROMPT) });
  const said = error === null ? null : errorText(error);
  return (
    <form
      className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_24rem]"
      onSubmit={(event) => {
        event.preventDefault();
        const order = agentOrder(config, draft);
        if (order !== null) start(order);
      }}
    >
      <div className="min-w-0 space-y-4">
        <TaskPanel draft={draft} onChange={change} />
        <PolicyFields draft={draft} rules={config.agents} onChange={change} />
      </div>
      <div className="min-w-0 space-y-4 lg:sticky lg:top-16">
        <AgentPanel config={config} provider={provider} draft={draft} onChange={change} />
        {said && <ErrorState title={t("newAgentRun.startFailed")} message={`${said.title} ${said.detail}`} />}
        <Button
          type="submit"
          variant="primary"
          className="min-w-36"
          icon={<Play aria-hidden className="size-4" />}
          disabledReason={refusal}
          pending={isBusy}
        >
          {t(isBusy ? "newAgentRun.starting" : "newAgentRun.start")}
        </Button>
        {refusal !== null && <p className="text-ink-soft text-xs">{refusal}</p>}
        <p className="text-ink-faint text-xs">{t("newAgentRun.draftKept")}</p>
      </div>
    </form>
  );
}

interface PartProps {
  draft: AgentDraft;
  onChange: (part: Partial<AgentDraft>) => void;
}

function TaskPanel({ draft, onChange }: PartProps) {
  const { t, formatNumber } = useI18n();
  const isTooLong = draft.prompt.length > LONGEST_AGENT_PROMPT;
  const most = formatNumber(LONGEST_AGENT_PROMPT);
  return (
    <Panel title={t("newAgentRun.task")}>
      <div className="space-y-4">
        <Field
          label={t("newAgentRun.prompt")}
          hint={t("newAgentRun.promptHint", { count: formatNumber(draft.prompt.length), most })}
          error={isTooLong ? t("newAgentRun.blocked.tooLong", { most }) : null}
        >
          {(control) => (
            <Textarea
              {...control}
              rows={8}
              className="field-sizing-content max-h-[60vh] min-h-44 resize-y"
              placeholder={t("newAgentRun.promptPlaceholder")}
              value={draft.prompt}
              onChange={(event) => onChange({ prompt: event.target.value })}
              onKeyDown={(event) => {
                if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.nativeEvent.isComposing) return;
                event.preventDefault();
                event.currentTarget.form?.requestSubmit();
              }}
            />
          )}
        </Field>
        <Field label={t("newAgentRun.name")} hint={t("newAgentRun.nameHint")}>
          {(control) => (
            <Input
              {...control}
              maxLength={200}
              autoComplete="off"
              value={draft.name}
              onChange={(event) => onChange({ name: event.target.value })}
            />
          )}
        </Field>
      </div>
    </Panel>
  );
}

function AgentPanel({ config, provider, draft, onChange }: PartProps & { config: ConfigEvaluation; provider: ProviderRow }) {
  const { t } = useI18n();
  return (
    <Panel title={t("newAgentRun.agent")}>
      <div className="space-y-4">
        <Field label={t("newAgentRun.provider")}>
          {(control) => (
            <NativeSelect
              {...control}
              value={provider.name}
              // A model that was named for another provider is not meant here.
              onChange={(event) => onChange({ provider: event.target.value, model: "" })}
            >
              {agentProviders(config).map(({ provider: { name, profile }, isAllowed }) => (
                <option key={name} value={name} disabled={!isAllowed}>
                  {name === profile ? name : `${name} · ${profile}`}
                  {!isAllowed && ` · ${t("newAgentRun.providerForbidden")}`}
                </option>
              ))}
            </NativeSelect>
          )}
        </Field>
        <ModelField
          config={config}
          provider={provider.name}
          usual={usualModel(config, provider.name)}
          value={draft.model}
          onChange={(model) => onChange({ model })}
          hint={null}
        />
        <AskedModels config={config} choice={{ by: "provider", provider: provider.name, model: draft.model }} />
      </div>
    </Panel>
  );
}
