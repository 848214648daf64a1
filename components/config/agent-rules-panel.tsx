"use client";

import { useState } from "react";
import { useI18n } from "@/components/i18n/i18n-provider";
import { Checkbox } from "@/components/ui/checkbox";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Panel } from "@/components/ui/panel";
import { Select } from "@/components/ui/select";
import { AGENT_SANDBOXES, AGENT_TIME } from "@/server/config/execution-policy.rules";
import type { ConfigEvaluation } from "@/server/runs/config-view.schema";
import { providerChoices, setTurnSeconds, toggleProvider } from "./agent-rules";
import { useConfig } from "./config-state";
import { WorkspaceList } from "./workspace-list";

const SECOND_MS = 1_000;

/** What agent runs may do at most: by which providers, where, how freely, how long. */
export function AgentRulesPanel({ evaluation }: { evaluation: ConfigEvaluation }) {
  const { t } = useI18n();
  const { edit } = useConfig();
  const { agents } = evaluation;
  return (
    <Panel title={t("configAgents.title")} hint={t("configAgents.hint")} className="lg:col-span-2">
      <div className="grid items-start gap-x-6 gap-y-5 lg:grid-cols-2">
        <WorkspaceList workspaces={agents.workspaces} />
        <Providers evaluation={evaluation} />
        <Field label={t("configAgents.sandbox")} hint={t("configAgents.sandboxHint")}>
          {(control) => (
            <Select
              {...control}
              value={agents.sandbox}
              onValueChange={(value) => edit([{ path: ["agents", "sandbox"], value }])}
              options={AGENT_SANDBOXES.map((value) => ({
                value,
                label: t(`agentRun.sandbox.${value}`),
                hint: t(`newAgentRun.sandboxHint.${value}`),
              }))}
            />
          )}
        </Field>
        <div className="space-y-5">
          <TurnTime key={agents.timeoutMs} milliseconds={agents.timeoutMs} />
          <Checkbox
            label={t("configAgents.network")}
            checked={agents.network}
            onChange={(event) => edit([{ path: ["agents", "network"], value: event.target.checked }])}
          />
        </div>
      </div>
    </Panel>
  );
}

function Providers({ evaluation }: { evaluation: ConfigEvaluation }) {
  const { t } = useI18n();
  const { edit } = useConfig();
  const { backends } = evaluation.agents;
  const choices = providerChoices(evaluation);
  return (
    <fieldset>
      <legend className="mb-1 font-medium text-ink text-sm">{t("configAgents.providers")}</legend>
      {choices.length === 0 ? (
        <p className="text-ink-soft text-sm">{t("configAgents.noProviders")}</p>
      ) : (
        <div className="flex flex-wrap gap-x-4 gap-y-2">
          {choices.map(({ name, isAllowed, isKnown }) => (
            <Checkbox
              key={name}
              label={isKnown ? name : t("configAgents.unknownProvider", { name })}
              checked={isAllowed}
              onChange={() => edit(toggleProvider(evaluation, name))}
            />
          ))}
        </div>
      )}
      <p className="mt-1 text-ink-faint text-xs">
        {t(
          backends === null
            ? "configAgents.providersAll"
            : backends.length === 0
              ? "configAgents.providersNone"
              : "configAgents.providersSome",
        )}
      </p>
    </fieldset>
  );
}

/** Written when the field is left or Enter is pressed; an emptied one goes back to the usual value. */
function TurnTime({ milliseconds }: { milliseconds: number }) {
  const { t, formatNumber } = useI18n();
  const { edit } = useConfig();
  const shown = String(milliseconds / SECOND_MS);
  const [entered, setEntered] = useState(shown);
  const edits = setTurnSeconds(entered);
  const commit = () => {
    if (edits !== null && entered.trim() !== shown) edit(edits);
  };
  const { min, max } = AGENT_TIME.turn;
  return (
    <Field
      label={t("configAgents.time")}
      hint={edits === null ? null : t("configAgents.timeHint")}
      error={
        edits === null
          ? t("newRun.optionRange", { min: formatNumber(min / SECOND_MS), max: formatNumber(max / SECOND_MS) })
          : null
      }
    >
      {(control) => (
        <Input
          {...control}
          inputMode="numeric"
          autoComplete="off"
          value={entered}
          onChange={(event) => setEntered(event.target.value)}
          onBlur={commit}
          onKeyDown={(event) => {
            if (event.key === "Enter") commit();
          }}
          className="max-w-40"
        />
      )}
    </Field>
  );
}
