"use client";

import { useId } from "react";
import { useI18n } from "@/components/i18n/i18n-provider";
import { Field } from "@/components/ui/field";
import { Input, NativeSelect } from "@/components/ui/input";
import { Panel } from "@/components/ui/panel";
import {
  AGENT_APPROVALS,
  AGENT_SANDBOXES,
  AGENT_TIME,
  type AgentApproval,
  isWithinSandbox,
} from "@/server/config/execution-policy.rules";
import type { ConfigEvaluation } from "@/server/runs/config-view.schema";
import { type AgentDraft, millisecondsOf, minutesOf, type TimeLimits } from "./agent-draft";

interface PolicyFieldsProps {
  draft: AgentDraft;
  rules: ConfigEvaluation["agents"];
  onChange: (part: Partial<AgentDraft>) => void;
}

/** Where the agent works and what it may do there; what the configuration forbids says so. */
export function PolicyFields({ draft, rules, onChange }: PolicyFieldsProps) {
  const { t } = useI18n();
  return (
    <Panel title={t("newAgentRun.policy")} hint={t("newAgentRun.policyHint")}>
      <div className="space-y-5">
        <WorkspaceField draft={draft} rules={rules} onChange={onChange} />
        <SandboxFields draft={draft} rules={rules} onChange={onChange} />
        <NetworkField draft={draft} rules={rules} onChange={onChange} />
        <ApprovalField draft={draft} onChange={onChange} />
        <div className="grid gap-4 sm:grid-cols-2">
          <MinutesField
            label={t("newAgentRun.timeoutMinutes")}
            limits={AGENT_TIME.turn}
            most={rules.timeoutMs}
            value={draft.timeoutMinutes}
            onChange={(timeoutMinutes) => onChange({ timeoutMinutes })}
          />
          {draft.approval !== "never" && (
            <MinutesField
              label={t("newAgentRun.approvalMinutes")}
              limits={AGENT_TIME.approval}
              most={AGENT_TIME.approval.max}
              value={draft.approvalMinutes}
              onChange={(approvalMinutes) => onChange({ approvalMinutes })}
            />
          )}
        </div>
      </div>
    </Panel>
  );
}

function WorkspaceField({ draft, rules, onChange }: PolicyFieldsProps) {
  const { t, formatList } = useI18n();
  const listId = useId();
  const workspace = draft.workspace.trim();
  const allowed =
    rules.workspaces.length === 0
      ? t("newAgentRun.workspaceNone")
      : t("newAgentRun.workspaceAllowed", { folders: formatList(rules.workspaces) });
  return (
    <Field
      label={t("newAgentRun.workspace")}
      hint={`${t("newAgentRun.workspaceHint")} ${allowed}`}
      error={workspace !== "" && !workspace.startsWith("/") ? t("newAgentRun.blocked.workspace") : null}
    >
      {(control) => (
        <>
          <Input
            {...control}
            list={listId}
            maxLength={4_096}
            spellCheck={false}
            autoComplete="off"
            className="font-mono"
            placeholder={t("newAgentRun.workspaceOwn")}
            value={draft.workspace}
            onChange={(event) => onChange({ workspace: event.target.value })}
          />
          <datalist id={listId}>
            {rules.workspaces.map((folder) => (
              <option key={folder} value={folder} />
            ))}
          </datalist>
        </>
      )}
    </Field>
  );
}

function SandboxFields({ draft, rules, onChange }: PolicyFieldsProps) {
  const { t } = useI18n();
  const name = useId();
  const most = t(`agentRun.sandbox.${rules.sandbox}`);
  return (
    <fieldset>
      <legend className="mb-1 font-medium text-ink text-sm">{t("newAgentRun.sandbox")}</legend>
      <div className="grid gap-2 lg:grid-cols-3">
        {AGENT_SANDBOXES.map((sandbox) => {
          const isAllowed = isWithinSandbox(sandbox, rules.sandbox);
          return (
            <Option
              key={sandbox}
              type="radio"
              name={name}
              label={t(`agentRun.sandbox.${sandbox}`)}
              hint={t(`newAgentRun.sandboxHint.${sandbox}`)}
              refusal={isAllowed ? null : t("newAgentRun.sandboxForbidden", { most })}
              isChosen={draft.sandbox === sandbox && isAllowed}
              onChoose={() => onChange({ sandbox })}
            />
          );
        })}
      </div>
    </fieldset>
  );
}

function NetworkField({ draft, rules, onChange }: PolicyFieldsProps) {
  const { t } = useI18n();
  return (
    <fieldset>
      <legend className="mb-1 font-medium text-ink text-sm">{t("newAgentRun.network")}</legend>
      <Option
        type="checkbox"
        label={t("newAgentRun.networkLabel")}
        hint={t("newAgentRun.networkHint")}
        refusal={rules.network ? null : t("newAgentRun.networkForbidden")}
        isChosen={draft.network && rules.network}
        onChoose={() => onChange({ network: !draft.network })}
      />
    </fieldset>
  );
}

function ApprovalField({ draft, onChange }: Omit<PolicyFieldsProps, "rules">) {
  const { t } = useI18n();
  return (
    <Field label={t("newAgentRun.approval")} hint={t(`newAgentRun.approvalHint.${draft.approval}`)}>
      {(control) => (
        <NativeSelect
          {...control}
          value={draft.approval}
          // The options below are the only values.
          onChange={(event) => onChange({ approval: event.target.value as AgentApproval })}
        >
          {AGENT_APPROVALS.map((approval) => (
            <option key={approval} value={approval}>
              {t(`agentRun.approval.${approval}`)}
            </option>
          ))}
        </NativeSelect>
      )}
    </Field>
  );
}

interface OptionProps {
  type: "radio" | "checkbox";
  name?: string;
  label: string;
  hint: string;
  /** Why it cannot be chosen; it stays readable. */
  refusal: string | null;
  isChosen: boolean;
  onChoose: () => void;
}

function Option({ type, name, label, hint, refusal, isChosen, onChoose }: OptionProps) {
  const id = useId();
  return (
    <div className={`rounded-md border px-3 py-2 ${isChosen ? "border-accent bg-accent-soft" : "border-line"}`}>
      <div className="flex items-start gap-2.5">
        <input
          type={type}
          id={id}
          name={name}
          checked={isChosen}
          // Not `disabled`: the reason must be in reach of the keyboard.
          aria-disabled={refusal !== null || undefined}
          aria-describedby={`${id}-hint`}
          onChange={() => refusal === null && onChoose()}
          className="mt-1 size-4 shrink-0 accent-(--accent) aria-disabled:opacity-60"
        />
        <div className="min-w-0 flex-1">
          <label htmlFor={id} className={`block font-medium ${refusal === null ? "text-ink" : "text-ink-faint"}`}>
            {label}
          </label>
          <p id={`${id}-hint`} className="text-ink-soft text-xs">
            {hint}
            {refusal !== null && <span className="tone-warning block text-tone">{refusal}</span>}
          </p>
        </div>
      </div>
    </div>
  );
}

interface MinutesFieldProps {
  label: string;
  limits: TimeLimits;
  /** Milliseconds that the configuration allows. */
  most: number;
  value: string;
  onChange: (value: string) => void;
}

function MinutesField({ label, limits, most, value, onChange }: MinutesFieldProps) {
  const { t, formatNumber } = useI18n();
  const { max, usual } = minutesOf(limits, most);
  const range = t("newAgentRun.minutesRange", { max: formatNumber(max) });
  const isWrong = millisecondsOf(value, limits, most) === null;
  return (
    <Field label={label} hint={isWrong ? null : range} error={isWrong ? range : null}>
      {(control) => (
        <Input
          {...control}
          inputMode="decimal"
          autoComplete="off"
          placeholder={String(usual)}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}
