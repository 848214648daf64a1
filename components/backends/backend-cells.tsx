"use client";

import { Check, Minus } from "lucide-react";
import Link from "next/link";
import { useI18n } from "@/components/i18n/i18n-provider";
import { backendAbout, serverSentence } from "@/components/i18n/server-words";
import { paths } from "@/components/paths";
import { BackendStatusBadge } from "@/components/status/backend-status-badge";
import { Badge } from "@/components/ui/badge";
import { CAPABILITIES } from "@/server/backends/capability.rules";
import { mayTakeKey } from "@/server/config/backend-kind.rules";
import { MODEL_CAPABILITIES } from "@/server/config/config.rules";
import type { BackendRow } from "@/server/runs/backend-view.schema";

export function ProfileCell({ row }: { row: BackendRow }) {
  const { t } = useI18n();
  return (
    <div className="min-w-0">
      <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <Link href={paths.backend(row.profile)} className="break-all rounded-sm font-semibold text-ink hover:underline">
          {row.profile}
        </Link>
        <OriginBadge origin={row.origin} />
      </span>
      <code className="block break-words font-mono text-ink-faint text-xs">{row.backendKind}</code>
      <span className="mt-0.5 block break-words text-ink-soft text-xs">
        {backendAbout(t, { description: row.description, baseUrl: null })}
      </span>
    </div>
  );
}

/** Only what the configuration made or changed is marked. */
export function OriginBadge({ origin }: { origin: BackendRow["origin"] }) {
  const { t } = useI18n();
  return origin === "built_in" ? null : <Badge>{t(`backends.origin.${origin}`)}</Badge>;
}

export function StatusCell({ row }: { row: BackendRow }) {
  const { t } = useI18n();
  return (
    <div className="min-w-0 space-y-1">
      <BackendStatusBadge status={row.status} />
      {row.reason !== "" && <p className="break-words text-ink-soft text-xs">{serverSentence(t, row.reason)}</p>}
    </div>
  );
}

export function RuntimeCell({ row }: { row: BackendRow }) {
  const { t } = useI18n();
  return (
    <div className="min-w-0 text-xs">
      {row.protocol !== "none" && <code className="block break-words font-mono text-ink-soft">{row.protocol}</code>}
      <span className="block text-ink-faint">{t(`backends.transport.${row.transport}`)}</span>
      {row.command !== null && <code className="mt-0.5 block break-words font-mono text-ink-faint">$ {row.command}</code>}
    </div>
  );
}

export function IsolationCell({ row }: { row: BackendRow }) {
  const { t } = useI18n();
  const keys = row.requiredSecretKeys;
  return (
    <div className="min-w-0 text-xs">
      <span className="block text-ink-soft">
        {keys.length === 0
          ? t(mayTakeKey(row.backendKind) ? "keyState.optional" : "keyState.notNeeded")
          : t("backends.needs", { keys: keys.join(", ") })}
      </span>
      <span className="mt-0.5 block break-words text-ink-faint">{serverSentence(t, row.isolation)}</span>
    </div>
  );
}

/** What the adapter says it can do: icon and word; for the eye, what it cannot do is struck out. */
export function CapabilityMarks({ row }: { row: BackendRow }) {
  const { t } = useI18n();
  return (
    <ul aria-label={t("backends.capabilities")} className="space-y-0.5 text-xs">
      {CAPABILITIES.map((capability) => {
        const has = row.capabilities[capability];
        const Icon = has ? Check : Minus;
        return (
          <li key={capability} className={`flex items-center gap-1.5 ${has ? "text-ink" : "text-ink-faint"}`}>
            <Icon aria-hidden className={`size-3.5 shrink-0 ${has ? "tone-success text-tone" : ""}`} />
            <span className={has ? "" : "line-through"}>{t(`backends.capability.${capability}`)}</span>
            <span className="sr-only">{t(has ? "backends.yes" : "backends.no")}</span>
          </li>
        );
      })}
    </ul>
  );
}

/** Scores from 0 to 1; what has none says so. */
export function ScoreMarks({ row }: { row: BackendRow }) {
  const { t } = useI18n();
  return (
    <dl
      aria-label={t("backends.scores")}
      className="grid grid-cols-[auto_minmax(1.5rem,4rem)_1.25rem] items-center gap-x-2 text-xs"
    >
      {MODEL_CAPABILITIES.map((capability) => {
        const score = row.capabilities.scores[capability];
        return (
          <div key={capability} className="col-span-3 grid grid-cols-subgrid items-center">
            <dt className="text-ink-faint">{t(`backends.score.${capability}`)}</dt>
            <dd className="col-span-2 grid grid-cols-subgrid items-center text-right tabular-nums">
              <span aria-hidden className="h-1 overflow-hidden rounded-full bg-sunken">
                <span className="tone-active block h-full bg-tone-mark" style={{ width: `${(score ?? 0) * 100}%` }} />
              </span>
              {score === undefined ? <span className="text-ink-faint">–</span> : <span>{score}</span>}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

export function TokenizerText({ row }: { row: BackendRow }) {
  const { t } = useI18n();
  return (
    <span className="mt-1 block text-ink-faint text-xs">
      {t(row.tokenizer.estimate ? "backends.tokenizerEstimate" : "backends.tokenizer", { id: row.tokenizer.id })}
    </span>
  );
}
