"use client";

import Link from "next/link";
import { useState } from "react";
import { useI18n } from "@/components/i18n/i18n-provider";
import { paths } from "@/components/paths";
import { Badge } from "@/components/ui/badge";
import { Checkbox } from "@/components/ui/checkbox";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Panel } from "@/components/ui/panel";
import { Skeleton } from "@/components/ui/skeleton";
import type { ConfigEdit } from "@/server/runs/config-view.schema";
import { AgentRulesPanel } from "./agent-rules-panel";
import { useConfig } from "./config-state";
import { Unreadable } from "./unreadable";

const LIMITS = {
  interval: { path: ["supervisor", "interval"], min: 0, max: 1000 },
  maxRounds: { path: ["maxRounds"], min: 1, max: 10_000 },
  maxDepth: { path: ["maxDepth"], min: 0, max: 16 },
} as const;
type Limit = keyof typeof LIMITS;

/** How often the supervisor looks, how far work may go, and what agent runs may do. */
export function LimitsPage() {
  const { t } = useI18n();
  const { evaluation, edit } = useConfig();
  if (evaluation === undefined) {
    return (
      <div role="status" aria-label={t("common.loading")}>
        <Skeleton className="h-48" />
      </div>
    );
  }
  if (evaluation.scenes.length === 0) return <Unreadable />;
  const { supervisor, maxRounds, maxDepth, workflows } = evaluation.limits;
  return (
    <div className="grid items-start gap-4 lg:grid-cols-2">
      <Panel title={t("config.limits.supervisor")} hint={t("config.limits.supervisorHint")}>
        <div className="space-y-4">
          <Checkbox
            label={t("config.limits.enabled")}
            checked={supervisor.enabled}
            onChange={(event) => edit([{ path: ["supervisor", "enabled"], value: event.target.checked }])}
          />
          <LimitField key={`interval ${supervisor.interval}`} limit="interval" value={supervisor.interval} onEdit={edit} />
        </div>
      </Panel>
      <Panel title={t("config.limits.title")}>
        <div className="grid gap-4 sm:grid-cols-2">
          <LimitField key={`maxRounds ${maxRounds}`} limit="maxRounds" value={maxRounds} onEdit={edit} />
          <LimitField key={`maxDepth ${maxDepth}`} limit="maxDepth" value={maxDepth} onEdit={edit} />
        </div>
      </Panel>
      <AgentRulesPanel evaluation={evaluation} />
      <Panel title={t("config.limits.workflows")} className="lg:col-span-2">
        {workflows.length === 0 ? (
          <p className="text-ink-soft">{t("config.limits.noWorkflows")}</p>
        ) : (
          <ul className="flex flex-wrap gap-1.5">
            {workflows.map((name) => (
              <li key={name}>
                <Badge>{name}</Badge>
              </li>
            ))}
          </ul>
        )}
        <p className="mt-2 text-ink-faint text-xs">
          {t("config.limits.workflowsHint")}{" "}
          <Link href={paths.config("yaml")} className="text-accent underline underline-offset-2">
            {t("config.tab.yaml")}
          </Link>
        </p>
      </Panel>
    </div>
  );
}

interface LimitFieldProps {
  limit: Limit;
  value: number;
  onEdit: (edits: ConfigEdit[]) => void;
}

/** Written when the field is left or Enter is pressed; an emptied one goes back to the usual value. */
function LimitField({ limit, value, onEdit }: LimitFieldProps) {
  const { t, formatNumber } = useI18n();
  const { path, min, max } = LIMITS[limit];
  const [entered, setEntered] = useState(String(value));
  const trimmed = entered.trim();
  const number = Number(trimmed);
  const isWrong = trimmed !== "" && (!Number.isInteger(number) || number < min || number > max);
  const range = t("newRun.optionRange", { min: formatNumber(min), max: formatNumber(max) });
  const commit = () => {
    if (isWrong || trimmed === String(value)) return;
    onEdit([trimmed === "" ? { path: [...path] } : { path: [...path], value: number }]);
  };
  return (
    <Field
      label={t(`config.limits.${limit}`)}
      hint={isWrong ? null : t(`config.limits.${limit}Hint`)}
      error={isWrong ? range : null}
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
